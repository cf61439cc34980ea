import AppTestSupport
import Foundation
import PushDispatch
import Testing

@testable import EventDelivery

/// Starts tasks only when a test says so.
///
/// `@unchecked Sendable` because the lock protects everything.
private final class HeldTasks: @unchecked Sendable {
    private let gate = Gate()
    private let lock = NSLock()
    private var tasks: [Task<Void, Never>] = []

    var starter: TaskStarter {
        TaskStarter { [self] operation in
            let task = Task { [gate] in
                await gate.pass()
                await operation()
            }
            lock.withLock { tasks.append(task) }
            return task
        }
    }

    /// Returns when the first task has ended.
    func runFirst() async {
        await gate.open()
        await lock.withLock { tasks.first }?.value
    }
}

/// Lets nobody pass until it is opened.
private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func open() {
        isOpen = true
        waiting.forEach { $0.resume() }
        waiting = []
    }
}

/// A queue with one destination, "a".
private struct TestQueue {
    let clock = TestClock()
    let service: TestService
    let log = ReportLog()
    let queue: EventQueue

    init(
        store: any EventStore = MemoryEventStore(), service: TestService = TestService(),
        tasks: TaskStarter = .standard, _ change: (inout DestinationPolicy) -> Void = { _ in }
    ) {
        var policy = DestinationPolicy()
        policy.flush.priority = nil
        change(&policy)
        self.service = service
        let log = log
        queue = EventQueue(
            store: store, destinations: [EventDestination("a", policy: policy, transport: service)], clock: clock,
            makeStamp: { EventStamp(id: EventID(), time: .now()) }, random: { 0 }, tasks: tasks,
            onReport: { log.add($0) })
    }

    func capture(_ numbers: ClosedRange<Int>, purpose: ConsentPurpose? = nil) async throws {
        for number in numbers { try await queue.capture(.test(number, purpose: purpose)) }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct EventQueueTests {
    @Test func `25 events start a flush, and a flush on demand sends the rest`() async throws {
        let test = TestQueue()
        try await test.capture(1...24)
        #expect(test.service.received.isEmpty)
        try await test.capture(25...26)
        await test.service.waitForRequests(1)
        let report = await test.queue.flush(within: 1_000)
        #expect(report.end == .complete && report.kept == 0)
        #expect(test.service.storedNumbers == Array(1...26))
        #expect(await test.queue.status(of: "a")?.ledger.delivered == 26)
    }

    @Test func `a refused event starts what an earlier process has left`() async throws {
        let store = MemoryEventStore()
        let former = TestQueue(store: store)
        await former.queue.networkChanged(isOnline: false)
        try await former.capture(1...2)
        let test = TestQueue(store: store) {
            $0.limits.maximumEvents = 2
            $0.limits.overflow = .refuseNew
        }
        await #expect(throws: CaptureError(reason: .queueFull)) { try await test.queue.capture(.test(3)) }
        await test.service.waitForRequests(1)
        #expect(test.service.received == [[1, 2]])
    }

    @Test func `the timer starts a flush, whatever the device's clock does`() async throws {
        let test = TestQueue()
        try await test.queue.capture(
            CapturedEvent(
                EventStamp(id: .test(1), time: EventTime(milliseconds: .max)), kind: "k", to: "a", body: [0x31]))
        try await test.queue.capture(
            CapturedEvent(
                EventStamp(id: .test(2), time: EventTime(milliseconds: .min)), kind: "k", to: "a", body: [0x32]))
        #expect(await test.clock.nextSleep() == test.clock.now().advanced(byMilliseconds: 30_000))
        test.clock.advance(30_000)
        await test.service.waitForRequests(1)
        #expect(test.service.received == [[1, 2]])
    }

    @Test func `offline keeps, and coming back online sends in order with the time of capture`() async throws {
        let test = TestQueue { $0.flush.count = 1 }
        await test.queue.networkChanged(isOnline: false)
        try await test.capture(1...5)
        #expect(await test.queue.flush(within: 1_000).end == .offline)
        await test.queue.networkChanged(isOnline: true)
        #expect(await test.queue.flush(within: 1_000).end == .complete)
        #expect(test.service.received == [[1, 2, 3, 4, 5]])
        #expect(test.service.requests[0].events.map(\.stamp.time.milliseconds) == [1, 2, 3, 4, 5])
    }

    @Test func `a lost answer sends the same ids again, and the service counts them once`() async throws {
        let test = TestQueue { $0.flush.count = 3 }
        test.service.hold()
        try await test.capture(1...3)
        await test.service.waitForRequests(1)
        test.service.release(with: .noAnswer, stores: true)
        await test.log.waitForFailures(1)
        #expect(await test.queue.status(of: "a")?.kept == 3)
        test.clock.advance(500)
        await test.log.wait { $0.contains(.delivered(destination: "a", count: 3)) }
        #expect(test.service.received == [[1, 2, 3], [1, 2, 3]])
        #expect(test.service.storedNumbers == [1, 2, 3])
    }

    @Test func `a request that takes too long is stopped and made again`() async throws {
        let test = TestQueue { $0.flush.count = 1 }
        test.service.hold()
        try await test.capture(1...1)
        await test.service.waitForRequests(1)
        test.clock.advance(10_000)
        await test.log.waitForFailures(1)
        test.clock.advance(500)
        await test.log.wait { $0.contains(.delivered(destination: "a", count: 1)) }
        #expect(test.service.received == [[1], [1]])
    }

    @Test func `a flush ends at its limit, and the request goes on`() async throws {
        let test = TestQueue()
        test.service.hold()
        try await test.capture(1...2)
        async let report = test.queue.willEnterBackground(within: 3_000)
        await test.service.waitForRequests(1)
        test.clock.advance(3_000)
        #expect(await report == FlushReport(delivered: 0, dropped: 0, kept: 2, end: .timeLimit))
        test.service.release()
        await test.log.wait { $0.contains(.delivered(destination: "a", count: 2)) }
    }

    @Test func `a forced flush passes the back-off`() async throws {
        let test = TestQueue { $0.flush.count = 1 }
        test.service.answers { _ in .status(500) }
        try await test.capture(1...1)
        await test.log.waitForFailures(1)
        #expect(await test.queue.flush(within: 1_000).end == .failed)
        #expect(test.service.received.count == 1)
        test.service.answers { _ in .status(200) }
        let report = await test.queue.flush(isForced: true, within: 1_000)
        #expect(report == FlushReport(delivered: 1, dropped: 0, kept: 0, end: .complete))
    }

    @Test func `a queue that has ended leaves its events to the next one`() async throws {
        let store = MemoryEventStore()
        let former = TestQueue(store: store) { $0.flush.count = 1 }
        former.service.hold()
        try await former.capture(1...1)
        await former.service.waitForRequests(1)
        async let flush = former.queue.flush(within: 1_000)
        await former.queue.end()
        #expect(await flush.end == .storeFailed)
        await #expect(throws: CaptureError.self) { try await former.queue.capture(.test(2)) }
        #expect(former.service.cancelled == 1)
        let next = TestQueue(store: store, service: former.service) { $0.flush.count = 1 }
        try await next.queue.resume()
        await next.log.wait { $0.contains(.delivered(destination: "a", count: 1)) }
        #expect(former.service.received == [[1], [1]])
        #expect(former.log.all.isEmpty && next.log.dropped.isEmpty)
    }

    // Consent.

    @Test func `pending keeps, opting in sends what is kept`() async throws {
        let test = TestQueue { $0.flush.count = 1 }
        try await test.capture(1...3, purpose: "p")
        try await test.capture(4...4)
        await test.log.wait { $0.contains(.delivered(destination: "a", count: 1)) }
        #expect(test.service.received == [[4]])
        try await test.queue.setConsent(.optedIn, for: "p")
        await test.log.wait { $0.contains(.delivered(destination: "a", count: 3)) }
        #expect(test.service.received == [[4], [1, 2, 3]])
    }

    @Test func `opting out deletes what is kept and lets one record out`() async throws {
        let store = MemoryEventStore()
        let test = TestQueue(store: store)
        try await test.capture(1...3, purpose: "p")
        try await test.capture(4...4, purpose: "q")
        try await test.queue.setConsent(.optedOut, for: "p", record: .test(5))
        // The same answer has no second record.
        try await test.queue.setConsent(.optedOut, for: "p", record: .test(6))
        await test.log.wait { $0.contains(.delivered(destination: "a", count: 1)) }
        #expect(test.service.received == [[5]])
        #expect(test.log.dropped.map(\.id.number) == [1, 2, 3])
        #expect(Set(test.log.dropped.map(\.reason)) == [.optedOut])
        await #expect(throws: CaptureError(reason: .consent)) { try await test.queue.capture(.test(7, purpose: "p")) }
        // The answer survives the process.
        let next = TestQueue(store: store)
        #expect(await next.queue.consent(for: "p") == .optedOut)
        #expect(await next.queue.status(of: "a")?.kept == 1)
    }

    @Test func `opting out withdraws a request that is under way`() async throws {
        let test = TestQueue { $0.flush.count = 2 }
        try await test.queue.setConsent(.optedIn, for: "p")
        test.service.hold()
        try await test.capture(1...1, purpose: "p")
        try await test.capture(2...2)
        await test.service.waitForRequests(1)
        try await test.queue.setConsent(.optedOut, for: "p")
        #expect(test.log.dropped.map(\.id.number) == [1])
        #expect(test.log.dropped.first?.mayHaveArrived == true)
        _ = await test.queue.flush(within: 1_000)
        #expect(test.service.received == [[1, 2], [2]])
    }

    @Test func `a request that has not begun when the person opts out is not made`() async throws {
        let tasks = HeldTasks()
        let test = TestQueue(tasks: tasks.starter) { $0.flush.count = 1 }
        try await test.queue.setConsent(.optedIn, for: "p")
        try await test.capture(1...1, purpose: "p")
        try await test.queue.setConsent(.optedOut, for: "p")
        await tasks.runFirst()
        #expect(test.service.received.isEmpty)
        #expect(test.log.dropped.map(\.id.number) == [1])
    }

    @Test func `a request is stopped before the answer is written`() async throws {
        let store = FailingStore()
        let test = TestQueue(store: store) { $0.flush.count = 1 }
        try await test.queue.setConsent(.optedIn, for: "p")
        test.service.hold()
        try await test.capture(1...1, purpose: "p")
        await test.service.waitForRequests(1)
        let log = test.log
        let service = test.service
        store.onCommit { if service.cancelled == 0 { log.add(.storeFailed(FailingStore.error(.io))) } }
        try await test.queue.setConsent(.optedOut, for: "p")
        #expect(!test.log.all.contains(.storeFailed(FailingStore.error(.io))))
    }

    @Test func `a destination that keeps nothing without consent refuses`() async throws {
        let test = TestQueue { $0.whilePending = .refuse }
        await #expect(throws: CaptureError(reason: .consent)) { try await test.queue.capture(.test(1, purpose: "p")) }
        try await test.queue.setConsent(.optedIn, for: "p")
        try await test.capture(1...1, purpose: "p")
    }

    // What goes wrong.

    @Test func `what does not fit is reported`() async throws {
        let test = TestQueue { $0.limits.maximumEvents = 3 }
        try await test.capture(1...5)
        #expect(test.log.dropped.map(\.id.number) == [1, 2])
        #expect(Set(test.log.dropped.map(\.reason)) == [.queueFull])
        await #expect(throws: CaptureError(reason: .tooLarge)) {
            try await test.queue.capture(.test(6, bodyBytes: 300_000))
        }
        await #expect(throws: CaptureError(reason: .unknownDestination)) {
            try await test.queue.capture(.test(7, to: "z"))
        }
        let ledger = await test.queue.status(of: "a")?.ledger
        #expect(ledger?.dropped == ["queue-full": 2])
    }

    @Test func `removed events are reported`() async throws {
        let test = TestQueue()
        try await test.capture(1...2)
        try await test.queue.removeEvents(of: "z")
        #expect(test.log.dropped.isEmpty)
        try await test.queue.removeEvents()
        #expect(test.log.dropped.map(\.reason) == [.removed, .removed])
    }

    @Test func `events for a destination that an update has removed are reported`() async throws {
        let store = MemoryEventStore()
        var changes = StoreChanges()
        changes.append = [
            StoredEvent(sequence: 1, event: .test(1, to: "old")), StoredEvent(sequence: 2, event: .test(2)),
        ]
        store.commit(changes)
        let test = TestQueue(store: store)
        try await test.queue.resume()
        await test.log.wait { $0.contains(.delivered(destination: "a", count: 1)) }
        #expect(test.log.dropped.map(\.reason) == [.unknownDestination])
        #expect(store.events([1, 2]).isEmpty)
    }
}
