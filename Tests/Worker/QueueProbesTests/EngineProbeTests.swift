import Doctor
import DoctorProbes
import PostgresClient
import PostgresQueue
import RealServers
import RedisClient
import TestSupport
import Testing

@testable import QueueProbes

/// The probes on real engines.
@Suite(.timeLimit(.minutes(10))) struct EngineProbeTests {
    private func evidence(_ url: String) async throws -> QueueEvidence {
        let probe = try #require(EngineProbe.make(url: url, environment: [:]))
        return try await probe.evidence(within: .seconds(20))
    }

    /// The states of the checks of the queue, by their ids.
    private func states(_ queue: QueueEvidence) -> [String: DoctorState] {
        var evidence = DoctorEvidence(destination: Destination(host: "x", port: 1), nothingSeen: "x")
        evidence.queue = .seen(queue)
        let results = DoctorCheck.all.filter { $0.layer == .queue }.map { $0.result(for: evidence) }
        return Dictionary(uniqueKeysWithValues: results.map { ($0.check, $0.state) })
    }

    @Test func `a Redis that keeps jobs passes, and one that is a cache with nothing on disk fails`() async throws {
        let good = try await RedisServer.started(["--appendonly", "yes", "--appendfsync", "always"])
        #expect(
            states(try await evidence(good.url)) == [
                "queue-reached": .pass, "queue-version": .pass, "queue-persistence": .pass, "queue-memory": .pass,
                "queue-backlog": .pass,
            ])
        try await good.kill()
        let cache = try await RedisServer.started(["--maxmemory", "50mb", "--maxmemory-policy", "allkeys-lru"])
        let found = states(try await evidence(cache.url))
        #expect(found["queue-persistence"] == .fail && found["queue-memory"] == .fail)
        try await cache.kill()
    }

    @Test func `a wrong password and a server that is gone fail, without the password in a message`() async throws {
        let server = try await RedisServer.started(["--requirepass", "right"])
        let wrong = try await evidence("redis://:wrongsecret@127.0.0.1:\(server.port)/0")
        #expect(states(wrong)["queue-reached"] == .fail && states(wrong)["queue-version"] == .skip)
        #expect(!"\(wrong)".contains("wrongsecret"))
        try await server.kill()
        #expect(states(try await evidence("redis://127.0.0.1:\(try HeldPort().number)/0"))["queue-reached"] == .fail)
    }

    @Test func `PostgreSQL says its version and what is synced, and has no policy of memory`() async throws {
        let server = try await PostgresServer.shared
        let found = states(try await evidence(server.url()))
        #expect(found["queue-reached"] == .pass && found["queue-version"] == .pass)
        #expect(found["queue-persistence"] != .skip && found["queue-memory"] == .skip)
        #expect(found["queue-backlog"] == .fail, "there are no tables of the queue in this database")
    }

    @Test func `a queue that workers cannot use fails, although its engine answers`() async throws {
        let server = try await RedisServer.started(["--appendonly", "yes", "--appendfsync", "always"])
        let admin = try RedisClient(RedisURL(server.url).configuration)
        _ = try await admin.send([
            RedisCommand("SET", "push:dead", "x"),
            RedisCommand("ACL", "SETUSER", "few", "on", ">p", "~*", "+info", "+ping"),
        ])
        await admin.close()
        #expect(states(try await evidence(server.url))["queue-backlog"] == .fail)
        let few = try await evidence("redis://few:p@127.0.0.1:\(server.port)/0")
        #expect(states(few)["queue-reached"] == .pass && states(few)["queue-backlog"] == .fail)
        try await server.kill()
    }

    @Test func `a Redis that workers cannot write to fails, and the question changes nothing in it`() async throws {
        let server = try await RedisServer.started()
        let admin = try RedisClient(RedisURL(server.url).configuration)
        for (user, right) in [("one", "-xack"), ("two", "-xgroup")] {
            _ = try await admin.send(RedisCommand("ACL", "SETUSER", user, "on", ">p", "~*", "+@all", right))
            let found = states(try await evidence("redis://\(user):p@127.0.0.1:\(server.port)/0"))
            #expect(found["queue-version"] == .pass && found["queue-backlog"] == .fail, "\(right)")
        }
        _ = try await admin.send(RedisCommand("CONFIG", "SET", "min-replicas-to-write", "1"))
        #expect(states(try await evidence(server.url))["queue-backlog"] == .fail)
        _ = try await admin.send(RedisCommand("CONFIG", "SET", "min-replicas-to-write", "0"))
        // A worker empties it.
        _ = try await admin.send(RedisCommand("CONFIG", "SET", "maxmemory", "1"))
        let full = states(try await evidence(server.url))
        #expect(full["queue-memory"] == .fail && full["queue-backlog"] == .pass)
        #expect(try await admin.send(RedisCommand("DBSIZE")).integer == 0)
        await admin.close()
        try await server.kill()
    }

    @Test func `a role of PostgreSQL that workers cannot work as fails`() async throws {
        let server = try await PostgresServer.shared
        let database = server.nextDatabaseName()
        var configuration = try PostgresConfiguration(url: server.url(), environment: [:])
        // A new database takes long on a machine that is busy with other tests.
        configuration.requestTimeout = .seconds(300)
        let admin = PostgresClient(configuration)
        _ = try await admin.run(PostgresStatement("CREATE DATABASE \(database)"))
        await admin.close()
        let suffix = UInt64.random(in: 0...UInt64.max)
        let (good, reader, quiet) = ("good_\(suffix)", "reader_\(suffix)", "quiet_\(suffix)")
        var statements = QueueSchema.sql.split(separator: ";\n").map(String.init)
        for role in [good, reader, quiet] { statements.append("CREATE ROLE \(role) LOGIN") }
        statements += [
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(good), \(quiet)",
            "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO \(reader)",
            "ALTER ROLE \(quiet) SET default_transaction_read_only = on",
        ]
        let client = PostgresClient(try PostgresConfiguration(url: server.url(database), environment: [:]))
        for statement in statements { _ = try await client.run(PostgresStatement(statement)) }
        await client.close()
        func found(_ role: String) async throws -> [DoctorState?] {
            let found = states(try await evidence("postgres://\(role)@127.0.0.1:\(server.port)/\(database)"))
            return [found["queue-version"], found["queue-backlog"]]
        }
        #expect(try await found(good) == [.pass, .pass])
        #expect(try await found(reader) == [.pass, .fail])
        #expect(try await found(quiet) == [.fail, .fail])
    }

    @Test func `a URL that is wrong behind its scheme is evidence, and another scheme has no probe`() async throws {
        for url in ["redis://127.0.0.1:x/0", "redis://127.0.0.1/0?no=1", "postgres://h/d?nonsense=1"] {
            #expect(try await evidence(url).failure?.isEmpty == false)
        }
        #expect(EngineProbe.make(url: "amqp://h", environment: [:]) == nil)
    }
}
