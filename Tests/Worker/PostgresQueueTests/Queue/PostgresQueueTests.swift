import PostgresClient
import PushQueue
import PushQueueTesting
import RealServers
import Testing

@testable import PostgresQueue

@Suite(.enabled(if: RealServers.hasPostgres, "postgresql is not installed"))
struct PostgresQueueTests {
    @Test(arguments: JobQueueCheck.all) func `passes the suite of all engines`(_ check: JobQueueCheck) async throws {
        try await withQueue { queue, other, _ in
            try await check.run(JobQueueUnderTest(queue: queue, other: other) { try await Task.sleep(for: $0) })
        }
    }
}

/// Runs `body` with two clients of a queue in a database of its own.
func withQueue(
    on server: PostgresServer? = nil, _ body: (PostgresQueue, PostgresQueue, PostgresClient) async throws -> Void
) async throws {
    let server = if let server { server } else { try await PostgresServer.shared }
    let name = server.nextDatabaseName()
    var configuration = try PostgresConfiguration(url: server.url(), environment: [:])
    // A new database takes long on a machine that is busy with other tests.
    configuration.requestTimeout = .seconds(300)
    let admin = PostgresClient(configuration)
    _ = try await admin.run(PostgresStatement("CREATE DATABASE \(name)"))
    await admin.close()
    var own = try PostgresConfiguration(url: server.url(name), environment: [:])
    own.requestTimeout = configuration.requestTimeout
    let client = PostgresClient(own)
    try await client.makeQueue()
    // However slow the machine is, what is to be found is found at once.
    let queue = try PostgresQueue(url: server.url(name), environment: [:], elapsed: { .zero })
    let other = try PostgresQueue(url: server.url(name), environment: [:], elapsed: { .zero })
    do {
        try await body(queue, other, client)
    } catch {
        await queue.close()
        await other.close()
        await client.close()
        throw error
    }
    await queue.close()
    await other.close()
    await client.close()
}

extension PostgresClient {
    /// Runs what `apns worker sql` prints, which has several statements, as psql does.
    func makeQueue() async throws {
        for statement in QueueSchema.sql.split(separator: ";\n") {
            _ = try await run(PostgresStatement(String(statement)))
        }
    }
}
