import PostgresQueue
import PushQueue
import RedisQueue

/// Opens the queue that a URL names.
enum QueueAddress {
    static func open(_ url: String) async throws(CommandError) -> any JobQueue {
        do throws(QueueError) {
            if url.hasPrefix("redis://") || url.hasPrefix("rediss://") {
                return try RedisQueue(RedisQueueAddress(url: url))
            }
            if url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") {
                return try PostgresQueue(url: url, environment: postgresEnvironment)
            }
        } catch {
            throw CommandError(message(error), error.code == .badAddress ? .badArguments : .failed)
        }
        // The text may contain a password, so it is not shown.
        throw CommandError(
            "the queue must be a URL with the scheme redis, rediss or postgres, such as redis://127.0.0.1:6379/0",
            .badArguments)
    }

    /// The sentence about an error of the engine.
    static func message(_ error: QueueError) -> String { "the queue: \(PlainText.safe(error.detail))" }

    /// The variables that an address is completed with. libpq reads others itself, such as PGPASSFILE.
    private static var postgresEnvironment: [String: String] {
        var environment: [String: String] = [:]
        for name in ["PGHOST", "PGPORT", "PGSSLMODE", "PGSSLROOTCERT", "SSL_CERT_FILE"] {
            environment[name] = System.environment(name)
        }
        return environment
    }
}
