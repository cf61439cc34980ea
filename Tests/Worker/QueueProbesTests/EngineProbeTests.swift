import Doctor
import DoctorProbes
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

    @Test func `a URL that is wrong behind its scheme is evidence, and another scheme has no probe`() async throws {
        for url in ["redis://127.0.0.1:x/0", "redis://127.0.0.1/0?no=1", "postgres://h/d?nonsense=1"] {
            #expect(try await evidence(url).failure?.isEmpty == false)
        }
        #expect(EngineProbe.make(url: "amqp://h", environment: [:]) == nil)
    }
}
