import Foundation
import PushQueue
import PushQueueTesting
import RealServers
import RedisClient
import TestSupport
import Testing

@testable import RedisQueue

private let consumer = ConsumerName("worker")!
private let isLong = ProcessInfo.processInfo.environment["APNS_EACH"] == "1"

@Suite(.enabled(if: RealServers.hasRedis, "redis-server is not installed"))
struct RedisFaultTests {
    private func reserve(_ queue: RedisQueue, _ count: Int = 100, lease: Duration = .seconds(600)) async throws -> [Job]
    {
        try await queue.reserve([LaneDemand(.normal, jobs: count)], lease: lease, as: consumer).jobs
    }

    private func enqueue(_ queue: RedisQueue, _ bodies: [String]) async throws {
        let jobs = bodies.map { NewJob(JobContent(lane: .normal, body: Array($0.utf8))) }
        _ = try await queue.enqueue(jobs, options: EnqueueOptions())
    }

    private func code<Result>(_ body: () async throws -> Result) async -> QueueError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? QueueError)?.code
        }
    }

    private func detail<Result>(_ body: () async throws -> Result) async -> String {
        do {
            _ = try await body()
            return ""
        } catch {
            return (error as? QueueError)?.detail ?? "\(error)"
        }
    }

    @Test func `a server that is killed loses no job that it has confirmed`() async throws {
        try await withRedis(["--appendonly", "yes", "--appendfsync", "always"]) { server in
            let (first, second) = (
                try RedisQueue(RedisQueueAddress(url: server.url)), try RedisQueue(RedisQueueAddress(url: server.url))
            )
            try await first.prepare([.normal])
            let check = LossCheck(jobs: isLong ? 20_000 : 300, kills: isLong ? 40 : 3) {
                try await server.kill()
                try await server.start()
            }
            try await check.run(producer: first, worker: second)
            await first.close()
            await second.close()
        }
    }

    @Test func `a full server refuses what adds to it, lets jobs end, and loses none`() async throws {
        try await withRedis(["--maxmemory", "4mb", "--maxmemory-policy", "noeviction"]) { server in
            let queue = try RedisQueue(RedisQueueAddress(url: server.url))
            try await queue.prepare([.normal])
            let body = String(repeating: "x", count: 50_000)
            var count = 0
            var full: QueueError.Code?
            while full == nil, count < 1000 {
                full = await code { try await enqueue(queue, [body]) }
                if full == nil { count += 1 }
            }
            #expect(full == .full)
            #expect(count > 10)
            let jobs = try await reserve(queue, 10)
            var dead = Settlement(jobs[0].id)
            dead.dead = [DeadContent(jobs[0].content, reason: "R", why: "")]
            #expect(await code { try await queue.settle([dead, Settlement(jobs[1].id)], resultsKept: 0) } == .full)
            let status = try await queue.status()
            #expect(status.pending == 10 && status.dead == 0 && status.backlog == count - 10)
            let rest = jobs.dropFirst().map { Settlement($0.id) }
            #expect(try await queue.settle(Array(rest), resultsKept: 0).allSatisfy { $0 == .settled })
            #expect(try await queue.settle([dead], resultsKept: 0) == [.settled])
            #expect(try await queue.status().dead == 1)
            await queue.close()
        }
    }

    @Test func `a group that a stranger destroys is made again, and what was sent is not sent twice`() async throws {
        try await withQueue { queue, other, client in
            try await queue.prepare([.normal])
            try await other.prepare([.normal])
            try await enqueue(queue, ["1", "2", "3", "4"])
            let held = try await reserve(queue, 2)
            let key = held[0].id.stream
            _ = try await client.send(RedisCommand("XGROUP", "DESTROY", key, "workers"))
            var ended = Settlement(held[0].id)
            ended.feedback = ["{}"]
            #expect(try await queue.settle([ended], resultsKept: 0) == [.settled])
            let again = try await reserve(other)
            #expect(again.map { String(decoding: $0.content.body, as: UTF8.self) } == ["2", "3", "4"])
            #expect(try await other.status().warnings.contains { $0.contains("was destroyed") })
            // The outcome of the first worker counts, and the second learns of it.
            #expect(try await queue.settle([Settlement(held[1].id)], resultsKept: 0) == [.settled])
            #expect(try await queue.status().feedback == 1)
            #expect(
                try await other.settle(again.map { Settlement($0.id) }, resultsKept: 0) == [
                    .notPending, .settled, .settled,
                ])
            _ = try await client.send(RedisCommand("DEL", key))
            #expect(try await reserve(queue).isEmpty)
            try await enqueue(queue, ["5"])
            #expect(try await reserve(queue).count == 1)
        }
    }

    @Test func `a stream that a stranger trims is reported, and the rest goes on`() async throws {
        try await withQueue { queue, _, client in
            try await queue.prepare([.normal])
            try await enqueue(queue, ["1", "2", "3", "4"])
            let held = try await reserve(queue, 2, lease: .milliseconds(1))
            let key = held[0].id.stream
            // Nobody has read the third.
            let entries = try await client.send(RedisCommand("XRANGE", key, "-", "+")).array ?? []
            _ = try await client.send(RedisCommand("XDEL", key, entries[2].array?.first?.string ?? ""))
            var warnings = try await queue.status().warnings
            #expect(warnings.contains { $0.contains("nobody had read") })
            _ = try await client.send(RedisCommand("XTRIM", key, "MAXLEN", "1"))
            try await Task.sleep(for: .milliseconds(20))
            let again = try await reserve(queue, 10, lease: .milliseconds(1))
            #expect(again.map { String(decoding: $0.content.body, as: UTF8.self) } == ["4"])
            warnings = try await queue.status().warnings
            #expect(warnings.contains { $0.contains("were pending") })
            #expect(try await queue.settle(again.map { Settlement($0.id) }, resultsKept: 0) == [.settled])
        }
    }

    @Test func `trimmed jobs are counted, whether a worker had them or not, and settled ones are not`() async throws {
        try await withQueue { queue, other, client in
            try await queue.prepare([.normal])
            // Later versions know less often how many entries were read.
            guard try await queue.status().engine.hasPrefix("Redis 7.0") else { return }
            func trimmed() async throws -> String? {
                try await other.status().warnings.first { $0.contains("trimmed") }
            }
            try await enqueue(queue, (1...20).map { "\($0)" })
            var held = try await reserve(queue, 5)
            // The last that was read too, which makes the server's own number of unread entries unknown.
            _ = try await queue.settle([held[1], held[4]].map { Settlement($0.id) }, resultsKept: 0)
            #expect(try await trimmed() == nil)
            held = [held[0], held[2], held[3]]
            held += try await reserve(queue, 2)
            #expect(try await trimmed() == nil)
            // 13 have not been read, and 3 of these stay.
            _ = try await client.send(RedisCommand("XTRIM", held[0].id.stream, "MAXLEN", "3"))
            #expect(try await trimmed()?.contains("trimmed 15 jobs") == true)
            #expect(try await queue.extend(held.map(\.id), lease: .seconds(600), as: consumer) == held.map(\.id))
            #expect(try await queue.status().warnings.contains { $0.contains("were pending") })
            #expect(try await trimmed()?.contains("trimmed 10 jobs") == true)
            let rest = try await reserve(queue)
            #expect(rest.count == 3)
            _ = try await queue.settle(rest.map { Settlement($0.id) }, resultsKept: 0)
            #expect(try await trimmed()?.contains("trimmed 10 jobs") == true)
        }
    }

    @Test func `the data of another program is reported, and nothing is written beside it`() async throws {
        try await withQueue { queue, _, client in
            let prefix = queue.address.prefix
            _ = try await client.send(RedisCommand("SET", "\(prefix):jobs:high:0", "x"))
            #expect(await code { try await queue.prepare([.high]) } == .foreignData)
            #expect(
                await code {
                    try await queue.enqueue(
                        [
                            NewJob(JobContent(lane: .normal, body: [1])), NewJob(JobContent(lane: .high, body: [1])),
                        ], options: EnqueueOptions())
                } == .foreignData)
            try await queue.prepare([.normal])
            #expect(try await reserve(queue).isEmpty)
            try await enqueue(queue, ["1"])
            let job = try await reserve(queue)[0]
            _ = try await client.send(RedisCommand("SET", "\(prefix):dead", "x"))
            var settlement = Settlement(job.id)
            settlement.feedback = ["{}"]
            settlement.dead = [DeadContent(job.content, reason: "R", why: "")]
            #expect(await code { try await queue.settle([settlement], resultsKept: 0) } == .foreignData)
            let status = try await queue.status()
            #expect(status.feedback == 0 && status.pending == 1)
            #expect(status.warnings.contains { $0.contains("\(prefix):dead") })
            _ = try await client.send(RedisCommand("DEL", "\(prefix):dead"))
            #expect(try await queue.settle([settlement], resultsKept: 0) == [.settled])
        }
    }

    @Test func `lists and changes of kept jobs name the key that is another program's`() async throws {
        try await withQueue { queue, _, client in
            try await queue.prepare([.normal])
            for name in ["dead", "later", "feedback"] {
                _ = try await client.send(RedisCommand("SET", "\(queue.address.prefix):\(name)", "x"))
            }
            let details = [
                "dead": await detail { try await queue.list(.dead, from: nil, limit: 10) },
                "dead of retry": await detail { try await queue.retry(.dead, ["1-1"]) },
                "dead of drop": await detail { try await queue.drop(.dead, ["1-1"]) },
                "later": await detail { try await queue.list(.later, from: nil, limit: 10) },
                "later of retry": await detail { try await queue.retry(.later, ["1"]) },
                "later of drop": await detail { try await queue.drop(.later, ["1"]) },
                "feedback of drop": await detail { try await queue.dropFeedback(["1-1"]) },
            ]
            for (call, detail) in details {
                let name = call.prefix { $0 != " " }
                #expect(detail.contains("the key \(queue.address.prefix):\(name) holds a string"), "\(call): \(detail)")
            }
        }
    }

    @Test func `an error after jobs were claimed says that they may be reserved`() async throws {
        try await withQueue { queue, _, client in
            try await queue.prepare([.normal, .high])
            try await enqueue(queue, ["1"])
            #expect(try await reserve(queue, lease: .milliseconds(1)).count == 1)
            let key = queue.address.key(.high, 0)
            _ = try await client.send([RedisCommand("DEL", key), RedisCommand("SET", key, "x")])
            try await Task.sleep(for: .milliseconds(20))
            let error = await #expect(throws: QueueError.self) {
                try await queue.reserve(
                    [LaneDemand(.normal, jobs: 1), LaneDemand(.high, jobs: 1)], lease: .milliseconds(1), as: consumer)
            }
            #expect(error?.code == .foreignData && error?.mayBeDone == true)
        }
    }

    @Test func `half an entry is a job with a flaw, and an entry of 10 MB a job`() async throws {
        try await withQueue { queue, _, client in
            try await queue.prepare([.normal])
            let key = queue.address.key(.normal, 0)
            let long = String(repeating: "x", count: 10 << 20)
            _ = try await client.send([
                RedisCommand("XADD", key, "*", "x", "a\"\n"), RedisCommand("XADD", key, "*", "b", "{}", "a", "many"),
                RedisCommand("XADD", key, "*", "b", "{}", "a", "-1"), RedisCommand("XADD", key, "1-1", "b", "{}"),
                RedisCommand("XADD", key, "*", "b", long, "t", "acme"),
                RedisCommand("XADD", key, "*", "b", "first", "t", "acme", "b", "second"),
            ])
            let jobs = try await reserve(queue)
            #expect(jobs.map { $0.flaw != nil } == [true, true, true, false, true])
            // Nothing of an entry with two jobs is lost.
            #expect(jobs[4].flaw?.contains("2 fields b") == true)
            #expect(String(decoding: jobs[4].content.body, as: UTF8.self) == #"{"b":"first","t":"acme","b":"second"}"#)
            #expect(String(decoding: jobs[0].content.body, as: UTF8.self) == #"{"x":"a\"\u000a"}"#)
            #expect(jobs[3].content.body.count == long.utf8.count && jobs[3].content.tenant == "acme")
            #expect(
                try await queue.settle(jobs.map { Settlement($0.id) }, resultsKept: 0).allSatisfy { $0 == .settled })
            // A scheduled job whose content is gone does not stop the others.
            _ = try await client.send(RedisCommand("ZADD", "\(queue.address.prefix):later", "1", "nothing"))
            _ = try await queue.enqueue(
                [NewJob(JobContent(lane: .normal, body: [1]), due: .at(milliseconds: 2))], options: EnqueueOptions())
            #expect(try await queue.promote(limit: 10) == 1)
        }
    }

    @Test(arguments: [false, true])
    func `a scheduled job that a stranger wrote stops no other one`(isRetry: Bool) async throws {
        try await withQueue { queue, _, client in
            let lanes: [LaneName] = [.normal, .bulk]
            try await queue.prepare(lanes)
            let contents = [
                "{'b', 'first'}", "{'b', 'odd', 'lane'}", "{'b', 'no lane', 'lane', 'NO LANE'}", "{'b', {1}}", "5",
                "{'b', 'good', 'lane', 'bulk'}",
            ]
            for (number, content) in contents.enumerated() {
                let script = """
                    redis.call('HSET', KEYS[1] .. ':jobs', ARGV[1], cmsgpack.pack(\(content)))
                    redis.call('ZADD', KEYS[1], 1, ARGV[1])
                    """
                let name = number == 0 ? "not a number" : "\(number)"
                _ = try await client.send(
                    RedisCommand("EVAL", script, "1", "\(queue.address.prefix):later", name)
                ).get()
            }
            let kept = try await queue.list(.later, from: nil, limit: 10).elements
            #expect(kept.count == 6)
            let moved = isRetry ? try await queue.retry(.later, kept.map(\.id)) : try await queue.promote(limit: 10)
            #expect(moved == 6)
            let demands = lanes.map { LaneDemand($0, jobs: 10) }
            let jobs = try await queue.reserve(demands, lease: .seconds(600), as: consumer).jobs
            let bodies = jobs.filter { $0.flaw == nil }.map { String(decoding: $0.content.body, as: UTF8.self) }
            #expect(Set(bodies) == ["first", "odd", "no lane", "good"])
            #expect(jobs.count { $0.flaw != nil } == 2)
            #expect(try await queue.status().later == 0)
        }
    }

    @Test func `scheduled jobs whose times are out of range are listed`() async throws {
        try await withQueue { queue, _, client in
            let due: [DueTime] = (1...4).map { .at(milliseconds: $0) }
            _ = try await queue.enqueue(
                due.map { NewJob(JobContent(lane: .normal, body: [1]), due: $0) }, options: EnqueueOptions())
            let kept = try await queue.list(.later, from: nil, limit: 10).elements
            for (job, score) in zip(kept, ["-inf", "1.5", "9.3e18", "inf"]) {
                _ = try await client.send(RedisCommand("ZADD", "\(queue.address.prefix):later", score, job.id))
            }
            var (found, page) = ([KeptJob](), String?.none)
            repeat {
                let part = try await queue.list(.later, from: page, limit: 1)
                found += part.elements
                page = part.next
            } while page != nil && found.count < 10
            #expect(found.map(\.id) == kept.map(\.id))
            #expect(found.map(\.due) == [.min, 1, .max, .max])
        }
    }

    @Test func `of a long entry without a body the dead letter has the start, and it says so`() async throws {
        try await withQueue { queue, _, client in
            try await queue.prepare([.normal])
            // As JSON each byte would be six.
            var command = RedisCommand("XADD", queue.address.key(.normal, 0), "*", "x")
            command.append([UInt8](repeating: 1, count: 11 << 20))
            command.append("y")
            command.append("z")
            _ = try await client.send(command)
            let job = try await reserve(queue)[0]
            #expect((1 << 20...1 << 20 + 100).contains(job.content.body.count))
            #expect(String(decoding: job.content.body.suffix(10), as: UTF8.self) == #"01\u0001"}"#)
            #expect(job.flaw?.contains("no field b") == true && job.flaw?.contains("too large") == true)
            var settlement = Settlement(job.id)
            settlement.dead = [DeadContent(job.content, reason: "bad-entry", why: job.flaw ?? "")]
            #expect(try await queue.settle([settlement], resultsKept: 0) == [.settled])
        }
    }

    @Test func `an attempt that nothing has counted is a flaw`() async throws {
        try await withQueue { queue, _, client in
            try await queue.prepare([.normal])
            let key = queue.address.key(.normal, 0)
            let attempts = ["9223372036854775807", "9223372036854775808", "1000001", "1000000", "0"]
            _ = try await client.send(attempts.map { RedisCommand("XADD", key, "*", "b", "{}", "a", $0) })
            let jobs = try await reserve(queue)
            #expect(jobs.map { $0.flaw?.contains("field a") } == [true, true, true, nil, nil])
            #expect(jobs.map(\.content.attempt) == [0, 0, 0, 1_000_000, 0])
        }
    }

    @Test func `jobs that are too large together come one by one`() async throws {
        try await withQueue { first, _, _ in
            try await first.prepare([.normal])
            for number in 0..<8 { try await enqueue(first, [String(repeating: "\(number)", count: 300_000)]) }
            var address = first.address
            address.server.replies.replyBytes = 1 << 20
            let queue = try RedisQueue(address)
            #expect(await code { try await reserve(queue) } == .tooLarge)
            #expect(try await queue.reclaim(except: [], as: consumer) == 8)
            var found: Set<JobID> = []
            for _ in 0..<8 { found.formUnion(try await reserve(queue).map(\.id)) }
            #expect(found.count == 8)
            await queue.close()
        }
    }

    @Test func `what is too large in one lane stops no other lane`() async throws {
        try await withQueue { first, _, _ in
            let lanes: [LaneName] = [.high, .normal, .bulk]
            try await first.prepare(lanes)
            func enqueue(_ lane: LaneName, _ byteCount: Int) async throws {
                let job = NewJob(JobContent(lane: lane, body: [UInt8](repeating: 0x78, count: byteCount)))
                _ = try await first.enqueue([job], options: EnqueueOptions())
            }
            // No reply can have the first one.
            try await enqueue(.high, 2 << 20)
            for _ in 0..<4 { try await enqueue(.normal, 300_000) }
            var address = first.address
            address.server.replies.replyBytes = 1 << 20
            let queue = try RedisQueue(address)
            var found: Set<JobID> = []
            for _ in 0..<20 {
                do throws(QueueError) {
                    let demands = lanes.map { LaneDemand($0, jobs: 10) }
                    found.formUnion(try await queue.reserve(demands, lease: .seconds(600), as: consumer).jobs.map(\.id))
                } catch {
                    #expect(error.code == .tooLarge)
                    _ = try await queue.reclaim(except: found, as: consumer)
                }
            }
            #expect(found.count == 4)
            await queue.close()
        }
    }

    @Test func `missing rights, a missing replica and an old server are errors`() async throws {
        try await withRedis { server in
            let admin = try RedisClient(RedisURL(server.url).configuration)
            _ = try await admin.send(
                RedisCommand("ACL", "SETUSER", "worker", "on", ">pass", "~*", "+@all", "-xreadgroup"))
            let queue = try RedisQueue(RedisQueueAddress(url: "redis://worker:pass@127.0.0.1:\(server.port)/0"))
            let error = await #expect(throws: QueueError.self) { try await queue.prepare([.normal]) }
            #expect(error?.code == .notAllowed && error?.isTemporary == false)
            #expect(error?.detail.contains("XREADGROUP on push:jobs:normal:0") == true)
            await queue.close()
            await admin.close()
        }
        #expect(await code { try RedisQueue.check(["redis_version": "5.0.14"]) } == .unsupportedServer)
        #expect(
            await code { try RedisQueue.check(["redis_version": "7.0", "redis_mode": "cluster"]) } == .unsupportedServer
        )
        #expect(await code { try RedisQueue.check(["redis_version": "6.2.0"]) } == nil)
        let sentinel = await detail { try RedisQueue.check(["redis_version": "7.0", "redis_mode": "sentinel"]) }
        #expect(sentinel.contains("add sentinel=NAME to the URL"))
        for url in ["redis://h/0?shards=0", "redis://h/0?wait=x", "redis://h/0?nosuch=1", "redis://h/0?prefix=a*"] {
            #expect(await code { try RedisQueueAddress(url: url) } == .badAddress)
        }
    }

    @Test func `with WAIT, a failover loses no job, and without a replica enqueue says so`() async throws {
        let master = try await RedisServer.started()
        let replica = try await RedisServer.started(["--replicaof", "127.0.0.1 \(master.port)"])
        let sentinel = try await RedisServer.started(
            [
                "sentinel monitor main 127.0.0.1 \(master.port) 1", "sentinel down-after-milliseconds main 60000",
                "sentinel failover-timeout main 2000",
            ], isSentinel: true)
        defer { for server in [master, replica, sentinel] { server.end() } }
        let watch = try RedisClient(RedisURL("redis://127.0.0.1:\(sentinel.port)/0").configuration)
        let queue = try RedisQueue(
            RedisQueueAddress(url: "redis://127.0.0.1:\(sentinel.port)/0?sentinel=main&wait=1"))
        // A busy machine may take longer than one attempt lasts.
        let isPrepared = await eventually { (try? await queue.prepare([.normal])) != nil }
        #expect(isPrepared)
        let isReady = await eventually {
            let found = try? await watch.send(RedisCommand("SENTINEL", "replicas", "main"))
            guard found?.array?.isEmpty == false else { return false }
            return (try? await enqueue(queue, ["first"])) != nil
        }
        #expect(isReady)
        for number in 0..<20 { try await enqueue(queue, ["job \(number)"]) }
        // Not before: a busy machine could take the master for dead.
        _ = try await watch.send(RedisCommand("SENTINEL", "SET", "main", "down-after-milliseconds", "300"))
        try await master.kill()
        var bodies: Set<String> = []
        let isBack = await eventually {
            guard let jobs = try? await reserve(queue) else { return false }
            bodies.formUnion(jobs.map { String(decoding: $0.content.body, as: UTF8.self) })
            return bodies.count == 21
        }
        #expect(isBack)
        // The new master has no replica.
        let error = await #expect(throws: QueueError.self) { try await enqueue(queue, ["alone"]) }
        #expect(error?.code == .notReady && error?.mayBeDone == true)
        await watch.close()
        await queue.close()
    }
}
