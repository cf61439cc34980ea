import PushDispatch
import TestSeeds
import Testing

@testable import Simulation

struct ProcessClockTests {
    /// A process on an executor that the test runs step by step.
    ///
    /// @unchecked: only the thread of the test uses it, which runs the executor's jobs as well.
    private final class Stage: @unchecked Sendable {
        let executor: VirtualExecutor
        let timeline = Timeline()
        let clock: ProcessClock
        var seen: [String] = []

        init(_ seed: TestSeed) {
            executor = VirtualExecutor(seed: seed.value)
            clock = ProcessClock(timeline, executor.tasks)
        }

        func runAll() {
            while executor.runNext() {}
        }

        @discardableResult
        func sleeper(_ name: String, until moment: Int64) -> Task<Void, Never> {
            executor.tasks { [self] in
                do {
                    try await clock.sleep(until: DispatchMoment(milliseconds: moment))
                    seen.append("\(name) at \(timeline.now)")
                } catch {
                    seen.append("\(name) was cancelled")
                }
            }
        }
    }

    @Test(arguments: TestSeed.all(1...10))
    func `sleeping tasks resume at their time`(seed: TestSeed) {
        let stage = Stage(seed)
        stage.sleeper("a", until: 30)
        stage.sleeper("b", until: 10)
        stage.runAll()
        #expect(stage.seen.isEmpty)
        while stage.timeline.next != nil {
            stage.timeline.runNext()
            stage.runAll()
        }
        #expect(stage.seen == ["b at 10", "a at 30"])
    }

    @Test(arguments: TestSeed.all(1...10))
    func `a cancelled task resumes at once, and its event is removed`(seed: TestSeed) {
        let stage = Stage(seed)
        let task = stage.sleeper("a", until: 30)
        stage.runAll()
        task.cancel()
        stage.runAll()
        #expect(stage.seen == ["a was cancelled"])
        #expect(stage.timeline.next == nil)
    }

    @Test(arguments: TestSeed.all(1...10))
    func `a dead process runs to its end at once, with all deadlines passed`(seed: TestSeed) {
        let stage = Stage(seed)
        stage.sleeper("a", until: 30)
        stage.runAll()
        stage.clock.stop()
        stage.sleeper("b", until: 1_000_000)
        stage.runAll()
        #expect(stage.seen.sorted() == ["a at 0", "b at 0"])
        #expect(stage.clock.now() > DispatchMoment(milliseconds: 1_000_000_000))
        #expect(!stage.clock.isRunning)
    }
}
