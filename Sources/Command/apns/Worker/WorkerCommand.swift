import ArgumentParser

/// `apns worker`: sends what arrives in a durable queue, and looks after that queue.
struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Sends what arrives in a durable queue: Redis Streams or PostgreSQL.",
        discussion: """
            Any number of workers share one queue. A job leaves the queue when its pushes have their outcomes, so a push is \
            lost in no case, and is sent twice only after a worker was killed or an answer was lost.

            EXAMPLES
              apns worker --queue redis://127.0.0.1:6379/0 --gateway local
              redis-cli XADD push:jobs:normal:0 '*' \\
                b '{"token":"ab12","payload":{"aps":{"alert":"Hi"}}}'
              apns worker enqueue --queue redis://127.0.0.1:6379/0 --batch batch.ndjson
              apns worker status --queue redis://127.0.0.1:6379/0
              apns worker dead retry --queue redis://127.0.0.1:6379/0

            `apns worker` without a subcommand is `apns worker run`; `apns worker run --help` lists its options. \
            docs/worker.md describes queues, outcomes, tenants and operation.

            \(ExitStatus.help)
            """,
        subcommands: [
            WorkerRunCommand.self, WorkerEnqueueCommand.self, WorkerStatusCommand.self, WorkerFeedbackCommand.self,
            WorkerDeadCommand.self, WorkerLaterCommand.self, WorkerSQLCommand.self,
        ],
        defaultSubcommand: WorkerRunCommand.self)
}
