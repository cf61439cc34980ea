import PushQueue
import PushQueueTesting
import Synchronization
import Testing

@testable import MemoryQueue

/// A clock that only the test moves.
private final class EngineClock: Sendable {
    private let state = Mutex((now: Int64(1_700_000_000_000), sleepers: [(Int64, CheckedContinuation<Void, Never>)]()))

    var now: Int64 { state.withLock { $0.now } }

    func pass(_ duration: Duration) {
        let woken = state.withLock { state in
            state.now += QueueModel.milliseconds(duration)
            let due = state.sleepers.filter { $0.0 <= state.now }
            state.sleepers.removeAll { $0.0 <= state.now }
            return due
        }
        for (_, sleeper) in woken { sleeper.resume() }
    }
}

@Suite struct MemoryQueueTests {
    private let clock = EngineClock()

    /// Waits on the machine's clock: the tests of waiting need that.
    private func queue() -> MemoryQueue {
        MemoryQueue(now: { [clock] in clock.now }, sleep: { try await Task.sleep(for: $0) })
    }

    @Test(arguments: JobQueueCheck.all) func `passes the suite of all engines`(_ check: JobQueueCheck) async throws {
        let queue = queue()
        try await check.run(JobQueueUnderTest(queue: queue, other: queue) { [clock] in clock.pass($0) })
    }

    @Test func `a lost call is not done, and a lost answer is`() async throws {
        let queue = queue()
        let job = NewJob(JobContent(lane: .normal, body: [1]))
        queue.inject([.loseCall, .loseAnswer], into: .enqueue)
        await #expect(throws: QueueError.self) { try await queue.enqueue([job], options: EnqueueOptions()) }
        #expect(try await queue.status().backlog == 0)
        let error = await #expect(throws: QueueError.self) {
            try await queue.enqueue([job], options: EnqueueOptions())
        }
        #expect(error?.mayBeDone == true)
        #expect(try await queue.status().backlog == 1)
    }

    @Test func `a call that comes twice gets the second answer, and does once what has an id or a key`() async throws {
        let queue = queue()
        queue.inject([.twice], into: .enqueue)
        let job = NewJob(JobContent(lane: .normal, key: "a", body: [1]))
        let result = try await queue.enqueue([job], options: EnqueueOptions())
        #expect(result == EnqueueResult(added: 0, duplicates: 1))
        let name = try #require(ConsumerName("a"))
        let jobs = try await queue.reserve([LaneDemand(.normal, jobs: 9)], lease: .seconds(60), as: name).jobs
        #expect(jobs.count == 1)
        queue.inject([.twice], into: .settle)
        var settlement = Settlement(jobs[0].id)
        settlement.feedback = ["line"]
        #expect(try await queue.settle([settlement], resultsKept: 0) == [.notPending])
        #expect(try await queue.status().feedback == 1)
    }

    @Test func `an engine that lost its last writes delivers again`() async throws {
        let queue = queue()
        _ = try await queue.enqueue([NewJob(JobContent(lane: .normal, body: [1]))], options: EnqueueOptions())
        let before = queue.model
        let name = try #require(ConsumerName("a"))
        let jobs = try await queue.reserve([LaneDemand(.normal, jobs: 1)], lease: .seconds(60), as: name).jobs
        #expect(try await queue.settle([Settlement(jobs[0].id)], resultsKept: 0) == [.settled])
        queue.model = before
        let again = try await queue.reserve([LaneDemand(.normal, jobs: 1)], lease: .seconds(60), as: name).jobs
        #expect(again.map(\.id) == jobs.map(\.id))
    }

    @Test func `results keep the newest`() async throws {
        let queue = queue()
        _ = try await queue.enqueue([NewJob(JobContent(lane: .normal, body: [1]))], options: EnqueueOptions())
        let name = try #require(ConsumerName("a"))
        let job = try await queue.reserve([LaneDemand(.normal, jobs: 1)], lease: .seconds(60), as: name).jobs[0]
        var settlement = Settlement(job.id)
        settlement.results = ["1", "2", "3"]
        _ = try await queue.settle([settlement], resultsKept: 2)
        #expect(queue.model.results == ["2", "3"])
    }
}
