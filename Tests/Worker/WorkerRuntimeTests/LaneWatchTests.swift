import PushQueue
import Testing

@testable import WorkerRuntime

struct LaneWatchTests {
    private let all = [LaneDemand(.high, jobs: 1), LaneDemand(.normal, jobs: 1), LaneDemand(.bulk, jobs: 1)]
    private var watch = LaneWatch()

    private mutating func asked(_ demands: [LaneDemand]? = nil, isLast: Bool = false) -> [LaneName] {
        watch.question(demands ?? all, isLast: isLast).demands.map(\.lane)
    }

    /// Asks these lanes, which have no job, and begins to wait for them.
    private mutating func waitFor(_ demands: [LaneDemand]) -> [LaneName] {
        let question = watch.question(demands, isLast: false)
        let isEmpty = watch.wasEmpty(question)
        #expect(isEmpty)
        return watch.begin()
    }

    @Test mutating func `watched lanes are not asked until the wait ends`() {
        #expect(asked() == [.high, .normal, .bulk])
        #expect(waitFor([all[0]]) == [.high])
        #expect(asked() == [.normal, .bulk])
        #expect(asked([all[0]]).isEmpty)
        watch.end()
        #expect(asked() == [.high, .normal, .bulk])
    }

    @Test mutating func `the next wait is for all lanes that were empty`() {
        #expect(waitFor([all[0]]) == [.high])
        #expect(waitFor(all) == [.bulk, .high, .normal])
    }

    @Test mutating func `all lanes are asked once when it is time, and while the last answer ends the worker`() {
        #expect(waitFor(all).count == 3)
        watch.askAll()
        #expect(asked([]).isEmpty)
        #expect(asked().count == 3)
        #expect(asked().isEmpty)
        #expect(asked(isLast: true).count == 3)
    }

    /// The queue reports a job once. What was asked before says nothing about it.
    @Test mutating func `a job that came behind the answer is asked for`() {
        _ = waitFor(all)
        watch.askAll()
        let question = watch.question(all, isLast: false)
        watch.end()
        let isEmpty = watch.wasEmpty(question)
        #expect(!isEmpty)
        #expect(watch.begin().isEmpty)
        #expect(asked().count == 3)
    }
}
