import ArgumentParser
import PostgresQueue

/// `apns worker sql`: the tables of a queue in PostgreSQL.
struct WorkerSQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Prints the tables and functions of a queue in PostgreSQL.",
        discussion: """
            It may be run again, as after an update: it adds what is missing, and makes trigger and settings of the tables \
            again. Jobs of more than 1 MiB go to the dead letter then, and an infinite enqueued_at becomes the present. All \
            other rows stay as they are.

            EXAMPLE
              apns worker sql | psql postgres://push@127.0.0.1/push

            EXIT STATUS: 0 done; 64 bad arguments.
            """)

    func run() throws { Output.standard.write(QueueSchema.sql) }
}
