import APNSModel
import APNSPayload
import APNSProvider
import DevelopmentCredentials
import GatewayTesting
import MemoryQueue
import PushQueue
import Synchronization
import TLSSession
import TestSupport
import Testing
import WorkerCore

@testable import WorkerRuntime

/// A worker with a queue in memory, and a gateway over TLS and HTTP/2.
@Suite struct WorkerTests {
    @Test func `what was enqueued is sent and leaves the queue`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(20, lines: 50)
            try await setup.enqueue(30)
            let worker = try setup.worker()
            try await worker.run()
            let accepted = try await setup.accepted()
            #expect(accepted.count == 1030)
            #expect(accepted.values.allSatisfy { $0 == 1 })
            let status = try await setup.queue.status()
            #expect(status.backlog + status.pending + status.later + status.dead == 0)
            #expect(status.consumers.isEmpty)
            #expect(worker.view.counts.total(of: "accepted") == 1030)
            #expect(worker.view.counts.queueSeconds.total == 1030)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `twenty workers that start and stop one after the other send each push once`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(400, lines: 10)
            var sent = 0
            for number in 0..<19 {
                let worker = try setup.worker(
                    "worker-\(number)",
                    change: {
                        $0.isOnce = false
                        $0.window = 400
                        // So slow that each of them gets something to send.
                        $0.rate = 1000
                    })
                let running = Task { try await worker.run() }
                let missing = 200 * (number + 1) - sent
                #expect(await eventually { worker.view.counts.total(of: "accepted") >= missing })
                worker.stop(within: .seconds(20))
                try await running.value
                sent += worker.view.counts.total(of: "accepted")
                // What it held is ready, and counts as not delivered.
                let status = try await setup.queue.status()
                let ready = try setup.ready()
                #expect(ready.count == status.backlog + status.pending)
                #expect(ready.allSatisfy { $0.deliveries == 1 })
            }
            try await setup.worker().run()
            let accepted = try await setup.accepted()
            #expect(accepted.count == 4000)
            #expect(accepted.values.allSatisfy { $0 == 1 })
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `workers that start and stop while the engine is slow send each push once`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(100, lines: 5)
            for call in [MemoryQueue.Call.reserve, .settle, .release, .promote] {
                let delay = MemoryQueue.Fault.delay(.milliseconds(150))
                setup.queue.inject([MemoryQueue.Fault](repeating: delay, count: 300), into: call)
            }
            var sent = 0
            for number in 0..<4 {
                let worker = try setup.worker(
                    "worker-\(number)",
                    change: {
                        $0.isOnce = false
                        $0.window = 100
                    })
                let running = Task { try await worker.run() }
                let missing = 100 * (number + 1) - sent
                #expect(await eventually { worker.view.counts.total(of: "accepted") >= missing })
                worker.stop(within: .seconds(20))
                try await running.value
                sent += worker.view.counts.total(of: "accepted")
            }
            try await setup.worker().run()
            let accepted = try await setup.accepted()
            #expect(accepted.count == 500)
            #expect(accepted.values.allSatisfy { $0 == 1 })
        }
    }

    @Test func `a worker that stops after a reload gives back what went with the former credentials`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            let (worker, running) = try await setup.waiting(for: 20)
            worker.reload([setup.tenant()])
            worker.stop(within: .seconds(2))
            try await running.value
            #expect(worker.view.heldJobs == 0)
            let ready = try setup.ready()
            #expect(ready.reduce(0) { $0 + JobReader.lineRanges($1.content.body).count } == 20)
        }
    }

    @Test func `a worker whose task is cancelled ends and gives its jobs back`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            let (worker, running) = try await setup.waiting(for: 20)
            running.cancel()
            try await running.value
            #expect(worker.view.heldJobs == 0)
            #expect(try setup.ready().count == 20)
        }
    }

    @Test func `what a lost answer reserved is ready when the worker stops`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(20)
            setup.queue.inject([.loseAnswer], into: .reserve)
            let stopped = Mutex<Worker?>(nil)
            let worker = try setup.worker(
                notice: { notice in
                    if case .queueLost = notice { stopped.withLock { $0 }?.stop(within: .seconds(5)) }
                }, change: { $0.isOnce = false })
            stopped.withLock { $0 = worker }
            try await worker.run()
            stopped.withLock { $0 = nil }
            #expect(try await setup.queue.status().backlog == 20)
            #expect(try setup.ready().count == 20)
        }
    }

    @Test func `the names of workers that are gone for an hour are removed`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            for (name, age) in [("gone", 7_200_000), ("young", 60_000)] as [(String, Int64)] {
                let worker = try #require(ConsumerName(name))
                setup.queue.model.release([], as: worker, at: MonotonicMilliseconds.now - age)
            }
            try await setup.worker().run()
            #expect(try await setup.queue.status().consumers.map(\.name.text) == ["young"])
        }
    }

    @Test func `an engine that is full for a while is reported once, and gets every settlement`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try gateway.add(.refuse(.payloadTooLarge))
            try await setup.enqueue(50)
            let full = QueueError(.full, "the engine is full", isTemporary: true)
            setup.queue.inject([.fail(full), .fail(full), .fail(full)], into: .settle)
            let notices = Mutex<[WorkerNotice]>([])
            let worker = try setup.worker(notice: { notice in notices.withLock { $0.append(notice) } })
            try await worker.run()
            let status = try await setup.queue.status()
            #expect(status.backlog + status.pending == 0 && status.dead == 1)
            #expect(worker.view.hasQueue)
            let told = notices.withLock { $0.count { $0 == .queueLost(full) || $0 == .queueFound } }
            #expect(told == 2)
        }
    }

    @Test func `scheduled jobs that cannot be moved are one warning, and the worker stays ready`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            let error = QueueError(.invalidAnswer, "a scheduled job is not one", isTemporary: false)
            setup.queue.inject([.fail(error), .fail(error), .fail(error)], into: .promote)
            let notices = Mutex<[WorkerNotice]>([])
            let worker = try setup.worker(
                notice: { notice in notices.withLock { $0.append(notice) } }, change: { $0.isOnce = false })
            let running = Task { try await worker.run() }
            #expect(await eventually { setup.queue.count(of: .promote) >= 3 })
            #expect(worker.view.isReady)
            #expect(await eventually { setup.queue.count(of: .promote) >= 5 })
            worker.stop(within: .seconds(5))
            try await running.value
            let told = notices.withLock { notices in
                notices.compactMap { if case .warning(let text) = $0 { text } else { nil } }
            }
            #expect(told.count == 1 && told.first?.hasPrefix("a scheduled job is not one; ") == true)
            #expect(notices.withLock { !$0.contains(.queueLost(error)) && !$0.contains(.queueFound) })
        }
    }

    @Test func `a limit that the engine refuses is reported once, and the worker is not ready`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(1)
            let error = QueueError(.foreignData, "the limit is another program's", isTemporary: false)
            setup.queue.inject([MemoryQueue.Fault](repeating: .fail(error), count: 1000), into: .take)
            let notices = Mutex<[WorkerNotice]>([])
            let worker = try setup.worker(
                notice: { notice in notices.withLock { $0.append(notice) } },
                change: {
                    $0.isOnce = false
                    $0.rate = 1000
                })
            let running = Task { try await worker.run() }
            #expect(await eventually { setup.queue.count(of: .take) >= 3 })
            let reserved = setup.queue.count(of: .promote)
            #expect(await eventually { setup.queue.count(of: .promote) > reserved + 2 })
            #expect(!worker.view.isReady)
            worker.stop(within: .seconds(2))
            try await running.value
            #expect(notices.withLock { $0.count { $0 == .queueLost(error) } } == 1)
            #expect(notices.withLock { !$0.contains(.queueFound) })
        }
    }

    @Test func `a status that cannot be read for good is reported`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            let error = QueueError(.notAllowed, "the user has no right to it", isTemporary: false)
            setup.queue.inject([.fail(error)], into: .status)
            let notices = Mutex<[WorkerNotice]>([])
            try await setup.worker(notice: { notice in notices.withLock { $0.append(notice) } }).run()
            let told = notices.withLock { notices in
                notices.compactMap { if case .warning(let text) = $0 { text } else { nil } }
            }
            #expect(told.count == 1 && told.first?.hasPrefix("the user has no right to it") == true)
        }
    }

    @Test func `what an operator has to know is reported when it comes, and again after it was gone`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            setup.queue.model.warnings = ["it was there at the start"]
            var options = Worker.Options(name: try #require(ConsumerName("worker-a")), settings: WorkerSettings())
            options.lookInterval = .milliseconds(1)
            let notices = Mutex<[WorkerNotice]>([])
            let worker = Worker(
                queue: SharedQueue(setup.queue), tenants: [setup.tenant()], options: options,
                notice: { notice in notices.withLock { $0.append(notice) } })
            let running = Task { try await worker.run() }
            func looked(_ warnings: [String]) async -> Bool {
                setup.queue.model.warnings = warnings
                let count = setup.queue.count(of: .status)
                return await eventually { setup.queue.count(of: .status) > count + 2 }
            }
            #expect(await eventually { setup.queue.count(of: .status) > 2 })
            #expect(setup.queue.count(of: .announce) > 0, "also a worker that is paused reads its lanes")
            for warnings in [["it was there at the start", "new"], [], ["new"]] { #expect(await looked(warnings)) }
            worker.stop(within: .seconds(5))
            try await running.value
            let told = notices.withLock { notices in
                notices.compactMap { if case .warning(let text) = $0 { text } else { nil } }
            }
            #expect(told == ["it was there at the start", "new", "new"])
        }
    }

    @Test func `an engine that loses calls and answers costs neither a push nor a double`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(100, lines: 5)
            for call in [MemoryQueue.Call.settle, .extend, .promote, .status] {
                setup.queue.inject([.loseAnswer, .loseCall, .twice, .loseAnswer], into: call)
            }
            setup.queue.inject([.loseCall, .loseAnswer, .loseCall], into: .reserve)
            let notices = Mutex<[WorkerNotice]>([])
            let worker = try setup.worker(notice: { notice in notices.withLock { $0.append(notice) } })
            try await worker.run()
            let accepted = try await setup.accepted()
            #expect(accepted.count == 500)
            #expect(accepted.values.allSatisfy { $0 == 1 })
            #expect(notices.withLock { $0.contains(.queueFound) })
        }
    }

    @Test func `a refused key pauses its tenant, and the other one goes on`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(20, tenant: "acme")
            try await setup.enqueue(30, lines: 2, tenant: "beta")
            let key = try gateway.addKey(id: "KEY0000009")
            var wrong = gateway.configuration
            wrong.credentials = .token(key: gateway.signingKey, keyID: key.keyID, teamID: gateway.teamID)
            let notices = Mutex<[WorkerNotice]>([])
            let worker = try setup.worker(
                tenants: [setup.tenant("acme", wrong), setup.tenant("beta")],
                notice: { notice in notices.withLock { $0.append(notice) } })
            try await worker.run()
            #expect(try await setup.accepted().count == 60)
            let later = try await setup.queue.list(.later, from: nil, limit: 100).elements
            #expect(later.reduce(0) { $0 + JobContext($1.content.context).ids.count } == 20)
            #expect(later.allSatisfy { $0.content.attempt == 0 })
            let pauses = notices.withLock { notices in
                notices.count { if case .decided(.tenantPaused(tenant: "acme", _, _, _)) = $0 { true } else { false } }
            }
            #expect(pauses == 1)
        }
    }

    @Test func `a refused certificate pauses its tenant, and the other one goes on`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(20, tenant: "acme")
            try await setup.enqueue(30, lines: 2, tenant: "beta")
            let expired = try TestGateway.credentials.get().certificate(.expired)
            var wrong = gateway.configuration
            wrong.credentials = .certificate(
                pem: try expired.certificatePEM, key: try expired.privateKeyPEM, passphrase: nil)
            wrong.connectAttempts = 4
            let worker = try setup.worker(tenants: [setup.tenant("acme", wrong), setup.tenant("beta")])
            try await worker.run()
            #expect(try await setup.accepted().count == 60)
            let later = try await setup.queue.list(.later, from: nil, limit: 100).elements
            #expect(later.reduce(0) { $0 + JobContext($1.content.context).ids.count } == 20)
            #expect(worker.view.pauses.map(\.isPaused) == [true, false])
            #expect(worker.view.breakers.map(\.isOpen) == [false])
        }
    }

    @Test func `a lost connection is sent again with the same id`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(1)
            try gateway.add(.disconnect(.after))
            let worker = try setup.worker()
            try await worker.run()
            #expect(try await setup.accepted().values.map(\.self) == [2])
            #expect(worker.view.counts.resent == 1)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a worker is ready from when its queue is prepared until it stops`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(1)
            try gateway.add(.silence(), count: nil)
            let (reached, isReached) = AsyncStream.makeStream(of: Bool.self)
            let worker = try setup.worker(
                notice: { notice in
                    if case .draining = notice { isReached.yield(true) }
                }, change: { $0.isOnce = false })
            #expect(!worker.view.isReady)
            let running = Task { try await worker.run() }
            #expect(await eventually { worker.view.isReady && worker.view.inFlight == 1 })
            worker.stop(within: .seconds(2))
            #expect(await reached.first { $0 } == true)
            #expect(!worker.view.isReady && worker.view.isDraining)
            try await running.value
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a worker whose only gateway cannot be reached shows it, and stays ready`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(1)
            var wrong = gateway.configuration
            wrong.gateway = APNSGateway(host: "127.0.0.1", port: 1)
            wrong.connectAttempts = 1
            let worker = try setup.worker(
                tenants: [setup.tenant(nil, wrong)],
                change: {
                    $0.isOnce = false
                    $0.rate = 500
                })
            let running = Task { try await worker.run() }
            #expect(await eventually { worker.view.breakers.allSatisfy { $0.isOpen } })
            #expect(worker.view.isReady)
            #expect(worker.view.rates.map(\.perSecond) == [500])
            #expect(worker.view.rates.allSatisfy { $0.granted > 0 && $0.tenant == nil })
            worker.stop(within: .seconds(2))
            try await running.value
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `jobs that come while a worker stops are not sent, and are there for others`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            let (worker, running) = try await setup.waiting(for: 20)
            worker.stop(within: .seconds(2))
            try await setup.enqueue(30)
            try await running.value
            #expect(gateway.notifications().count == 20)
            let ready = try setup.ready()
            #expect(ready.reduce(0) { $0 + JobReader.lineRanges($1.content.body).count } == 50)
        }
    }

    /// An hour would be longer than the limit of the test.
    @Test(.timeLimit(.minutes(10)))
    func `an engine that answers no settlement keeps a worker no longer than its time to drain`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(5)
            setup.queue.inject([.delay(.seconds(3600))], into: .settle)
            let left = Mutex<Int?>(nil)
            let worker = try setup.worker(
                notice: { notice in
                    if case .leftBehind(let jobs) = notice { left.withLock { $0 = jobs } }
                }, change: { $0.isOnce = false })
            let running = Task { try await worker.run() }
            #expect(await eventually { worker.view.counts.total(of: "accepted") == 5 })
            worker.stop(within: .seconds(1))
            try await running.value
            #expect(left.withLock { $0 } == 5)
            // They were sent, so others get them once their lease is over.
            #expect(try await setup.queue.status().pending == 5)
        }
    }

    @Test func `a worker that runs once ends where the engine refuses for good`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            try await setup.enqueue(1)
            let error = QueueError(.invalidAnswer, "a number is out of range", isTemporary: false)
            setup.queue.inject([MemoryQueue.Fault](repeating: .fail(error), count: 5), into: .reserve)
            let worker = try setup.worker()
            let thrown = await #expect(throws: QueueError.self) { try await worker.run() }
            #expect(thrown == error)
            #expect(try await setup.queue.status().backlog == 1)
        }
    }

    @Test func `a queue that cannot be had is an error at the start`() async throws {
        try await withGateway(devices: .open) { gateway in
            let setup = Setup(gateway: gateway)
            let error = QueueError(.notAuthenticated, "the password is wrong", isTemporary: false)
            setup.queue.inject([.fail(error)], into: .prepare)
            let worker = try setup.worker()
            let thrown = await #expect(throws: QueueError.self) { try await worker.run() }
            #expect(thrown == error)
        }
    }
}
