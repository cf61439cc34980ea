import PushQueue
import RealServers
import RedisClient
import RepositoryFiles
import Testing

@testable import RedisQueue

private let consumer = ConsumerName("worker")!
private let stream = "push:jobs:normal:0"

/// A user of the server who lacks rights.
@Suite(.enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct RedisRightsTests {
    /// - Parameter rights: What the user has, or with a minus has not, beside everything.
    private func withUser(
        _ rights: [String] = [], _ body: (RedisQueue, RedisClient) async throws -> Void
    ) async throws {
        try await withRedis { server in
            let admin = try RedisClient(RedisURL(server.url).configuration)
            var command = RedisCommand("ACL", "SETUSER", "worker", "on", ">pass", "~*", "+@all")
            for right in rights { command.append(right) }
            _ = try await admin.send(command)
            let queue = try RedisQueue(RedisQueueAddress(url: "redis://worker:pass@127.0.0.1:\(server.port)/0"))
            try await body(queue, admin)
            await queue.close()
            await admin.close()
        }
    }

    private func change(_ right: String, _ admin: RedisClient) async throws {
        _ = try await admin.send(RedisCommand("ACL", "SETUSER", "worker", right))
    }

    private func error(_ body: () async throws -> Void) async -> QueueError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? QueueError
        }
    }

    private func reserveOne(_ queue: RedisQueue) async throws -> Job {
        try await queue.prepare([.normal])
        _ = try await queue.enqueue(
            [NewJob(JobContent(lane: .normal, body: [1]))], options: EnqueueOptions())
        let reservation = try await queue.reserve(
            [LaneDemand(.normal, jobs: 1)], lease: .seconds(600), as: consumer)
        return try #require(reservation.jobs.first)
    }

    @Test func `all rights that a worker lacks are named at its start, and nothing is changed`() async throws {
        try await withUser(["-xack", "-hdel", "-xreadgroup"]) { queue, admin in
            let error = await error { try await queue.prepare([.normal]) }
            #expect(error?.code == .notAllowed && error?.isTemporary == false)
            for right in ["XACK on \(stream)", "XREADGROUP on \(stream)", "HDEL on push:later:jobs"] {
                #expect(error?.detail.contains(right) == true, "\(error?.detail ?? "")")
            }
            #expect(error?.detail.contains("ZADD") == false)
            try await change("+@all", admin)
            let job = try await reserveOne(queue)
            #expect(try await queue.settle([Settlement(job.id)], resultsKept: 0) == [.settled])
            let keys = try await admin.send(RedisCommand("KEYS", "*")).array ?? []
            #expect(Set(keys.compactMap(\.string)) == [stream, "push:lanes", "push:later:number"])
            let consumers = try await admin.send(RedisCommand("XINFO", "CONSUMERS", stream, "workers"))
            #expect(consumers.array?.count == 1)
        }
    }

    @Test(arguments: ["xack", "xdel"])
    func `a right that is withdrawn stops a settlement before it has written anything`(_ right: String) async throws {
        try await withUser { queue, admin in
            let job = try await reserveOne(queue)
            var settlement = Settlement(job.id)
            settlement.dead = [DeadContent(job.content, reason: "R", why: "")]
            try await change("-\(right)", admin)
            for _ in 0..<2 {
                let error = await error { _ = try await queue.settle([settlement], resultsKept: 0) }
                #expect(error?.code == .notAllowed)
                #expect(error?.detail.contains("the command \(right.uppercased()),") == true, "\(error?.detail ?? "")")
            }
            #expect(try await admin.send(RedisCommand("XLEN", "push:dead")).integer == 0)
            try await change("+\(right)", admin)
            #expect(try await queue.settle([settlement], resultsKept: 0) == [.settled])
            #expect(try await admin.send(RedisCommand("XLEN", "push:dead")).integer == 1)
        }
    }

    @Test(arguments: ["hdel", "zrem", "xadd"])
    func `a right that is withdrawn makes no scheduled job ready twice`(_ right: String) async throws {
        try await withUser { queue, admin in
            try await queue.prepare([.normal])
            _ = try await queue.enqueue(
                [NewJob(JobContent(lane: .normal, body: [1]), due: .at(milliseconds: 1))], options: EnqueueOptions())
            try await change("-\(right)", admin)
            for _ in 0..<2 {
                let error = await error { _ = try await queue.promote(limit: 10) }
                #expect(error?.code == .notAllowed)
                #expect(error?.detail.contains("the command \(right.uppercased()),") == true, "\(error?.detail ?? "")")
            }
            #expect(try await admin.send(RedisCommand("XLEN", stream)).integer == 0)
            try await change("+\(right)", admin)
            #expect(try await queue.promote(limit: 10) == 1)
            #expect(try await admin.send(RedisCommand("XLEN", stream)).integer == 1)
        }
    }

    @Test func `a worker that may not ask what is pending keeps its jobs, and its name with them`() async throws {
        try await withUser { queue, admin in
            let job = try await reserveOne(queue)
            try await change("-xpending", admin)
            let removing = await error { _ = try await queue.remove(consumer) }
            let extending = await error {
                _ = try await queue.extend([job.id], lease: .seconds(600), as: consumer)
            }
            #expect(removing?.code == .notAllowed && extending?.code == .notAllowed)
            try await change("+xpending", admin)
            #expect(try await queue.status().pending == 1)
            #expect(try await queue.extend([job.id], lease: .seconds(600), as: consumer).isEmpty)
        }
    }

    @Test func `a producer with the rights that the page names enqueues, with every option`() async throws {
        let start = "ACL SETUSER producer on >PASSWORD "
        let page = try Repository.text("docs/queue.md")
        let line = try #require(page.split(separator: "\n").first { $0.hasPrefix(start) })
        let rights = line.dropFirst(start.count).split(separator: " ").map(String.init)
        try await withUser(rights) { queue, admin in
            let content = JobContent(lane: .normal, body: [1])
            let line = KnownLine(batch: "b", number: 1, digest: "d")
            let jobs = [
                NewJob(content), NewJob(content, due: .after(.seconds(60))), NewJob(content, lines: [line]),
            ]
            for job in jobs {
                let result = try await queue.enqueue([job], options: EnqueueOptions(maximumBacklog: 10))
                #expect(result.added == 1)
            }
            #expect(try await admin.send(RedisCommand("XLEN", stream)).integer == 2)
            let again = try await queue.enqueue([jobs[2]], options: EnqueueOptions())
            #expect(again.known == [line])
        }
    }
}
