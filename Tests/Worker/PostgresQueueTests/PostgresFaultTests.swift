import Foundation
import PostgresClient
import PushQueue
import PushQueueTesting
import RealServers
import Synchronization
import Testing

@testable import PostgresQueue

private let consumer = ConsumerName("worker")!
private let isLong = ProcessInfo.processInfo.environment["APNS_EACH"] == "1"

@Suite(.enabled(if: RealServers.hasPostgres, "postgresql is not installed"))
struct PostgresFaultTests {
    private func reserve(_ queue: PostgresQueue, _ count: Int = 100) async throws -> [Job] {
        try await queue.reserve([LaneDemand(.normal, jobs: count)], lease: .seconds(600), as: consumer).jobs
    }

    private func code<Result>(_ body: () async throws -> Result) async -> QueueError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? QueueError)?.code
        }
    }

    @Test func `a server that is killed loses no job that it has confirmed`() async throws {
        let server = try await PostgresServer.started(["fsync": "on"])
        defer { server.end() }
        try await withQueue(on: server) { queue, other, _ in
            let check = LossCheck(jobs: isLong ? 20_000 : 300, kills: isLong ? 20 : 2) {
                try await server.kill()
                try await server.start()
            }
            try await check.run(producer: queue, worker: other)
        }
    }

    @Test func `connections that an administrator ends lose no job`() async throws {
        try await withQueue { queue, other, client in
            let check = LossCheck(jobs: isLong ? 5000 : 300, kills: isLong ? 50 : 5) {
                _ = try await client.run(
                    PostgresStatement(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                        """))
            }
            try await check.run(producer: queue, worker: other)
        }
    }

    @Test func `a job with an earlier id than those that were taken is found a second later`() async throws {
        try await withQueue { _, _, client in
            let clock = Mutex(Duration.zero)
            let database = try await client.run(PostgresStatement("SELECT current_database()")).text(0, 0) ?? ""
            let url = try await PostgresServer.shared.url(database)
            let queue = try PostgresQueue(url: url, environment: [:]) { clock.withLock { $0 } }
            _ = try await client.run([
                PostgresStatement("INSERT INTO push_job (body) SELECT '{}' FROM generate_series(1, 200)"),
                PostgresStatement("DELETE FROM push_job WHERE id <= 30"),
            ])
            #expect(try await reserve(queue, 40).first?.id.entry == "31")
            _ = try await client.run(
                PostgresStatement("INSERT INTO push_job (id, body) OVERRIDING SYSTEM VALUE VALUES (7, 'late')"))
            #expect(try await reserve(queue, 40).first?.id.entry == "71")
            clock.withLock { $0 = .seconds(1) }
            #expect(try await reserve(queue, 40).first?.id.entry == "7")
            await queue.close()
        }
    }

    @Test func `jobs that a long transaction has locked do not stop the others`() async throws {
        try await withQueue { queue, other, client in
            for number in 0..<4 {
                _ = try await client.run(
                    PostgresStatement("INSERT INTO push_job (body) VALUES ($1::text)", ["\(number)"]))
            }
            // Locked until the end of the transaction, which this client's only connection is in.
            _ = try await client.run(PostgresStatement("BEGIN"))
            _ = try await client.run(PostgresStatement("SELECT id FROM push_job ORDER BY id LIMIT 2 FOR UPDATE"))
            let free = try await reserve(queue)
            #expect(free.map { String(decoding: $0.content.body, as: UTF8.self) } == ["2", "3"])
            _ = try await client.run(PostgresStatement("COMMIT"))
            #expect(try await reserve(other).count == 2)
        }
    }

    @Test func `a zero byte in a reason is replaced, because PostgreSQL stores none`() async throws {
        try await withQueue { queue, _, client in
            _ = try await client.run(PostgresStatement("INSERT INTO push_job (body) VALUES ('{}')"))
            let job = try await reserve(queue)[0]
            var settlement = Settlement(job.id)
            settlement.dead = [DeadContent(job.content, reason: "a\0b", why: "\0")]
            #expect(try await queue.settle([settlement], resultsKept: 0) == [.settled])
            let dead = try await queue.list(.dead, from: nil, limit: 10).elements
            #expect(dead.map(\.reason) == ["a\u{FFFD}b"] && dead.map(\.why) == ["\u{FFFD}"])
        }
    }

    @Test func `a producer needs only INSERT, and a wrong one hears of it`() async throws {
        try await withQueue { queue, _, client in
            func insert(_ columns: String, _ values: String, _ parameters: [String?] = []) async -> String? {
                do {
                    _ = try await client.run(
                        PostgresStatement("INSERT INTO push_job (\(columns)) VALUES (\(values))", parameters))
                    return nil
                } catch {
                    return error.sqlState ?? "?"
                }
            }
            #expect(await insert("body", "$1::text", [#"{"token":"ab\u0031"}"#]) == nil)
            #expect(await insert("lane", "'normal'") == "23514")
            #expect(await insert("body, lane", "'{}', 'NO LANE'") == "23514")
            #expect(await insert("body", "repeat('x', 1048577)") == "23514")
            #expect(await insert("raw", "decode(repeat('ff', 1048577), 'hex')") == "23514")
            #expect(await insert("body, enqueued_at", "'{}', 'infinity'") == "23514")
            #expect(await insert("body, tenant", "repeat('x', 1048576), 'acme'") == nil)
            let jobs = try await reserve(queue)
            #expect(jobs.map(\.content.body.count) == [20, 1_048_576])
            #expect(jobs.allSatisfy { $0.flaw == nil })
        }
    }

    @Test func `missing tables and rights are errors that name them`() async throws {
        try await withQueue { queue, _, client in
            let name = "reader_\(UInt64.random(in: 0...UInt64.max))"
            _ = try await client.run(PostgresStatement("CREATE ROLE \(name) LOGIN"))
            let database = try await client.run(PostgresStatement("SELECT current_database()")).text(0, 0) ?? ""
            let port = try await PostgresServer.shared.port
            let reader = try PostgresQueue(url: "postgres://\(name)@127.0.0.1:\(port)/\(database)", environment: [:])
            #expect(await code { try await reader.prepare([.normal]) } == .notAllowed)
            #expect(await code { try await reader.promote(limit: 1) } == .notAllowed)
            await reader.close()
            _ = try await client.run(PostgresStatement("DROP TABLE push_later"))
            let error = await #expect(throws: QueueError.self) { try await queue.prepare([.normal]) }
            #expect(error?.code == .missing && error?.detail.contains("push_later") == true)
            _ = try await client.run(PostgresStatement("ALTER TABLE push_job RENAME COLUMN leased_until TO lease"))
            #expect(await code { try await reserve(queue) } == .foreignData)
        }
    }

    @Test func `a role that is read-only by a setting hears of the setting, and not of a standby alone`() async throws {
        try await withQueue { _, _, client in
            let name = "quiet_\(UInt64.random(in: 0...UInt64.max))"
            for text in [
                "CREATE ROLE \(name) LOGIN", "ALTER ROLE \(name) SET default_transaction_read_only = on",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(name)",
            ] { _ = try await client.run(PostgresStatement(text)) }
            let database = try await client.run(PostgresStatement("SELECT current_database()")).text(0, 0) ?? ""
            let port = try await PostgresServer.shared.port
            let quiet = try PostgresQueue(url: "postgres://\(name)@127.0.0.1:\(port)/\(database)", environment: [:])
            let preparing = await #expect(throws: QueueError.self) { try await quiet.prepare([.normal]) }
            let moving = await #expect(throws: QueueError.self) { try await quiet.promote(limit: 1) }
            for error in [preparing, moving] {
                #expect(error?.code == .notReady && error?.detail.contains("default_transaction_read_only") == true)
            }
            await quiet.close()
        }
    }

    /// Each statement of the way of a job, with values for its parameters.
    private static let plans: [(name: String, sql: String, values: String)] = [
        ("reserve", QueueStatements.reserve, "'normal', 50, 60, 'w1', 5, true"),
        ("extend", QueueStatements.extend, "'{5,6,7}', 60, 'w1'"),
        ("release", QueueStatements.release, "'{5,6,7}', 'w1'"),
        ("reclaim", QueueStatements.reclaim, "'{5,6,7}', 'w1'"),
        ("settle", QueueStatements.settlePlain, "'{5,6,7}'"),
        ("backlog", QueueStatements.backlog, "'{normal}', 50"), ("promote", QueueStatements.promote, "50"),
    ]

    @Test func `no statement of the way of a job, and none of the status, reads the whole table`() async throws {
        try await withQueue { _, _, client in
            _ = try await client.run([
                PostgresStatement("INSERT INTO push_job (body) SELECT '{}' FROM generate_series(1, 20000)"),
                PostgresStatement(
                    "UPDATE push_job SET worker = 'w' || id % 7, leased_until = now() + interval '1 minute' WHERE id <= 300"
                ),
                PostgresStatement(
                    """
                    INSERT INTO push_later (lane, attempt, body, reason, why, due)
                    SELECT 'normal', 0, '{}', '', '', now() + n * interval '1 second' FROM generate_series(1, 20000) AS n
                    """),
                PostgresStatement("ANALYZE push_job"), PostgresStatement("ANALYZE push_later"),
            ])
            // As it is planned for these values, and for any.
            for mode in ["force_custom_plan", "force_generic_plan"] {
                _ = try await client.run(PostgresStatement("SELECT set_config('plan_cache_mode', $1, false)", [mode]))
                for (name, sql, values) in PostgresFaultTests.plans {
                    let rows = try await client.run([
                        PostgresStatement("PREPARE \(name)_\(mode) AS \(sql)"),
                        PostgresStatement("EXPLAIN EXECUTE \(name)_\(mode) (\(values))"),
                    ])[1]
                    let plan = (0..<rows.count).compactMap { rows.text($0, 0) }.joined(separator: "\n")
                    #expect(!plan.contains("Seq Scan on push_"), "\(name), \(mode):\n\(plan)")
                }
            }
            for sql in QueueStatements.status.dropFirst() {
                let rows = try await client.run([
                    PostgresStatement(QueueStatements.planning), PostgresStatement("EXPLAIN \(sql)"),
                ])[1]
                let plan = (0..<rows.count).compactMap { rows.text($0, 0) }.joined(separator: "\n")
                #expect(!plan.contains("Seq Scan on push_"), "\(plan)")
            }
        }
    }
}
