import Foundation
import PushDispatch
import Testing

@testable import EventDelivery

/// A store whose disk a test fills and whose file it damages.
///
/// `@unchecked Sendable` because the lock protects everything.
private final class FailingStore: EventStore, @unchecked Sendable {
    private let lock = NSLock()
    private let memory = MemoryEventStore()
    private var failure: EventStoreError?
    private var recovery: StoreRecovery?

    func fail(_ code: EventStoreError.Code?) {
        lock.withLock { failure = code.map { EventStoreError(code: $0, file: "f", detail: "d") } }
    }

    func damage() { lock.withLock { recovery = StoreRecovery(setAside: "f-aside-1", events: 1) } }

    private func check() throws {
        if let failure = lock.withLock({ failure }) { throw failure }
    }

    func load() throws -> StoreContents {
        try check()
        var contents = memory.load()
        contents.recovery = lock.withLock { recovery }
        return contents
    }

    func readAll(_ take: (StoredEvent) -> Void) throws { memory.readAll(take) }

    func commit(_ changes: StoreChanges) throws {
        try check()
        memory.commit(changes)
    }

    func events(_ sequences: [Int64]) -> [StoredEvent] { memory.events(sequences) }

    func synchronize() throws { try check() }

    var kept: [Int] {
        var numbers: [Int] = []
        memory.readAll { numbers.append($0.event.number) }
        return numbers
    }
}

struct FailingStoreTests {
    private let store = FailingStore()
    private let service = TestService()
    private let log = ReportLog()
    private let clock = ManualClock()

    private func queue() -> EventQueue {
        EventQueue(
            store: store, destinations: [EventDestination("a", transport: service)], clock: clock, random: { 0 },
            onReport: { [log] in log.add($0) })
    }

    private var full: EventStoreError { EventStoreError(code: .full, file: "f", detail: "d") }

    @Test func `a full disk refuses new events, keeps the old ones, and delivers them`() async throws {
        let queue = queue()
        for number in 1...2 { try await queue.capture(.test(number)) }
        store.fail(.full)
        await #expect(throws: CaptureError(store: full)) { try await queue.capture(.test(3)) }
        #expect(await queue.status(of: "a")?.kept == 2)
        #expect(await queue.flush(within: 1_000).delivered == 2)
        #expect(log.all.contains(.storeFailed(full)))
        // The store could not remove them. The next change does.
        #expect(store.kept == [1, 2])
        store.fail(nil)
        try await queue.capture(.test(4))
        #expect(store.kept == [4])
        #expect(service.received == [[1, 2]])
    }

    @Test func `opting out holds on a full disk, and its record goes out`() async throws {
        let queue = queue()
        try await queue.setConsent(.optedIn, for: "p")
        try await queue.capture(.test(1, purpose: "p"))
        store.fail(.full)
        await #expect(throws: CaptureError(store: full)) {
            try await queue.setConsent(.optedOut, for: "p", record: .test(2))
        }
        #expect(await queue.consent(for: "p") == .optedOut)
        await #expect(throws: CaptureError(reason: .consent)) { try await queue.capture(.test(3, purpose: "p")) }
        #expect(await queue.flush(within: 1_000).end == .complete)
        #expect(service.received == [[2]])
        #expect(log.dropped.map(\.id.number) == [1])
        store.fail(nil)
        _ = await queue.willEnterBackground(within: 1_000)
        #expect(store.kept == [])
        let next = self.queue()
        #expect(await next.consent(for: "p") == .optedOut)
    }

    @Test func `a store that cannot be opened is tried again at the next call`() async throws {
        store.fail(.readOnly)
        let queue = queue()
        await #expect(throws: EventStoreError(code: .readOnly, file: "f", detail: "d")) { try await queue.resume() }
        await #expect(throws: CaptureError.self) { try await queue.capture(.test(1)) }
        #expect(await queue.flush(within: 1_000).end == .storeFailed)
        store.fail(nil)
        try await queue.capture(.test(2))
        #expect(await queue.flush(within: 1_000).delivered == 1)
    }

    @Test func `after damage nothing is sent until the person's answer is set again`() async throws {
        let first = queue()
        try await first.setConsent(.optedIn, for: "p")
        await first.networkChanged(isOnline: false)
        try await first.capture(.test(1, purpose: "p"))
        store.damage()
        let second = queue()
        try await second.resume()
        #expect(log.all.contains(.storeRecovered(StoreRecovery(setAside: "f-aside-1", events: 1))))
        #expect(await second.consent(for: "p") == .pending)
        #expect(await second.flush(within: 1_000) == FlushReport(delivered: 0, dropped: 0, kept: 1, end: .complete))
        try await second.setConsent(.optedIn, for: "p")
        #expect(await second.flush(within: 1_000).end == .complete)
        #expect(service.received == [[1]])
    }
}
