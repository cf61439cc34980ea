import PushQueue
import Synchronization
import Testing

@testable import apns

@Suite struct KeptStatusTests {
    /// A clock that stands, and an engine whose answers take some time of it.
    private final class Engine: Sendable {
        private struct State {
            var now = ContinuousClock.now
            var queries = 0
        }

        private let state = Mutex(State())
        let takes: Duration
        let isUp: Bool

        init(takes: Duration, isUp: Bool = true) {
            self.takes = takes
            self.isUp = isUp
        }

        var queries: Int { state.withLock { $0.queries } }

        func pass(_ time: Duration) { state.withLock { $0.now += time } }

        func kept() -> KeptStatus {
            KeptStatus(
                now: { [self] in state.withLock { $0.now } },
                read: { [self] in
                    let number = state.withLock { state in
                        state.now += takes
                        state.queries += 1
                        return state.queries
                    }
                    // Others ask meanwhile.
                    for _ in 0..<100 { await Task.yield() }
                    return isUp ? QueueStatus(later: number, time: 0, engine: "test") : nil
                })
        }
    }

    @Test func `all who ask at once share one query`() async {
        let engine = Engine(takes: .seconds(3))
        let kept = engine.kept()
        let found = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 { group.addTask { await kept.status?.later } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found == [Int?](repeating: 1, count: 50))
        #expect(engine.queries == 1)
    }

    @Test(arguments: [(Duration.milliseconds(1), Duration.seconds(1)), (.milliseconds(900), .seconds(9))])
    func `it is kept for ten times as long as it took, and for a second`(takes: Duration, wanted: Duration) async {
        let engine = Engine(takes: takes)
        let kept = engine.kept()
        #expect(await kept.status?.later == 1)
        engine.pass(wanted - .milliseconds(1))
        #expect(await kept.status?.later == 1)
        engine.pass(.milliseconds(1))
        #expect(await kept.status?.later == 2)
    }

    @Test func `an engine that gives no answer is asked again after a second`() async {
        let engine = Engine(takes: .seconds(20), isUp: false)
        let kept = engine.kept()
        for number in 1...3 {
            #expect(await kept.status == nil)
            #expect(await kept.status == nil)
            #expect(engine.queries == number)
            engine.pass(.seconds(1))
        }
    }
}
