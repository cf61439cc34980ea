import APNSModel
import APNSProvider
import MemoryQueue
import PushQueue
import Testing

@testable import WorkerCore

/// A push that always fails by the connection or the credentials, while others get answers.
@Suite struct FailingPushTests {
    private static let bad = "ee01"

    /// A worker that has tried the bad push alone.
    private func started(
        _ settings: WorkerSettings = WorkerSettings(), _ outcome: APNSOutcome = .unreachable
    ) throws -> Bench {
        var bench = Bench(settings)
        try bench.enqueue([Bench.envelope(FailingPushTests.bad)])
        bench.finish(bench.send()) { _ in outcome }
        #expect(bench.send().isEmpty)
        return bench
    }

    /// Lets `wait` pass, sends a good push as the probe, and then the bad one.
    ///
    /// - Parameter answer: What the good one gets; nil accepts it.
    private func round(
        _ bench: inout Bench, _ token: String, _ outcome: APNSOutcome, after wait: Duration, answer: APNSOutcome? = nil
    ) throws {
        try bench.enqueue([Bench.envelope(token)])
        #expect(bench.send().isEmpty)
        bench.pass(wait)
        let probe = bench.send()
        #expect(probe.map(\.token) == [token])
        bench.finish(probe) { answer ?? $0.accepted }
        bench.pass(.seconds(1))
        let rest = bench.send()
        #expect(rest.map(\.token) == [FailingPushTests.bad])
        bench.finish(rest) { _ in outcome }
    }

    @Test(arguments: [APNSOutcome.unreachable, .refused(.invalidProviderToken)])
    func `the next probe is another push, also one that comes when the circuit is open`(_ outcome: APNSOutcome) throws {
        var bench = try started(WorkerSettings(), outcome)
        for number in 10..<20 { try bench.enqueue([Bench.envelope("ab\(number)")]) }
        #expect(bench.send().isEmpty)
        #expect(bench.status.backlog == 9, "one is enough for the probe")
        bench.pass(.seconds(37))
        let probe = bench.send()
        #expect(probe.map(\.token) == ["ab10"])
        bench.finish(probe) { $0.accepted }
        #expect(bench.send().count == 10)
    }

    @Test func `the third time it waits by the ladder as an attempt, and stops no other push`() throws {
        var bench = try started()
        try round(&bench, "ab01", .unreachable, after: .seconds(2))
        #expect(bench.core.breakers.map(\.isOpen) == [true])
        try round(&bench, "ab02", .unreachable, after: .seconds(2))
        #expect(bench.core.breakers.map(\.isOpen) == [false])
        bench.settle()
        #expect(bench.later.map(\.content.text) == [Bench.envelope(FailingPushTests.bad)])
        #expect(bench.later.map(\.content.attempt) == [1])
        #expect(bench.later.map(\.reason) == ["connection-failed"])
        let due = try #require(bench.later.first?.due)
        #expect(due >= bench.time + 30_000)
    }

    @Test func `refused credentials of one push pause its tenant twice, and not again`() throws {
        var bench = try started(WorkerSettings(), .refused(.invalidProviderToken))
        try round(&bench, "ab01", .refused(.invalidProviderToken), after: .seconds(37))
        #expect(bench.core.areAllPaused)
        try round(&bench, "ab02", .refused(.invalidProviderToken), after: .seconds(37))
        #expect(!bench.core.areAllPaused)
        bench.settle()
        #expect(bench.later.map(\.reason) == ["InvalidProviderToken"])
        #expect(bench.later.map(\.content.attempt) == [1])
    }

    @Test func `what is known of it comes back with it, and after the last attempt it is dead`() throws {
        var settings = WorkerSettings()
        settings.attempts = 2
        var bench = try started(settings)
        try round(&bench, "ab01", .unreachable, after: .seconds(2))
        try round(&bench, "ab02", .unreachable, after: .seconds(2))
        bench.settle()
        #expect(bench.later.map { JobContext($0.content.context).failures } == [3])
        bench.pass(.seconds(60))
        #expect(bench.queue.promote(limit: 10, at: bench.time) == 1)
        // Nothing was answered meanwhile: no attempt, and no breaker either.
        bench.finish(bench.send()) { _ in .unreachable }
        bench.settle()
        #expect(bench.core.breakers.map(\.isOpen) == [false])
        #expect(bench.later.map(\.content.attempt) == [1])
        bench.pass(.seconds(60))
        try bench.enqueue([Bench.envelope("ab03")])
        bench.finish(bench.send()) { $0.accepted }
        bench.pass(.seconds(1))
        #expect(bench.queue.promote(limit: 10, at: bench.time) == 1)
        bench.finish(bench.send()) { _ in .unreachable }
        bench.settle()
        #expect(bench.dead.map(\.reason) == ["connection-failed"])
        #expect(bench.dead.map(\.content.attempt) == [2])
        #expect(bench.core.breakers.map(\.isOpen) == [false])
    }

    @Test(arguments: [APNSOutcome.unreachable, .refused(.invalidProviderToken)])
    func `while nothing is answered, no failure counts`(_ outcome: APNSOutcome) throws {
        var bench = Bench()
        try bench.enqueue((10..<15).map { Bench.envelope("ab\($0)") })
        bench.finish(bench.send()) { _ in outcome }
        for _ in 0..<40 {
            bench.pass(.seconds(60))
            let jobs = bench.core.leasesToExtend(at: bench.now)
            bench.core.extended(jobs, lost: [], start: bench.now)
            bench.finish(bench.dispatch()) { _ in outcome }
        }
        bench.settle()
        #expect(bench.later.isEmpty && bench.dead.isEmpty)
        #expect(bench.core.waiting == 5)
    }

    @Test(arguments: [APNSOutcome.unreachable, .refused(.invalidProviderToken)])
    func `while the others get 503, no failure counts`(_ outcome: APNSOutcome) throws {
        var bench = try started(WorkerSettings(), outcome)
        for token in ["ab01", "ab02"] {
            try round(&bench, token, outcome, after: .seconds(37), answer: .refused(.serviceUnavailable))
        }
        bench.settle()
        #expect(bench.later.map(\.reason) == ["ServiceUnavailable", "ServiceUnavailable"])
        #expect(bench.core.waiting == 1)
    }

    @Test func `a probe that failed before leaves the next one to a new push, after the first wait`() throws {
        var bench = try started()
        for wait in [2, 3, 5] as [Int64] {
            bench.pass(.seconds(wait))
            bench.finish(bench.send()) { _ in .unreachable }
        }
        // It is tried again after 8 s.
        try bench.enqueue([Bench.envelope("ab01")])
        #expect(bench.send().isEmpty)
        bench.pass(.milliseconds(1250))
        #expect(bench.send().map(\.token) == ["ab01"])
    }

    @Test func `beside other tenants, a new push of the one that failed is the probe a second later`() throws {
        var bench = Bench(tenants: [Bench.tenant("acme"), Bench.tenant("beta")])
        try bench.enqueue([Bench.envelope(FailingPushTests.bad)], tenant: "acme")
        bench.finish(bench.send()) { _ in .unreachable }
        for wait in [3, 4, 6] as [Int64] {
            bench.pass(.seconds(wait))
            let probe = bench.send()
            #expect(probe.map(\.token) == [FailingPushTests.bad])
            bench.finish(probe) { _ in .unreachable }
        }
        // It is tried again after 9 s.
        try bench.enqueue([Bench.envelope("ab01")], tenant: "acme")
        bench.pass(.milliseconds(1250))
        #expect(bench.send().isEmpty)
        bench.pass(.seconds(1))
        #expect(bench.send().map(\.token) == ["ab01"])
    }

    @Test func `a new push of another lane is the probe before one that failed`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope(FailingPushTests.bad)], lane: .high)
        bench.finish(bench.send()) { _ in .unreachable }
        try bench.enqueue([Bench.envelope("ab01")], lane: .bulk)
        #expect(bench.send().isEmpty)
        bench.pass(.seconds(2))
        #expect(bench.send().map(\.token) == ["ab01"])
    }

    @Test func `of a paused tenant the push that failed comes back after the others`() throws {
        var settings = WorkerSettings()
        settings.inFlight = 1
        var bench = Bench(settings, tenants: [Bench.tenant("acme"), Bench.tenant("beta")])
        try bench.enqueue([Bench.envelope(FailingPushTests.bad)], tenant: "acme")
        try bench.enqueue([Bench.envelope("ab01")], tenant: "acme")
        let pushes = bench.send()
        #expect(pushes.map(\.token) == [FailingPushTests.bad])
        bench.finish(pushes) { _ in .refused(.invalidProviderToken) }
        bench.settle()
        #expect(bench.later.map(\.content.text) == ["ab01", FailingPushTests.bad].map { Bench.envelope($0) })
        let why = bench.later.map(\.why).joined(separator: "\n")
        #expect(why.contains("for the tenant acme now: InvalidProviderToken, APNs refused it with status 403"))
    }

    @Test func `an idle timeout opens no breaker: the push is sent again at once, then by the ladder`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope(FailingPushTests.bad)])
        bench.finish(bench.send()) { _ in .refused(.idleTimeout) }
        let again = bench.dispatch()
        #expect(again.map(\.token) == [FailingPushTests.bad])
        bench.finish(again) { _ in .refused(.idleTimeout) }
        #expect(bench.dispatch().isEmpty)
        #expect(bench.core.breakers.map(\.isOpen) == [false])
        bench.settle()
        #expect(bench.later.map(\.content.attempt) == [2])
    }
}
