import PushQueue
import RealServers
import RedisClient
import Testing

@testable import RedisQueue

private let consumer = ConsumerName("worker")!

/// Streams of a lane that no worker reads, because `shards` in the URLs differ.
@Suite(.enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct RedisShardTests {
    private func add(_ entry: String, to key: String, _ client: RedisClient) async throws {
        _ = try await client.send(RedisCommand("XADD", key, entry, "b", "{}"))
    }

    @Test func `jobs in a stream that no worker reads are named, and are not this worker's`() async throws {
        try await withQueue { queue, other, client in
            try await queue.prepare([.normal])
            try await queue.announce([.normal], as: consumer)
            let (read, unread) = (queue.address.key(.normal, 0), queue.address.key(.normal, 7))
            try await add("*", to: read, client)
            #expect(try await other.status().unreadLanes.isEmpty)
            for _ in 0..<2 { try await add("*", to: unread, client) }
            let status = try await other.status()
            #expect(status.lanes.map(\.backlog) == [3] && status.lanes.map(\.unsettled) == [1])
            #expect(status.unreadLanes == status.unreadStreams)
            let sentence = "jobs wait in \(unread), which no worker reads"
            #expect(status.unreadLanes.map { $0.hasPrefix(sentence) } == [true])
        }
    }

    @Test func `a stream that workers with more shards have left is named once its jobs are old`() async throws {
        try await withQueue { queue, other, client in
            try await queue.prepare([.normal])
            try await queue.announce([.normal], as: consumer)
            for (shard, entry) in [(1, "*"), (2, "1-1")] {
                let key = queue.address.key(.normal, shard)
                _ = try await client.send(RedisCommand("XGROUP", "CREATE", key, "workers", "0", "MKSTREAM"))
                try await add(entry, to: key, client)
            }
            let lanes = try await other.status().lanes
            #expect(lanes.flatMap(\.unreadStreams) == [QueueStatus.Stream(queue.address.key(.normal, 2), backlog: 1)])
        }
    }

    @Test func `with the same shards everywhere no stream is named`() async throws {
        try await withQueue(options: "&shards=3") { queue, other, _ in
            try await queue.prepare([.normal])
            let jobs = (0..<9).map { _ in NewJob(JobContent(lane: .normal, body: [1])) }
            _ = try await other.enqueue(jobs, options: EnqueueOptions())
            let reserved = try await queue.reserve([LaneDemand(.normal, jobs: 1)], lease: .seconds(600), as: consumer)
            #expect(reserved.jobs.count == 1)
            let status = try await other.status()
            #expect(status.unreadLanes.isEmpty && status.lanes.map(\.unsettled) == [9])
        }
    }
}
