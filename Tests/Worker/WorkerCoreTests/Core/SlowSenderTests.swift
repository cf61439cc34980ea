import APNSModel
import APNSProvider
import PushQueue
import Testing

@testable import WorkerCore

/// A gateway that is slow, and answers.
@Suite struct SlowSenderTests {
    @Test(arguments: [Duration.seconds(30), .seconds(3)])
    func `after the first pushes that are late, those of a slow gateway wait in the worker, where no time runs`(
        timeout: Duration
    ) throws {
        var settings = WorkerSettings()
        settings.lease = .seconds(3600)
        settings.timeout = timeout
        var bench = Bench(settings)
        for _ in 0..<40 { try bench.enqueue((0..<100).map { Bench.envelope("ab\(10 + $0 % 90)") }) }
        var sender = SlowSender(streams: 20, latency: .seconds(1))
        sender.timeout = timeout
        func run(tenths: Int) {
            for _ in 0..<tenths {
                sender.post(bench.send(), at: bench.now)
                bench.pass(.milliseconds(100))
                for (push, outcome, duration) in sender.outcomes(at: bench.now) {
                    bench.finish(push, outcome, after: duration)
                }
                bench.settle()
            }
        }
        func late() -> Int { bench.core.counts.total(of: "unsent") + bench.core.counts.total(of: "unknown") }

        run(tenths: 350)
        let first = late()
        #expect(first <= settings.inFlight + 100, "what the sender took before one was late")
        run(tenths: 1200)
        #expect(late() <= first + 20, "one in a while, as it finds out how many the gateway answers")
        let accepted = bench.core.counts.total(of: "accepted")
        #expect(accepted > 155 * 20 * 85 / 100, "\(accepted): few streams were idle")
        #expect(bench.core.takeEvents(at: bench.now).isEmpty, "no breaker")
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

    @Test func `a push that waits in vain for a stream again and again is not at fault`() throws {
        var bench = Bench()
        try bench.enqueue([Bench.envelope("ab01")])
        var late = bench.send()
        for number in 10..<14 {
            bench.pass(.seconds(1))
            try bench.enqueue([Bench.envelope("ab\(number)")])
            bench.finish(bench.send()) { $0.accepted }
            bench.pass(.seconds(29))
            let jobs = bench.core.leasesToExtend(at: bench.now)
            bench.core.extended(jobs, lost: [], start: bench.now)
            bench.finish(late[0], .waitedInVain, after: .seconds(30), attempts: 0)
            late = bench.dispatch()
            try #require(late.map(\.token) == ["ab01"])
        }
        bench.settle()
        #expect(bench.later.isEmpty)
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
