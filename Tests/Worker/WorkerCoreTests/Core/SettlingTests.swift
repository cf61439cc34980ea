import APNSModel
import APNSProvider
import MemoryQueue
import PushQueue
import Testing

@testable import WorkerCore

/// How settlements go to an engine that cannot take all of them.
@Suite struct SettlingTests {
    @Test func `a settlement that the engine refuses does not keep the others from it`() throws {
        var bench = Bench()
        for number in 1...4 { try bench.enqueue([Bench.envelope("ab0\(number)")]) }
        bench.finish(bench.send()) { $0.token == "ab02" ? .refused(.payloadTooLarge) : $0.accepted }
        #expect(bench.core.takeSettlements(10, at: bench.now).map(\.dead.count) == [0, 1, 0, 0])
        bench.core.settlingFailed(isRefused: true)
        #expect(!bench.core.hasRefused)

        #expect(bench.core.takeSettlements(10, at: bench.now).map(\.dead.count) == [0])
        bench.core.settled([.settled])
        #expect(bench.core.takeSettlements(10, at: bench.now).map(\.dead.count) == [1])
        bench.core.settlingFailed(isRefused: true)
        #expect(bench.core.hasRefused)

        #expect(bench.core.takeSettlements(10, at: bench.now).map(\.dead.count) == [0, 0])
        bench.core.settled([.settled, .settled])
        #expect(bench.core.takeSettlements(10, at: bench.now).map(\.dead.count) == [1])
        bench.core.settled([.settled])
        #expect(bench.core.isIdle && !bench.core.hasRefused)
        #expect(bench.core.counts.settledJobs == 4)
    }

    @Test func `after a refusal they go together again`() throws {
        var bench = Bench()
        for number in 1...6 { try bench.enqueue([Bench.envelope("ab0\(number)")]) }
        bench.finish(bench.send()) { _ in .refused(.payloadTooLarge) }
        #expect(bench.core.takeSettlements(2, at: bench.now).count == 2)
        bench.core.settlingFailed(isRefused: true)
        for _ in 0..<2 {
            #expect(bench.core.takeSettlements(2, at: bench.now).count == 1)
            bench.core.settled([.settled])
        }
        #expect(bench.core.takeSettlements(10, at: bench.now).count == 4)
    }

    @Test func `one call has no more bytes than an engine takes`() throws {
        var bench = Bench()
        let line = String(repeating: "x", count: 900_000)
        for _ in 0..<20 { try bench.enqueue([line]) }
        #expect(bench.send().isEmpty)
        var sizes: [Int] = []
        while bench.core.hasEnded {
            let settlements = bench.core.takeSettlements(100, at: bench.now)
            sizes.append(settlements.count)
            bench.core.settled(settlements.map { _ in .settled })
        }
        #expect(sizes == [9, 9, 2])
    }
}
