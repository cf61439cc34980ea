import PushQueue
import RealServers
import RedisClient
import Testing

@testable import RedisQueue

private let consumer = ConsumerName("worker")!

@Suite(.enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct RedisResultsTests {
    @Test func `a small number of results is kept exactly, and they are the newest`() async throws {
        try await withQueue { queue, _, client in
            try await queue.prepare([.normal])
            let jobs = (1...30).map { NewJob(JobContent(lane: .normal, body: Array("\($0)".utf8))) }
            _ = try await queue.enqueue(jobs, options: EnqueueOptions())
            let demand = [LaneDemand(.normal, jobs: 100)]
            let held = try await queue.reserve(demand, lease: .seconds(600), as: consumer).jobs
            var settlements: [Settlement] = []
            for (index, job) in held.enumerated() {
                var settlement = Settlement(job.id)
                settlement.results = ["\(2 * index)", "\(2 * index + 1)"]
                settlements.append(settlement)
            }
            _ = try await queue.settle(settlements, resultsKept: 10)
            let key = "\(queue.address.prefix):results"
            let entries = try await client.send(RedisCommand("XRANGE", key, "-", "+")).array ?? []
            let lines = entries.compactMap { $0.array?.last?.array?.last?.string }
            #expect(lines == (50..<60).map { "\($0)" })
        }
    }
}
