import PushQueue
import RealServers
import RedisClient
import Testing

@testable import RedisQueue

private let consumer = ConsumerName("worker")!

/// A worker that starts while the server takes nothing more.
@Suite(.enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct RedisFullTests {
    private func enqueue(_ queue: RedisQueue, _ count: Int, in lane: LaneName) async throws {
        let jobs = (0..<count).map { _ in NewJob(JobContent(lane: lane, body: [1])) }
        _ = try await queue.enqueue(jobs, options: EnqueueOptions())
    }

    private func reserve(_ queue: RedisQueue, _ lanes: LaneName...) async throws -> [Job] {
        let demands = lanes.map { LaneDemand($0, jobs: 10) }
        return try await queue.reserve(demands, lease: .seconds(600), as: consumer).jobs
    }

    private func setLimit(_ bytes: Int, _ client: RedisClient) async throws {
        _ = try await client.send(RedisCommand("CONFIG", "SET", "maxmemory", "\(bytes)")).get()
    }

    @Test func `a worker that starts on a full server empties it, and reads a new lane as soon as it can be made`()
        async throws
    {
        try await withRedis(["--maxmemory-policy", "noeviction"]) { server in
            let client = try RedisClient(RedisURL(server.url).configuration)
            let former = try RedisQueue(RedisQueueAddress(url: server.url))
            try await former.prepare([.normal])
            try await enqueue(former, 3, in: .normal)
            await former.close()
            try await setLimit(1, client)

            let queue = try RedisQueue(RedisQueueAddress(url: server.url))
            try await queue.prepare([.normal, .high])
            let jobs = try await reserve(queue, .high, .normal)
            #expect(jobs.count == 3)
            let results = try await queue.settle(jobs.map { Settlement($0.id) }, resultsKept: 0)
            #expect(results.allSatisfy { $0 == .settled })
            #expect(try await reserve(queue, .high).isEmpty)
            #expect(try await queue.status().warnings.allSatisfy { !$0.contains("group") })

            try await setLimit(0, client)
            try await enqueue(queue, 2, in: .high)
            #expect(try await reserve(queue, .high).count == 2)
            await queue.close()
            await client.close()
        }
    }

    @Test func `jobs of a lane that has no group yet do not stop the others while the server is full`() async throws {
        try await withRedis(["--maxmemory-policy", "noeviction"]) { server in
            let client = try RedisClient(RedisURL(server.url).configuration)
            let former = try RedisQueue(RedisQueueAddress(url: server.url))
            try await former.prepare([.normal])
            try await enqueue(former, 1, in: .normal)
            try await enqueue(former, 1, in: .bulk)
            await former.close()
            try await setLimit(1, client)

            let queue = try RedisQueue(RedisQueueAddress(url: server.url))
            try await queue.prepare([.bulk, .normal])
            #expect(try await reserve(queue, .bulk, .normal).map(\.content.lane) == [.normal])
            #expect(try await queue.status().warnings.contains { $0.contains("the group of push:jobs:bulk:0") })
            let alone = try RedisQueue(RedisQueueAddress(url: server.url))
            let error = await #expect(throws: QueueError.self) { try await alone.prepare([.bulk, .high]) }
            #expect(error?.code == .full && error?.isTemporary == true)
            await alone.close()

            try await setLimit(0, client)
            #expect(try await reserve(queue, .bulk).count == 1)
            await queue.close()
            await client.close()
        }
    }

    @Test func `on a full server, too, a worker names the rights that it lacks`() async throws {
        try await withRedis(["--maxmemory-policy", "noeviction"]) { server in
            let client = try RedisClient(RedisURL(server.url).configuration)
            let former = try RedisQueue(RedisQueueAddress(url: server.url))
            try await former.prepare([.normal])
            await former.close()
            _ = try await client.send(RedisCommand("ACL", "SETUSER", "worker", "on", ">pass", "~*", "+@all", "-xack"))
            try await setLimit(1, client)
            let queue = try RedisQueue(RedisQueueAddress(url: "redis://worker:pass@127.0.0.1:\(server.port)/0"))
            let error = await #expect(throws: QueueError.self) { try await queue.prepare([.normal]) }
            #expect(error?.code == .notAllowed && error?.detail.contains("XACK") == true)
            await queue.close()
            await client.close()
        }
    }
}
