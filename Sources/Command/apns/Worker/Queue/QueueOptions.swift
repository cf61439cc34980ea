import ArgumentParser
import PushQueue

/// The options that name the queue.
struct QueueOptions: ParsableArguments {
    static let variable = "APNS_QUEUE"

    @Option(
        help: ArgumentHelp(
            "The queue: redis[s]://[USER:PASSWORD@]HOST:PORT/DB[?prefix=push], or postgres://USER@HOST/DATABASE.",
            valueName: "url"))
    var queue: String?

    static let environmentHelp = """
        ENVIRONMENT: \(variable) is the default of --queue; a URL with a password is better there, because other users of \
        the machine can read options.
        """

    func open(_ fromFile: String? = nil) async throws(CommandError) -> any JobQueue {
        guard let url = queue ?? fromFile ?? System.environment(QueueOptions.variable) else {
            throw CommandError(
                "there is no queue: give --queue redis://HOST:PORT/DB or --queue postgres://…, or set "
                    + QueueOptions.variable, .badArguments)
        }
        return try await QueueAddress.open(url)
    }

    /// Opens the queue for one operation, and closes it afterwards.
    func with<Value: Sendable>(
        _ body: (any JobQueue) async throws(QueueError) -> Value
    ) async throws(CommandError) -> Value {
        let queue = try await open()
        do throws(QueueError) {
            let value = try await body(queue)
            await queue.close()
            return value
        } catch {
            await queue.close()
            throw CommandError(QueueAddress.message(error), error.code == .backlogFull ? .no : .failed)
        }
    }
}
