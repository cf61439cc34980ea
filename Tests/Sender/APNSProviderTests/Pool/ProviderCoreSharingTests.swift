import APNSModel
import Testing

@testable import APNSProvider

/// What one event loop gives another one to write.
struct ProviderCoreSharingTests {
    typealias Bench = ProviderCoreTests.Bench

    @Test func `spare streams are those beyond what is queued`() {
        var bench = Bench()
        #expect(bench.core.spareStreams(at: bench.now) == 0)
        bench.submit(1)
        bench.connect(streamLimit: 10)
        #expect(bench.core.spareStreams(at: bench.now) == 9)
        bench.fill()
        #expect(bench.core.spareStreams(at: bench.now) == 9)
        for number in 2...20 { bench.submit(number) }
        #expect(bench.core.spareStreams(at: bench.now) == 0)
    }

    @Test func `there is a surplus where no stream is free`() {
        var bench = Bench()
        for number in 1...20 { bench.submit(number) }
        #expect(bench.core.surplus(at: bench.now) == 20)
        bench.connect(streamLimit: 5)
        #expect(bench.core.surplus(at: bench.now) == 0)
        bench.fill()
        #expect(bench.core.surplus(at: bench.now) == 15)
        bench.resolved += bench.core.close()
        #expect(bench.core.surplus(at: bench.now) == 0)
    }

    @Test func `the first are given away, and their deadlines are no longer watched here`() {
        var bench = Bench()
        for number in 1...4 { bench.submit(number, timeout: .seconds(5)) }
        #expect(bench.core.giveAway(2).map(\.number) == [1, 2])
        bench.now = bench.now + .seconds(6)
        _ = bench.expire()
        #expect(bench.outcomes.keys.sorted() == [3, 4])
        #expect(bench.core.giveAway(2).isEmpty)
    }

    @Test func `who gives everything away still gets a connection, by one attempt`() {
        var bench = Bench()
        bench.submit(1)
        _ = bench.plan()
        bench.lose()
        #expect(bench.core.giveAway(1).count == 1)
        #expect(!bench.core.isIdle)
        #expect(bench.plan().isEmpty)  // not before the end of the wait
        bench.now = bench.now + .seconds(1)
        #expect(bench.plan() == [.open(connection: 0)])
        bench.lose()
        bench.now = bench.now + .seconds(60)
        #expect(bench.plan().isEmpty && bench.core.isIdle)
    }

    @Test func `no notification is unsent while another event loop has a connection that serves`() {
        var benches = Bench.loops(2, first: .milliseconds(250))
        var sent = 0
        for tick in 0..<6000 {
            for loop in benches.indices {
                benches[loop].now = .zero + .milliseconds(tick * 20)
                sent += 1
                benches[loop].submit(sent, timeout: .seconds(5))
                for case .open(let connection) in benches[loop].plan() {
                    // The second loop resolves the name to an address where nobody answers.
                    if loop == 1 {
                        benches[1].lose(connection)
                    } else {
                        benches[0].core.opened(connection: connection, at: benches[0].now)
                        benches[0].core.streamLimit(connection: connection, 1000)
                    }
                }
            }
            let given = benches[1].core.giveAway(
                min(benches[1].core.surplus(at: benches[1].now), benches[0].core.spareStreams(at: benches[0].now)))
            for submission in given { benches[0].core.submit(submission) }
            benches[0].core.heard(connection: 0, at: benches[0].now)
            for (_, slot) in benches[0].fill() { benches[0].answer(slot) }
            for loop in benches.indices { _ = benches[loop].expire() }
        }
        #expect(benches[1].outcomes.isEmpty)
        #expect(benches[0].outcomes.count == sent && benches[0].outcomes.values.allSatisfy { $0 == "accepted" })
    }
}
