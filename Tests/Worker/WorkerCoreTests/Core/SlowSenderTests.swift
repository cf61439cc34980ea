import APNSModel
import APNSProvider
import PushQueue
import Testing

@testable import WorkerCore

/// A gateway that is slow, and answers.
@Suite struct SlowSenderTests {
    @Test func `pushes of a slow gateway wait in the worker, where no time runs, and none is late`() throws {
        var settings = WorkerSettings()
        settings.lease = .seconds(3600)
        var bench = Bench(settings)
        for _ in 0..<20 { try bench.enqueue((0..<100).map { Bench.envelope("ab\(10 + $0 % 90)") }) }
        var sender = SlowSender(streams: 20, latency: .seconds(1))
        for _ in 0..<1200 {
            sender.post(bench.send(), at: bench.now)
            bench.pass(.milliseconds(100))
            for (push, outcome, duration) in sender.outcomes(at: bench.now) {
                bench.finish(push, outcome, after: duration)
            }
            bench.settle()
        }
        #expect(bench.core.counts.total(of: "accepted") == 2000, "in 120 s: no stream was idle")
        #expect(bench.core.counts.total(of: "unsent") == 0)
        #expect(bench.core.counts.total(of: "unknown") == 0, "they would be sent twice")
        #expect(bench.core.takeEvents().isEmpty)
    }

    @Test func `where the time is short, a few pushes are late and no others after them`() throws {
        var settings = WorkerSettings()
        settings.lease = .seconds(3600)
        settings.timeout = .seconds(3)
        var bench = Bench(settings)
        for _ in 0..<20 { try bench.enqueue((0..<100).map { Bench.envelope("ab\(10 + $0 % 90)") }) }
        var sender = SlowSender(streams: 20, latency: .seconds(1))
        sender.timeout = .seconds(3)
        for _ in 0..<300 {
            sender.post(bench.send(), at: bench.now)
            bench.pass(.milliseconds(100))
            for (push, outcome, duration) in sender.outcomes(at: bench.now) {
                bench.finish(push, outcome, after: duration)
            }
            bench.settle()
        }
        let late = bench.core.counts.total(of: "unsent") + bench.core.counts.total(of: "unknown")
        #expect(late <= 100, "\(late): no more than were sent before the first answer")
        let before = bench.core.counts.total(of: "accepted")
        #expect(before > 500, "\(before) in 30 s")
    }

    @Test func `a push that waited in vain for a stream opens no breaker while others got answers`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02")])
        let pushes = bench.send()
        bench.pass(.seconds(29))
        bench.finish(pushes[0], pushes[0].accepted, after: .seconds(29))
        bench.pass(.seconds(1))
        bench.finish(pushes[1], .waitedInVain, after: .seconds(30))
        #expect(bench.core.breakers.map(\.isOpen) == [false])
        let again = bench.dispatch()
        #expect(again.map(\.token) == ["ab02"])
        // No answer came since it was sent again.
        bench.pass(.seconds(30))
        bench.finish(again[0], .waitedInVain, after: .seconds(30))
        #expect(bench.core.breakers.map(\.isOpen) == [true])
        #expect(bench.core.counts.total(of: "unsent") == 2)
    }

    @Test func `a probe that waited in vain for a stream leaves the breaker to the next one`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01"), Bench.envelope("ab02"), Bench.envelope("ab03")])
        let pushes = bench.send()
        bench.finish(pushes[0], .unreachable)
        bench.pass(.seconds(2))
        let probe = bench.dispatch()
        #expect(probe.map(\.token) == ["ab01"])
        bench.pass(.seconds(10))
        bench.finish(pushes[1], pushes[1].accepted, after: .seconds(12))
        bench.pass(.seconds(20))
        bench.finish(probe[0], .waitedInVain, after: .seconds(30))
        #expect(bench.core.breakers.map(\.isOpen) == [true])
        bench.pass(.seconds(1))
        let next = bench.dispatch()
        #expect(next.count == 1, "after the first wait, and not a longer one")
        bench.finish(next) { $0.accepted }
        #expect(bench.core.breakers.map(\.isOpen) == [false])
    }
}
