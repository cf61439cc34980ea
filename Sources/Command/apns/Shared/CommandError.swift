/// Why a command ends early: the message for stderr and the exit status.
struct CommandError: Error, Hashable {
    /// What is wrong, where, and what to do next; without secrets.
    var message: String
    var status: ExitStatus

    init(_ message: String, _ status: ExitStatus = .failed) {
        self.message = message
        self.status = status
    }
}
