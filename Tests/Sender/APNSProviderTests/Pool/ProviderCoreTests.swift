import APNSModel
import Testing

@testable import APNSProvider

struct ProviderCoreTests {
    typealias Core = ProviderCore
    typealias Bench = ProviderCoreBench

    @Test func `a connection is opened only when something waits`() {
        var bench = Bench()
        #expect(bench.plan().isEmpty)
        bench.submit(1)
        #expect(bench.plan() == [.open(connection: 0)])
        #expect(bench.plan().isEmpty)
    }

    @Test func `before the SETTINGS of the gateway, one stream is opened`() {
        var bench = Bench()
        for number in 1...3 { bench.submit(number) }
        _ = bench.plan()
        bench.core.opened(connection: 0, at: bench.now)
        #expect(bench.fill().map(\.number) == [1])
    }

    @Test func `the stream limit is followed up and down`() {
        var bench = Bench()
        for number in 1...10_000 { bench.submit(number) }
        bench.connect(streamLimit: 1)
        #expect(bench.fill().count == 1)
        bench.core.streamLimit(connection: 0, 1000)
        #expect(bench.fill().count == 999)
        bench.core.streamLimit(connection: 0, 1)
        for slot in 0..<999 {
            bench.answer(slot)
            #expect(bench.fill().isEmpty)
        }
        bench.answer(999)
        #expect(bench.fill().count == 1)
        bench.core.streamLimit(connection: 0, 1000)
        #expect(bench.fill().count == 999)
    }

    @Test func `a refused stream is sent again first, and counted as another attempt`() throws {
        var bench = Bench()
        for number in 1...3 { bench.submit(number) }
        bench.connect()
        bench.fill()
        bench.close(1, isRefused: true)
        #expect(bench.resolved.isEmpty)
        bench.answer(0)
        #expect(bench.fill().map(\.number) == [2])
        bench.answer(3)
        #expect(try #require(bench.resolved.last).submission.attempts == 2)
    }

    @Test func `a connection that refuses its only stream gets another one after a pause`() {
        var bench = Bench()
        bench.submit(1)
        bench.connect()
        bench.fill()
        bench.close(0, isRefused: true)
        #expect(bench.fill().isEmpty)
        bench.now = bench.now + .milliseconds(100)
        #expect(bench.fill().map(\.number) == [1])
    }

    @Test func `a stream that ends without an answer is unknown and not sent again`() {
        var bench = Bench()
        bench.submit(1)
        bench.connect()
        bench.fill()
        bench.close(0)
        #expect(bench.outcomes == [1: "unknown"])
        #expect(bench.fill().isEmpty)
    }

    @Test func `when a connection breaks, what was sent is unknown and the rest goes out again in order`() {
        var bench = Bench()
        for number in 1...6 { bench.submit(number) }
        bench.connect(streamLimit: 5)
        bench.fill()
        bench.core.head(connection: 0, slot: 0, ResponseHead(status: 410))
        bench.lose { slot in slot < 3 }
        #expect(bench.outcomes == [1: "refused", 2: "unknown", 3: "unknown"])
        bench.now = bench.now + .seconds(1)
        bench.connect()
        #expect(bench.fill().map(\.number) == [4, 5, 6])
    }

    @Test func `after a GOAWAY the old connection ends its streams and a new one takes the rest`() {
        var bench = Bench()
        for number in 1...4 { bench.submit(number) }
        bench.connect(streamLimit: 2)
        bench.fill()
        bench.goAway()
        #expect(bench.fill().isEmpty)
        bench.close(1, isRefused: true)  // above the last stream
        #expect(bench.plan() == [.open(connection: 1)])
        bench.core.opened(connection: 1, at: bench.now)
        bench.core.streamLimit(connection: 1, 10)
        #expect(bench.fill(1).map(\.number) == [2, 3, 4])
        bench.answer(0)
        #expect(bench.outcomes == [1: "accepted"])
        #expect(bench.plan() == [.close(connection: 0)])
    }

    @Test func `connections are added one at a time while something waits`() {
        var bench = Bench(connections: 3)
        for number in 1...100 { bench.submit(number) }
        #expect(bench.plan() == [.open(connection: 0)])
        #expect(bench.plan().isEmpty)
        bench.core.opened(connection: 0, at: bench.now)
        bench.core.streamLimit(connection: 0, 10)
        #expect(bench.plan().isEmpty)
        bench.answer(bench.fill(0)[0].slot)
        #expect(bench.plan() == [.open(connection: 1)])
        bench.core.opened(connection: 1, at: bench.now)
        bench.answer(bench.fill(1)[0].slot, connection: 1)
        bench.core.streamLimit(connection: 0, 1000)
        bench.fill(0)
        #expect(bench.plan().isEmpty)
    }

    @Test func `past its deadline, a queued submission is unsent and a written one unknown`() {
        var bench = Bench()
        bench.submit(1, timeout: .seconds(5))
        bench.submit(2, timeout: .seconds(5))
        bench.submit(3, timeout: .seconds(50))
        bench.connect(streamLimit: 1)
        bench.fill()
        bench.now = bench.now + .seconds(5)
        #expect(bench.expire() == [.reset(connection: 0, slot: 0)])
        #expect(bench.outcomes == [1: "unknown", 2: "unsent"])
        bench.answer(0)  // too late
        #expect(bench.outcomes.count == 2)
        #expect(bench.fill().map(\.number) == [3])
    }

    @Test func `a submission past its deadline is not written`() {
        var bench = Bench()
        bench.submit(1, timeout: .seconds(5))
        bench.connect()
        bench.now = bench.now + .seconds(6)
        #expect(bench.fill().isEmpty)
        #expect(bench.outcomes == [1: "unsent"])
    }

    @Test func `cancelling is safe in the queue, on a stream and after the outcome`() {
        var bench = Bench()
        for number in 1...3 { bench.submit(number) }
        bench.connect(streamLimit: 2)
        bench.fill()
        bench.answer(0)
        for number in 1...3 { bench.cancel(number) }
        #expect(bench.outcomes == [1: "accepted", 2: "unknown", 3: "unsent"])
        #expect(bench.actions == [.reset(connection: 0, slot: 1)])
    }

    @Test func `silence is followed by a PING, and silence after it by the end`() {
        var bench = Bench()
        bench.submit(1, timeout: .seconds(100))
        bench.connect()
        bench.fill()
        bench.now = bench.now + .seconds(14)
        #expect(bench.plan().isEmpty)
        bench.now = bench.now + .seconds(1)
        #expect(bench.plan() == [.ping(connection: 0)])
        #expect(bench.plan().isEmpty)
        bench.now = bench.now + .seconds(9)
        bench.core.heard(connection: 0, at: bench.now)
        bench.now = bench.now + .seconds(15)
        #expect(bench.plan() == [.ping(connection: 0)])
        bench.now = bench.now + .seconds(10)
        #expect(bench.plan() == [.abort(connection: 0)])
    }

    @Test func `closing makes the queue unsent and lets in-flight requests end`() {
        var bench = Bench()
        for number in 1...2 { bench.submit(number) }
        bench.connect(streamLimit: 1)
        bench.fill()
        bench.resolved += bench.core.close()
        #expect(bench.outcomes == [2: "unsent"])
        #expect(bench.plan().isEmpty)
        bench.answer(0)
        #expect(bench.outcomes == [1: "accepted", 2: "unsent"])
        #expect(bench.plan() == [.close(connection: 0)])
    }

    @Test func `the error of a deadline says what was missing`() {
        func detail(_ prepare: (inout Bench) -> Void) -> String? {
            var bench = Bench()
            bench.submit(1, timeout: .seconds(5))
            prepare(&bench)
            bench.now = bench.now + .seconds(5)
            _ = bench.expire()
            return bench.errors[1]?.detail
        }
        #expect(detail { _ in } == "the deadline passed before a connection was open")
        #expect(detail { _ = $0.plan() } == "the deadline passed before a connection was open")
        #expect(
            detail {
                _ = $0.plan()
                $0.lose()
            } == "the deadline passed before a connection was open: connection reset")
        #expect(detail { $0.connect() } == "the deadline passed before a stream was free")
    }

    @Test func `the write result decides what becomes of each submission`() {
        var bench = Bench()
        for number in 1...4 { bench.submit(number) }
        bench.connect()
        let error = APNSSendError(.signingFailed, "no key", isSafeToRetry: true)
        var results: [Core.WriteResult] = [.stream(0), .failed(error), .full]
        bench.core.fill(0, atMost: .max, at: bench.now, tokenNumber: 7, resolved: &bench.resolved) { _ in
            results.removeFirst()
        }
        #expect(bench.errors == [2: error])
        #expect(bench.core.queued == 2 && bench.core.underWay == 1)
        #expect(bench.plan() == [.open(connection: 1)])  // the full connection is drained
        bench.core.opened(connection: 1, at: bench.now)
        #expect(bench.fill(1).map(\.number) == [3])
    }

    @Test func `no more than asked for is written`() {
        var bench = Bench()
        for number in 1...4 { bench.submit(number) }
        bench.connect()
        var written = 0
        bench.core.fill(0, atMost: 2, at: bench.now, tokenNumber: 0, resolved: &bench.resolved) { _ in
            written += 1
            return .stream(written)
        }
        #expect(written == 2 && bench.core.queued == 2)
    }

    @Test(arguments: [(403, 7), (200, nil), (410, nil)])
    func `only an answer of status 403 may have refused the provider token`(status: Int, token: Int?) {
        var bench = Bench()
        bench.submit(1)
        bench.connect()
        bench.core.fill(0, atMost: 1, at: bench.now, tokenNumber: 7, resolved: &bench.resolved) { _ in .stream(0) }
        bench.answer(0, status: status)
        #expect(bench.resolved.map(\.refusedToken) == [token])
    }

    @Test func `available connections are those with the fewest streams first`() {
        var bench = Bench(connections: 3)
        for number in 1...10 { bench.submit(number) }
        for connection in 0..<3 {
            bench.connect(streamLimit: 4)
            // Longer than the next connection waits, because none has answered.
            bench.now = bench.now + .seconds(5)
            if connection < 2 {
                bench.core.fill(
                    connection, atMost: 3 - connection, at: bench.now, tokenNumber: 0, resolved: &bench.resolved
                ) { submission in .stream(submission.number) }
            }
        }
        #expect(bench.core.availableConnections(at: bench.now) == [2, 1, 0])
        bench.goAway(2, reason: nil)
        #expect(bench.core.availableConnections(at: bench.now) == [1, 0])
    }

    @Test func `without connections and submissions the core is idle`() {
        var bench = Bench()
        #expect(bench.core.isIdle)
        bench.submit(1)
        #expect(!bench.core.isIdle)
        bench.connect()
        bench.answer(bench.fill()[0].slot)
        #expect(!bench.core.isIdle)
        bench.lose()
        #expect(bench.core.isIdle)
    }
}
