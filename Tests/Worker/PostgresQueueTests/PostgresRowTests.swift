import PostgresClient
import PushQueue
import RealServers
import Testing

@testable import PostgresQueue

private let consumer = ConsumerName("worker")!

/// Rows that the tables of an earlier version have, or that somebody with more rights than a producer wrote.
@Suite(.enabled(if: RealServers.hasPostgres, "postgresql is not installed"))
struct PostgresRowTests {
    private func reserve(_ queue: PostgresQueue) async throws -> [String] {
        let jobs = try await queue.reserve([LaneDemand(.normal, jobs: 100)], lease: .seconds(600), as: consumer).jobs
        return jobs.map { String(decoding: $0.content.body.prefix(8), as: UTF8.self) }
    }

    private func run(_ client: PostgresClient, _ texts: String...) async throws {
        for text in texts { _ = try await client.run(PostgresStatement(text)) }
    }

    /// Makes the table as an earlier version made it.
    private func makeOld(_ client: PostgresClient) async throws {
        try await run(
            client,
            """
            ALTER TABLE push_job DROP CONSTRAINT push_job_body_check, DROP CONSTRAINT push_job_raw_check,
                DROP CONSTRAINT push_job_enqueued_at_check
            """,
            "ALTER TABLE push_later DROP CONSTRAINT push_later_lane_check, DROP CONSTRAINT push_later_due_check",
            "ALTER TABLE push_dead DROP CONSTRAINT push_dead_lane_check", "ALTER TABLE push_key DROP COLUMN digest")
    }

    private let oddJobs = [
        "INSERT INTO push_job (body, attempt, deliveries) VALUES ('often', 2147483647, 2147483647)",
        "INSERT INTO push_job (body, enqueued_at) VALUES ('never', 'infinity')",
        "INSERT INTO push_job (body) SELECT repeat('x', 3000000) FROM generate_series(1, 3)",
        "INSERT INTO push_job (raw) VALUES (decode(repeat('ff', 3000000), 'hex'))",
        "INSERT INTO push_job (body) VALUES ('good')",
    ]

    @Test func `an odd row stops no other one`() async throws {
        try await withQueue { queue, _, client in
            try await makeOld(client)
            for job in oddJobs { try await run(client, job) }
            #expect(try await queue.status().backlog == 7)
            #expect(try await reserve(queue) == ["often", "never", "good"])
            // No worker has to hold what is too large.
            let dead = try await queue.list(.dead, from: nil, limit: 10).elements
            #expect(dead.map(\.content.body.count) == [3_000_000, 3_000_000, 3_000_000, 3_000_000])
            #expect(dead.allSatisfy { $0.reason == "job-too-large" })
            #expect(try await queue.status().backlog == 0)
            #expect(try await queue.retry(.dead, dead.map(\.id)) == 0)
        }
    }

    @Test func `the tables of an earlier version get the checks, and what these refuse goes to the dead letter`()
        async throws
    {
        try await withQueue { queue, _, client in
            try await makeOld(client)
            for job in oddJobs { try await run(client, job) }
            try await client.makeQueue()
            #expect(try await queue.status().dead == 4)
            await #expect(throws: PostgresError.self) { try await run(client, oddJobs[1]) }
            await #expect(throws: PostgresError.self) { try await run(client, oddJobs[2]) }
            let line = KnownLine(batch: "b", number: 1, digest: "x")
            let job = NewJob(JobContent(lane: .bulk, body: [1]), lines: [line])
            #expect(try await queue.enqueue([job], options: EnqueueOptions()).added == 1)
            #expect(try await reserve(queue) == ["often", "never", "good"])
        }
    }

    @Test func `large jobs come in parts`() async throws {
        try await withQueue { queue, _, client in
            try await run(client, "INSERT INTO push_job (body) SELECT repeat('x', 1048576) FROM generate_series(1, 20)")
            #expect(try await reserve(queue).count == 17)
            #expect(try await reserve(queue).count == 3)
        }
    }

    @Test func `an odd scheduled job stops no other one`() async throws {
        try await withQueue { queue, _, client in
            try await makeOld(client)
            let columns = "INSERT INTO push_later (lane, attempt, body, reason, why, due) VALUES"
            try await run(
                client, "\(columns) ('NO LANE', 0, 'no lane', '', '', now())",
                "\(columns) ('normal', -1, 'negative', '', '', now())", "\(columns) ('normal', 0, NULL, '', '', now())",
                "\(columns) ('normal', 0, repeat('x', 1048577), '', '', now())",
                "\(columns) ('normal', 0, 'good', '', '', now())",
                "\(columns) ('normal', 0, 'far', '', '', '294276-12-31')",
                "\(columns) ('normal', 0, 'never', '', '', 'infinity')",
                "\(columns) ('normal', 0, 'never too', '', '', 'infinity')")
            var (bodies, page) = ([String](), String?.none)
            repeat {
                let part = try await queue.list(.later, from: page, limit: 1)
                bodies += part.elements.map { String(decoding: $0.content.body.prefix(8), as: UTF8.self) }
                page = part.next
            } while page != nil && bodies.count < 20
            #expect(bodies == ["no lane", "negative", "", "xxxxxxxx", "good", "far", "never", "never to"])
            #expect(try await queue.promote(limit: 10) == 5)
            #expect(try await reserve(queue) == ["no lane", "good"])
            let dead = try await queue.list(.dead, from: nil, limit: 10).elements
            #expect(dead.map(\.reason) == ["bad-entry", "bad-entry", "bad-entry"])
            #expect(try await queue.status().later == 3)
        }
    }

    @Test func `the rights that the schema names for a producer are enough, and let it write nothing else`()
        async throws
    {
        try await withQueue { queue, _, client in
            let name = "producer_\(UInt64.random(in: 0...UInt64.max))"
            let start = "-- and of a producer: "
            let line = try #require(QueueSchema.sql.split(separator: "\n").first { $0.hasPrefix(start) })
            try await run(
                client, "CREATE ROLE \(name) LOGIN",
                String(line.dropFirst(start.count).dropLast()).replacing("producer_role", with: name))
            let database = try await client.run(PostgresStatement("SELECT current_database()")).text(0, 0) ?? ""
            let port = try await PostgresServer.shared.port
            let producer = PostgresClient(
                try PostgresConfiguration(url: "postgres://\(name)@127.0.0.1:\(port)/\(database)", environment: [:]))
            try await run(
                producer, "INSERT INTO push_job (lane, tenant, key, body) VALUES ('normal', 'acme', 'k', 'good')")
            for column in ["deliveries", "attempt", "enqueued_at", "worker", "context"] {
                let error = await #expect(throws: PostgresError.self) {
                    try await run(producer, "INSERT INTO push_job (body, \(column)) VALUES ('{}', NULL)")
                }
                #expect(error?.sqlState == "42501", "\(column)")
            }
            await producer.close()
            #expect(try await reserve(queue) == ["good"])
        }
    }

    @Test func `enqueue needs the rights of a producer, and with keys, times or a limit those that the schema names`()
        async throws
    {
        try await withQueue { queue, _, client in
            let name = "enqueuer_\(UInt64.random(in: 0...UInt64.max))"
            try await run(
                client, "CREATE ROLE \(name) LOGIN",
                "GRANT INSERT (lane, tenant, key, body, raw) ON push_job TO \(name)")
            let database = try await client.run(PostgresStatement("SELECT current_database()")).text(0, 0) ?? ""
            let port = try await PostgresServer.shared.port
            let producer = try PostgresQueue(
                url: "postgres://\(name)@127.0.0.1:\(port)/\(database)", environment: [:])
            let plain = ["first", "second"].map {
                NewJob(JobContent(lane: .normal, tenant: "acme", body: Array($0.utf8)))
            }
            let result = try await producer.enqueue(plain, options: EnqueueOptions())
            #expect(result.added == 2 && result.duplicates == 0)
            #expect(try await reserve(queue) == ["first", "second"])

            let key = NewJob(JobContent(lane: .normal, key: "k", body: Array("key".utf8)))
            let line = NewJob(
                JobContent(lane: .normal, body: Array("line".utf8)),
                lines: [KnownLine(batch: "b", number: 1, digest: "x")])
            let later = NewJob(JobContent(lane: .normal, body: Array("later".utf8)), due: .after(.seconds(600)))
            let limit = EnqueueOptions(maximumBacklog: 10)
            let raw = NewJob(JobContent(lane: .normal, body: [0xFF]))
            for (job, options) in [
                (key, EnqueueOptions()), (line, EnqueueOptions()), (later, EnqueueOptions()), (raw, limit),
            ] {
                let error = await #expect(throws: QueueError.self) {
                    try await producer.enqueue([job], options: options)
                }
                #expect(error?.code == .notAllowed)
            }
            let grants = QueueSchema.sql.split(separator: "\n").filter { $0.hasPrefix("--   GRANT") }
            #expect(grants.count == 4)
            func grant(_ lines: some Sequence<Substring>) async throws {
                for line in lines {
                    try await run(client, String(line.dropFirst(5)).replacing("producer_role", with: name))
                }
            }
            try await grant(grants.prefix(1))
            #expect(try await producer.enqueue([raw], options: limit).added == 1)
            try await grant(grants.dropFirst())
            for job in [key, line, later] {
                #expect(try await producer.enqueue([job], options: EnqueueOptions()).added == 1)
            }
            #expect(try await producer.enqueue([key], options: EnqueueOptions()).duplicates == 1)
            await producer.close()
            #expect(try await reserve(queue).count == 3)
            #expect(try await queue.status().later == 1)
        }
    }
}
