import PushQueue
import Testing

@testable import RedisQueue

/// Whether jobs are known to be replicated.
struct RedisReplicaTests {
    private let jobs = [NewJob(JobContent(lane: .normal, body: [1]))]

    @Test func `the next master does not confirm jobs of one that was lost`() async throws {
        let master = try await FakeMaster(losesFirst: true)
        let queue = try RedisQueue(RedisQueueAddress(url: master.url))
        let error = await #expect(throws: QueueError.self) {
            try await queue.enqueue(jobs, options: EnqueueOptions())
        }
        #expect(error?.code == .connectionLost && error?.mayBeDone == true)
        #expect(try await queue.enqueue(jobs, options: EnqueueOptions()).added == 1)
        await queue.close()
        try await master.end()
    }

    @Test func `a refused WAIT leaves in doubt whether the jobs are in the queue`() async throws {
        let master = try await FakeMaster(wait: "-NOPERM this user has no permissions to run the 'wait' command")
        let queue = try RedisQueue(RedisQueueAddress(url: master.url))
        let error = await #expect(throws: QueueError.self) {
            try await queue.enqueue(jobs, options: EnqueueOptions())
        }
        #expect(error?.code == .notAllowed && error?.mayBeDone == true)
        await queue.close()
        try await master.end()
    }
}
