import PushQueue
import RealServers
import RedisClient
import Testing

@testable import RedisQueue

private let consumer = ConsumerName("worker")!

/// The data of another program under the keys of the queue.
@Suite(.enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct RedisForeignTests {
    private func error(_ body: () async throws -> Void) async -> QueueError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? QueueError
        }
    }

    private func scheduled(_ count: Int) -> [NewJob] {
        (0..<count).map { NewJob(JobContent(lane: .normal, body: [UInt8($0)]), due: .after(.seconds(3600))) }
    }

    @Test func `a call names the key, what the queue needs there and what to do`() async throws {
        try await withQueue { queue, other, client in
            let prefix = queue.address.prefix
            try await queue.prepare([.normal])
            for name in ["feedback", "lanes", "jobs:normal:0", "rate:acme", "later:number"] {
                _ = try await client.send([
                    RedisCommand("DEL", "\(prefix):\(name)"), RedisCommand("SET", "\(prefix):\(name)", "x"),
                ])
            }
            let errors = [
                "feedback": await error { _ = try await queue.feedback(from: nil, limit: 10) },
                "lanes": await error { _ = try await queue.reclaim(except: [], as: consumer) },
                "jobs:normal:0": await error {
                    _ = try await queue.reserve([LaneDemand(.normal, jobs: 1)], lease: .seconds(600), as: consumer)
                },
                "rate:acme": await error {
                    _ = try await queue.take([RateDemand(bucket: "acme", perSecond: 1, wanted: 1)])
                },
            ]
            for (name, error) in errors {
                let detail = error?.detail ?? ""
                #expect(error?.code == .foreignData && error?.isTemporary == false, "\(detail)")
                #expect(
                    detail.contains("the key \(prefix):\(name) holds") && detail.contains("queue needs a"), "\(detail)")
                #expect(detail.contains("or choose another prefix"), "\(detail)")
            }
            _ = try await client.send(RedisCommand("DEL", "\(prefix):lanes", "\(prefix):feedback"))
            let streams = await error { try await other.prepare([.normal]) }
            #expect(streams?.code == .foreignData)
            #expect(streams?.detail.contains("the key \(prefix):jobs:normal:0 holds") == true)
            _ = try await client.send(RedisCommand("DEL", "\(prefix):jobs:normal:0"))
            let number = await error { try await other.prepare([.normal]) }
            #expect(number?.detail.contains("the key \(prefix):later:number holds") == true, "\(number?.detail ?? "")")
        }
    }

    @Test func `the status names each key, and counts the rest`() async throws {
        try await withQueue { queue, _, client in
            let prefix = queue.address.prefix
            try await queue.prepare([.normal])
            _ = try await queue.enqueue(
                [NewJob(JobContent(lane: .normal, body: [1]))], options: EnqueueOptions())
            let names = ["later", "later:jobs", "dead", "lanes", "results", "jobs:bulk:0"]
            for name in names {
                _ = try await client.send([
                    RedisCommand("DEL", "\(prefix):\(name)"), RedisCommand("SET", "\(prefix):\(name)", "x"),
                ])
            }
            let status = try await queue.status()
            #expect(status.foreign.count == names.count, "\(status.foreign)")
            for name in names {
                let sentence = "the key \(prefix):\(name) holds a string, and the queue needs a"
                #expect(status.foreign.contains { $0.hasPrefix(sentence) }, "\(status.foreign)")
            }
            #expect(Set(status.warnings).isSuperset(of: status.foreign))
            #expect(status.backlog == 1 && status.lanes.map(\.name) == [.normal])
            for name in names { _ = try await client.send(RedisCommand("DEL", "\(prefix):\(name)")) }
            let later = try await queue.status()
            #expect(later.foreign.isEmpty && !later.warnings.contains { $0.contains("holds a string") })
        }
    }

    @Test(arguments: ["x", "9007199254740993", "9223372036854775807"])
    func `a counter of another program stops a settlement before it has written anything`(
        _ number: String
    ) async throws {
        try await withQueue { queue, _, client in
            let prefix = queue.address.prefix
            try await queue.prepare([.normal])
            _ = try await queue.enqueue(
                [NewJob(JobContent(lane: .normal, body: [1]))], options: EnqueueOptions())
            let jobs = try await queue.reserve(
                [LaneDemand(.normal, jobs: 1)], lease: .seconds(600), as: consumer
            ).jobs
            let job = try #require(jobs.first)
            var settlement = Settlement(job.id)
            settlement.dead = [DeadContent(job.content, reason: "R", why: "")]
            settlement.later = [
                LaterContent(job.content, due: .after(.seconds(60)), reason: "R", why: "")
            ]
            _ = try await client.send(RedisCommand("SET", "\(prefix):later:number", number))
            for _ in 0..<2 {
                let error = await error { _ = try await queue.settle([settlement], resultsKept: 0) }
                #expect(error?.code == .foreignData)
                #expect(error?.detail.contains("\(prefix):later:number") == true, "\(error?.detail ?? "")")
            }
            let enqueuing = await error {
                _ = try await queue.enqueue(
                    [NewJob(JobContent(lane: .normal, body: [2]))] + scheduled(1), options: EnqueueOptions())
            }
            #expect(enqueuing?.code == .foreignData)
            let before = try await queue.status()
            #expect(before.dead == 0 && before.later == 0 && before.pending == 1 && before.backlog == 0)
            _ = try await client.send(RedisCommand("DEL", "\(prefix):later:number"))
            #expect(try await queue.settle([settlement], resultsKept: 0) == [.settled])
            let after = try await queue.status()
            #expect(after.dead == 1 && after.later == 1 && after.pending == 0)
        }
    }

    @Test func `scheduled jobs stay where somebody removes their counter`() async throws {
        try await withQueue { queue, _, client in
            for _ in 0..<3 {
                _ = try await queue.enqueue(scheduled(5), options: EnqueueOptions())
                _ = try await client.send(RedisCommand("DEL", "\(queue.address.prefix):later:number"))
            }
            #expect(try await queue.status().later == 15)
            #expect(try await queue.list(.later, from: nil, limit: 100).elements.count == 15)
        }
    }

    @Test func `a bucket whose numbers are none is full`() async throws {
        try await withQueue { queue, _, client in
            for (tokens, time) in [("x", "y"), ("nan", "1"), ("-5", "1"), ("inf", "inf"), ("1e300", "1")] {
                let key = "\(queue.address.prefix):rate:acme"
                _ = try await client.send(RedisCommand("HSET", key, "tokens", tokens, "at", time))
                let grants = try await queue.take([RateDemand(bucket: "acme", perSecond: 10, wanted: 4)])
                #expect(grants.map(\.granted) == [4], "\(tokens)")
            }
        }
    }
}
