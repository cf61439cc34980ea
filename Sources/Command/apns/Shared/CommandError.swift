/// Why a command ends early: the message for stderr and the exit status.
struct CommandError: Error, Hashable {
    /// What is wrong, where, and what to do next. Contains no secret.
    var message: String
    var status: ExitStatus

    init(_ message: String, _ status: ExitStatus = .failed) {
        self.message = message
        self.status = status
    }

    /// Ends the command with status 2 where a file cannot be used.
    static func rethrowing<Value>(_ body: () throws(FileError) -> Value) throws(CommandError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw CommandError(error.description)
        }
    }
}
