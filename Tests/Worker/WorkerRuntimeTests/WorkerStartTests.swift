import GatewayTesting
import MemoryQueue
import PushQueue
import Synchronization
import TestSupport
import Testing
import WorkerCore

@testable import WorkerRuntime

/// A worker that runs once, what it says at its start, and how it reports an engine that is away.
@Suite struct WorkerStartTests {
    @Test func `a worker that runs once sends scheduled jobs that are due`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            let jobs = (0..<250).map { number in
                let envelope = #"{"token":"\#(String(number + 0x1000, radix: 16))","payload":{"aps":{"alert":"Hi"}}}"#
                return NewJob(
                    JobContent(lane: .normal, body: Array(envelope.utf8)), due: .at(milliseconds: Int64(number + 1)))
            }
            _ = try await setup.queue.enqueue(jobs, options: EnqueueOptions())
            let late = NewJob(JobContent(lane: .normal, body: [1]), due: .after(.seconds(3600)))
            _ = try await setup.queue.enqueue([late], options: EnqueueOptions())
            try await setup.worker().run()
            #expect(try await setup.accepted().count == 250)
            let status = try await setup.queue.status()
            #expect(status.backlog + status.pending == 0 && status.later == 1)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a worker that runs once ends beside jobs in a stream that it does not read, and warns of them`()
        async throws
    {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(3)
            let queue = SharedQueue(setup.queue) { status in
                for index in status.lanes.indices {
                    status.lanes[index].backlog += 2
                    status.lanes[index].elsewhere = 2
                    status.lanes[index].unreadStreams = [QueueStatus.Stream("push:jobs:normal:1", backlog: 2)]
                }
            }
            var settings = WorkerSettings()
            settings.isOnce = true
            let warnings = Mutex<[String]>([])
            let worker = Worker(
                queue: queue, tenants: [setup.tenant()],
                options: Worker.Options(name: try #require(ConsumerName("worker-a")), settings: settings),
                notice: { notice in
                    if case .warning(let text) = notice { warnings.withLock { $0.append(text) } }
                })
            try await worker.run()
            #expect(try await setup.accepted().count == 3)
            let found = warnings.withLock { $0 }
            #expect(found.contains { $0.hasPrefix("jobs wait in push:jobs:normal:1, which no worker reads") })
        }
    }

    @Test(arguments: [(2_000, 1), (40_000, 0)] as [(Int64, Int)])
    func `a worker whose name was in use a moment ago says so, and works`(_ age: Int64, _ count: Int) async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(1)
            let name = try #require(ConsumerName("worker-a"))
            setup.queue.model.release([], as: name, at: MonotonicMilliseconds.now - age)
            var settings = WorkerSettings()
            settings.isOnce = true
            var options = Worker.Options(name: name, settings: settings)
            options.isNameStable = true
            let warnings = Mutex<[String]>([])
            let worker = Worker(
                queue: SharedQueue(setup.queue), tenants: [setup.tenant()], options: options,
                notice: { notice in
                    if case .warning(let text) = notice { warnings.withLock { $0.append(text) } }
                })
            try await worker.run()
            let found = warnings.withLock { $0 }
            #expect(found.count == count)
            #expect(found.allSatisfy { $0.hasPrefix("another worker named worker-a was active ") })
            #expect(try await setup.accepted().count == 1)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `an engine that is away for the scheduled jobs alone is away`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            let error = QueueError(.unreachable, "the connection is refused", isTemporary: true)
            setup.queue.inject([MemoryQueue.Fault](repeating: .fail(error), count: 1000), into: .promote)
            let notices = Mutex<[WorkerNotice]>([])
            let worker = try setup.worker(
                notice: { notice in notices.withLock { $0.append(notice) } }, change: { $0.isOnce = false })
            let running = Task { try await worker.run() }
            #expect(await eventually { notices.withLock { $0.contains(.queueLost(error)) } })
            #expect(!worker.view.hasQueue)
            worker.stop(within: .seconds(5))
            try await running.value
        }
    }

    @Test func `an engine that is away for all kinds of calls is reported once, and so is its return`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            let error = QueueError(.unreachable, "the connection is refused", isTemporary: true)
            // Moving is the first that succeeds again.
            setup.queue.inject([.fail(error), .fail(error), .fail(error), .fail(error)], into: .reserve)
            setup.queue.inject([.fail(error)], into: .promote)
            let notices = Mutex<[WorkerNotice]>([])
            let worker = try setup.worker(
                notice: { notice in notices.withLock { $0.append(notice) } }, change: { $0.isOnce = false })
            let running = Task { try await worker.run() }
            #expect(await eventually { setup.queue.count(of: .reserve) > 5 && setup.queue.count(of: .promote) > 2 })
            worker.stop(within: .seconds(5))
            try await running.value
            #expect(notices.withLock { $0.count { $0 == .queueLost(error) } } == 1)
            #expect(notices.withLock { $0.count { $0 == .queueFound } } == 1)
        }
    }
}
