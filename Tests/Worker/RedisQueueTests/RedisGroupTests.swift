import PushQueue
import RealServers
import RedisClient
import Testing

@testable import RedisQueue

private let consumer = ConsumerName("worker")!

@Suite(.enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct RedisGroupTests {
    @Test func `a group that is destroyed after its jobs were settled makes no job a lost one`() async throws {
        try await withQueue { queue, other, client in
            try await queue.prepare([.normal])
            let jobs = (1...10).map { NewJob(JobContent(lane: .normal, body: Array("\($0)".utf8))) }
            _ = try await queue.enqueue(jobs, options: EnqueueOptions())
            let demand = [LaneDemand(.normal, jobs: 100)]
            let held = try await queue.reserve(demand, lease: .seconds(600), as: consumer).jobs
            // The first stays, so that the new group gives an entry that is before those that were removed.
            _ = try await queue.settle(held.dropFirst().map { Settlement($0.id) }, resultsKept: 0)
            _ = try await client.send(RedisCommand("XGROUP", "DESTROY", held[0].id.stream, "workers"))
            try await other.prepare([.normal])
            #expect(try await !other.status().warnings.contains { $0.contains("trimmed") })
            #expect(try await other.reserve(demand, lease: .seconds(600), as: consumer).jobs.count == 1)
            #expect(try await !other.status().warnings.contains { $0.contains("trimmed") })
        }
    }

    @Test func `more jobs than one reply has come in one reservation, in their order`() async throws {
        try await withQueue { queue, _, _ in
            try await queue.prepare([.normal])
            let jobs = (1...400).map { NewJob(JobContent(lane: .normal, body: Array("\($0)".utf8))) }
            _ = try await queue.enqueue(jobs, options: EnqueueOptions())
            let demand = [LaneDemand(.normal, jobs: 300)]
            let held = try await queue.reserve(demand, lease: .seconds(600), as: consumer).jobs
            #expect(held.map(\.content.body) == jobs.prefix(300).map(\.content.body))
            // Those that were released and the rest come once each.
            try await queue.release(held.map(\.id), as: consumer)
            var again: [JobID] = []
            while again.count < 400 {
                let jobs = try await queue.reserve(demand, lease: .seconds(600), as: consumer).jobs
                guard !jobs.isEmpty else { break }
                again += jobs.map(\.id)
            }
            #expect(again.count == 400 && Set(again).count == 400)
        }
    }

    @Test func `a stream that is removed as a whole is reported, with what became of its jobs`() async throws {
        try await withQueue { queue, _, client in
            try await queue.prepare([.normal])
            let jobs = (1...10).map { NewJob(JobContent(lane: .normal, body: Array("\($0)".utf8))) }
            _ = try await queue.enqueue(jobs, options: EnqueueOptions())
            let demand = [LaneDemand(.normal, jobs: 2)]
            let held = try await queue.reserve(demand, lease: .seconds(600), as: consumer).jobs
            _ = try await client.send(RedisCommand("DEL", held[0].id.stream))
            #expect(try await queue.reserve(demand, lease: .seconds(600), as: consumer).jobs.isEmpty)
            #expect(try await queue.status().warnings.contains { $0.contains("nobody had read are gone") })
        }
    }
}
