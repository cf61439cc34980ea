import APNSModel
import APNSPayload
import APNSProvider
import MemoryQueue
import PushQueue
import Testing

@testable import WorkerCore

/// What is reserved, held and sent, and in which order.
@Suite struct WindowTests {
    @Test func `the window bounds what is held, with jobs of one line and of a hundred`() throws {
        for lines in [1, 100] {
            var settings = WorkerSettings()
            settings.window = 1000
            var bench = Bench(settings)
            for _ in 0..<(20_000 / lines) { try bench.enqueue((0..<lines).map { Bench.envelope("ab\(10 + $0 % 90)") }) }
            for _ in 0..<200 where bench.reserve() == 0 { break }
            #expect(bench.core.waiting >= 900)
            #expect(bench.core.waiting <= 1000 + 100 * 20, "\(lines)")
            #expect(bench.core.demands(at: bench.now).allSatisfy { $0.lane == .high })
        }
    }

    @Test func `a job that comes twice in one answer is taken once, and the one behind it whole`() throws {
        var bench = Bench()
        let jobs = [("1", ["ab01", "ab02"]), ("1", ["ab01", "ab02"]), ("2", ["ab03"])].map { entry, tokens in
            let body = tokens.map { Bench.envelope($0) }.joined(separator: "\n")
            return Job(
                id: JobID(stream: "s", entry: entry), content: JobContent(lane: .normal, body: Array(body.utf8)),
                enqueuedAt: bench.time)
        }
        bench.core.reserved(
            Reservation(jobs: jobs, time: bench.time), asked: [LaneDemand(.normal, jobs: 3)], at: bench.now)
        var reader = JobReader(defaults: EnvelopeDefaults(topic: Bench.topic, pushType: .alert), validates: true)
        bench.core.take(jobs, with: &reader, at: bench.now)
        #expect(bench.dispatch().map(\.token) == ["ab01", "ab02", "ab03"])
        #expect(bench.core.heldJobs == 2)
    }

    @Test func `what is with a sender is bounded, and a tenth of it is kept for the first lane`() throws {
        var settings = WorkerSettings()
        settings.inFlight = 100
        var bench = Bench(settings)
        try bench.enqueue((0..<100).map { Bench.envelope("ab\(10 + $0 % 90)") }, lane: .bulk)
        try bench.enqueue((0..<100).map { Bench.envelope("ab\(10 + $0 % 90)") }, lane: .bulk)
        #expect(bench.send().count == 90)
        try bench.enqueue((0..<50).map { Bench.envelope("cd\(10 + $0)") }, lane: .high)
        let urgent = bench.send()
        #expect(urgent.count == 10)
        #expect(urgent.allSatisfy { $0.token.hasPrefix("cd") })
    }

    @Test func `lanes are sent by weight`() throws {
        var settings = WorkerSettings()
        settings.inFlight = 100_000
        settings.window = 30_000
        var bench = Bench(settings)
        for _ in 0..<60 {
            try bench.enqueue((0..<100).map { _ in Bench.envelope("aa") }, lane: .high)
            try bench.enqueue((0..<100).map { _ in Bench.envelope("bb") }, lane: .normal)
            try bench.enqueue((0..<100).map { _ in Bench.envelope("cc") }, lane: .bulk)
        }
        for _ in 0..<50 { bench.reserve() }
        let firsts = bench.dispatch().prefix(64 * 24).map(\.token)
        let counts = ["aa", "bb", "cc"].map { token in firsts.count { $0 == token } }
        #expect(counts == [64 * 16, 64 * 6, 64 * 2])
    }

    @Test func `the newer of two waiting pushes with the same collapse id is sent`() throws {
        var bench = Bench()
        let id = #","apns-collapse-id":"score""#
        try bench.enqueue([Bench.envelope("ab01", id), Bench.envelope("ab02", id)])
        bench.pass(.seconds(1))
        try bench.enqueue([Bench.envelope("ab01", id)])
        let pushes = bench.send()
        #expect(pushes.map(\.token).sorted() == ["ab01", "ab02"])
        bench.finish(pushes) { $0.accepted }
        #expect(bench.settle() == [.settled, .settled])
        #expect(bench.core.counts.total(of: "superseded") == 1)
        #expect(bench.core.waiting == 0)
        // One that was sent already is superseded by nothing.
        try bench.enqueue([Bench.envelope("ab01", id)])
        #expect(bench.send().count == 1)
    }

    @Test func `a push that is too late replaces none`() throws {
        var bench = Bench()
        let id = #","apns-collapse-id":"score""#
        try bench.enqueue([
            Bench.envelope("ab01", id), Bench.envelope("ab01", id + #","apns-expiration":\#(bench.time / 1000 - 1)"#),
        ])
        let pushes = bench.send()
        #expect(pushes.map(\.notification.expiration) == [nil])
        #expect(bench.core.counts.total(of: "expired") == 1)
        #expect(bench.core.counts.total(of: "superseded") == 0)
        bench.finish(pushes) { $0.accepted }
        #expect(bench.settle() == [.settled])
    }

    @Test func `a job that comes back does not replace a newer one`() throws {
        var bench = Bench()
        let id = #","apns-collapse-id":"score""#
        let old = JobContent(
            lane: .normal, attempt: 1, body: Array(Bench.envelope("ab01", id).utf8),
            context: JobContext(ids: [], first: bench.time - 60_000).text)
        try bench.enqueue([Bench.envelope("ab01", id + #","apns-priority":5"#)])
        _ = try bench.queue.enqueue([NewJob(old)], options: EnqueueOptions(), at: bench.time)
        let pushes = bench.send()
        #expect(pushes.map(\.notification.priority) == [.powerConsiderate])
    }

    @Test func `collapse ids of pushes that left for later are forgotten`() throws {
        var settings = WorkerSettings()
        settings.inFlight = 1
        var bench = Bench(settings, tenants: [Bench.tenant("acme"), Bench.tenant("beta")])
        try bench.enqueue(
            (10..<13).map { Bench.envelope("ab\($0)", #","apns-collapse-id":"score""#) }, tenant: "acme")
        let pushes = bench.send()
        #expect(pushes.count == 1 && bench.core.newest.count == 2)
        bench.finish(pushes) { _ in .refused(.invalidProviderToken) }
        #expect(bench.core.waiting == 0)
        #expect(bench.core.newest.isEmpty)
    }

    @Test func `without collapsing each is sent`() throws {
        var settings = WorkerSettings()
        settings.collapses = false
        var bench = Bench(settings)
        let line = Bench.envelope("ab01", #","apns-collapse-id":"score""#)
        try bench.enqueue([line, line])
        #expect(bench.send().count == 2)
    }

    @Test func `what is expired or too old is not sent`() throws {
        var settings = WorkerSettings()
        settings.maximumAge = .seconds(600)
        var bench = Bench(settings)
        let soon = bench.time / 1000 + 10
        try bench.enqueue([
            Bench.envelope("ab01", #","apns-expiration":\#(soon)"#), Bench.envelope("ab02", #","apns-expiration":0"#),
            Bench.envelope("ab03"),
        ])
        bench.pass(.seconds(11))
        let pushes = bench.send()
        #expect(pushes.map(\.token) == ["ab02", "ab03"])
        #expect(bench.core.counts.total(of: "expired") == 1)
        bench.finish(pushes) { $0.accepted }
        try bench.enqueue([Bench.envelope("ab04")])
        bench.pass(.seconds(601))
        #expect(bench.send().isEmpty)
        #expect(bench.core.counts.total(of: "expired") == 2)
        #expect(bench.settle().count == 2)
    }

    @Test func `the age of a dead job that is retried counts from then on, also where it comes back`() throws {
        var settings = WorkerSettings()
        settings.maximumAge = .seconds(600)
        var bench = Bench(settings)
        try bench.enqueue([Bench.envelope("ab01")])
        bench.finish(bench.send()) { _ in .refused(.payloadTooLarge) }
        bench.settle()
        bench.pass(.seconds(601))
        #expect(bench.queue.retry(.dead, bench.dead.map(\.id), at: bench.time) == 1)
        bench.finish(bench.send()) { _ in .refused(.serviceUnavailable) }
        bench.settle()
        bench.pass(.seconds(300))
        #expect(bench.queue.promote(limit: 10, at: bench.time) == 1)
        bench.finish(bench.send()) { _ in .refused(.serviceUnavailable) }
        bench.settle()
        #expect(bench.core.counts.total(of: "expired") == 0)
        bench.pass(.seconds(301))
        #expect(bench.queue.promote(limit: 10, at: bench.time) == 1)
        #expect(bench.send().isEmpty)
        #expect(bench.core.counts.total(of: "expired") == 1)
    }

    @Test func `a dead job that is retried does not replace a newer one`() throws {
        var bench = Bench()
        let id = #","apns-collapse-id":"score""#
        try bench.enqueue([Bench.envelope("ab01", id)])
        bench.finish(bench.send()) { _ in .refused(.payloadTooLarge) }
        bench.settle()
        bench.pass(.seconds(1))
        try bench.enqueue([Bench.envelope("ab01", id + #","apns-priority":5"#)])
        bench.pass(.seconds(1))
        #expect(bench.queue.retry(.dead, bench.dead.map(\.id), at: bench.time) == 1)
        #expect(bench.send().map(\.notification.priority) == [.powerConsiderate])
    }

    @Test func `a time beyond all that can be counted does not come`() throws {
        var settings = WorkerSettings()
        settings.maximumAge = .seconds(600)
        var bench = Bench(settings)
        for seconds in [Int64.max, 9_300_000_000_000_000] {
            try bench.enqueue([Bench.envelope("ab01", #","apns-expiration":\#(seconds)"#)])
        }
        let content = JobContent(
            lane: .normal, body: Array(Bench.envelope("ab02").utf8), context: JobContext(first: .max).text)
        _ = try bench.queue.enqueue([NewJob(content)], options: EnqueueOptions(), at: bench.time)
        let pushes = bench.send()
        #expect(pushes.count == 3)
        bench.finish(pushes) { _ in .lost }
        #expect(bench.dispatch().count == 3, "each is sent again")
        #expect(bench.core.counts.total(of: "expired") == 0)
    }

    @Test func `of short jobs more are reserved together, and of long ones as many as have 8 MB`() throws {
        func demand(_ line: String) throws -> Int? {
            var bench = Bench()
            for _ in 0..<1000 { try bench.enqueue([line]) }
            for _ in 0..<3 { bench.reserve() }
            for push in bench.dispatch() { bench.finish(push, push.accepted) }
            return bench.core.demands(at: bench.now).first { $0.lane == .normal }?.jobs
        }
        #expect(try demand(Bench.envelope("ab01")) == WorkerSettings.maximumJobs)
        // The last jobs were few and short, and the next ones may be long.
        var bench = Bench()
        for _ in 0..<20 { try bench.enqueue([Bench.envelope("ab01")]) }
        bench.finish(bench.send()) { $0.accepted }
        #expect(bench.core.demands(at: bench.now).map(\.jobs).max() == WorkerSettings.carefulJobs)
        let long = Bench.envelope("ab01", #","note":"\#(String(repeating: "x", count: 1 << 18))""#)
        #expect(try (30...33).contains(demand(long) ?? 0))
    }

    @Test func `a limit of all holds, and only two seconds of it are reserved`() throws {
        var settings = WorkerSettings()
        settings.rate = 100
        var bench = Bench(settings)
        for _ in 0..<1000 { try bench.enqueue([Bench.envelope("ab01")]) }
        for _ in 0..<100 { bench.reserve() }
        #expect(bench.core.waiting <= 200)
        var sent = 0
        for _ in 0..<300 {
            let demands = bench.core.rateDemands(at: bench.now)
            if !demands.isEmpty {
                bench.core.granted(demands, bench.queue.take(demands, at: bench.time), at: bench.now)
            }
            let pushes = bench.send()
            sent += pushes.count
            bench.finish(pushes) { $0.accepted }
            bench.pass(.milliseconds(10))
        }
        #expect((300...400).contains(sent), "three seconds, and the bucket was full at the start: \(sent)")
    }

    @Test func `where every tenant is paused, nothing is reserved until one may try`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme"), Bench.tenant("beta")])
        for name in ["acme", "beta"] { try bench.enqueue([Bench.envelope("ab01")], tenant: name) }
        bench.finish(bench.send()) { _ in .refused(.invalidProviderToken) }
        bench.settle()
        for _ in 0..<10 { try bench.enqueue([Bench.envelope("ab02")], tenant: "acme") }
        #expect(bench.send().isEmpty)
        #expect(bench.status.backlog == 10)
        #expect(bench.later.count == 2)
        bench.pass(.seconds(37))
        #expect(bench.send().count == 1)
    }

    /// A small window with 300 jobs of acme, as many as fit, before one of beta.
    private func crowded() throws -> (bench: Bench, sent: [OutgoingPush]) {
        var settings = WorkerSettings()
        settings.window = 100
        settings.inFlight = 20
        var bench = Bench(settings, tenants: [Bench.tenant("acme"), Bench.tenant("beta")])
        for _ in 0..<300 { try bench.enqueue([Bench.envelope("ab01")], tenant: "acme") }
        let sent = bench.send()
        try bench.enqueue([Bench.envelope("ab02")], tenant: "beta")
        return (bench, sent)
    }

    @Test func `a tenant without answers holds half of the window, and others get into the rest`() throws {
        let start = try crowded()
        var bench = start.bench
        #expect(start.sent.count == 18 && bench.core.waiting > 70)
        #expect(bench.send().isEmpty, "the window is full")
        bench.pass(.seconds(3))
        #expect(bench.send().isEmpty, "what waited goes back to the engine")
        bench.settle()
        #expect(bench.send().map(\.token) == ["ab02"])
        #expect(bench.core.inFlight == 19 && bench.core.waiting <= 51)
        bench.settle()
        #expect(bench.later.count > 200)
        #expect(bench.later.allSatisfy { $0.content.attempt == 0 && ($0.due ?? 0) > bench.time + 5_000 })
        bench.finish(start.sent) { $0.accepted }
        #expect(bench.dispatch().count == 18)
    }

    @Test func `a tenant that keeps its host closed leaves half of the window to others, which try the host`() throws {
        let start = try crowded()
        var bench = start.bench
        bench.finish(start.sent) { _ in .unreachable }
        bench.pass(.milliseconds(1250))
        #expect(bench.send().isEmpty)
        bench.settle()
        #expect(bench.send().map(\.token) == ["ab02"])
    }

    @Test func `a tenant that sends fast may fill the window`() throws {
        var (bench, sent) = try crowded()
        var total = 0
        for _ in 0..<60 {
            total += sent.count
            bench.pass(.milliseconds(100))
            bench.finish(sent) { $0.accepted }
            bench.settle()
            sent = bench.send()
        }
        #expect(total == 301)
        #expect(bench.later.isEmpty)
    }

    @Test func `an engine that settles nothing ends the reserving until it does`() throws {
        var settings = WorkerSettings()
        settings.window = 100
        var bench = Bench(settings)
        for _ in 0..<1000 { try bench.enqueue([Bench.envelope("ab01")]) }
        for _ in 0..<100 { bench.finish(bench.send()) { $0.accepted } }
        #expect((400..<600).contains(bench.core.counts.total(of: "accepted")))
        for _ in 0..<100 {
            bench.settle()
            bench.finish(bench.send()) { $0.accepted }
        }
        #expect(bench.core.counts.total(of: "accepted") == 1000)
    }

    @Test func `an unknown tenant and a poisoned job are dead letters`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme")])
        try bench.enqueue([Bench.envelope("ab01")], tenant: "other")
        try bench.enqueue([Bench.envelope("ab01")])
        #expect(bench.send().isEmpty)
        bench.settle()
        #expect(bench.dead.map(\.reason) == ["unknown-tenant", "unknown-tenant"])
        try bench.enqueue([Bench.envelope("ab02")], tenant: "acme")
        let other = try #require(ConsumerName("b"))
        for _ in 0..<25 {
            _ = bench.queue.reserve([LaneDemand(.normal, jobs: 1)], lease: .zero, as: other, at: bench.time)
        }
        #expect(bench.send().isEmpty)
        bench.settle()
        #expect(bench.dead.last?.reason == "never-settled")
    }
}
