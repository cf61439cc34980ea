import AppTestSupport
import PushDispatch
import Testing

@testable import EventDelivery

@Suite(.timeLimit(.minutes(1)))
struct FailingStoreTests {
    private let store = FailingStore()
    private let service = TestService()
    private let log = ReportLog()
    private let clock = TestClock()

    private func queue() -> EventQueue {
        EventQueue(
            store: store, destinations: [EventDestination("a", transport: service)], clock: clock, random: { 0 },
            onReport: { [log] in log.add($0) })
    }

    private var full: EventStoreError { FailingStore.error(.full) }

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

    @Test func `after damage the next process finds every purpose pending as well`() async throws {
        try await queue().setConsent(.optedIn, for: "p")
        store.damage()
        try await queue().resume()
        let next = queue()
        #expect(await next.consent(for: "p") == .pending)
        #expect(log.all.filter { if case .storeRecovered = $0 { true } else { false } }.count == 1)
    }

    private func store(state: String) throws {
        var changes = StoreChanges()
        changes.state = Array(state.utf8)
        try store.commit(changes)
    }

    @Test func `an answer that only a later version knows is pending, and the others hold`() async throws {
        try store(state: #"{"consent":{"p":"optedOut","q":"optedInPartly"},"next":7,"later":[{"x":1}],"ledgers":{}}"#)
        let queue = queue()
        #expect(await queue.consent(for: "p") == .optedOut)
        #expect(await queue.consent(for: "q") == .pending)
        await #expect(throws: CaptureError(reason: .consent)) { try await queue.capture(.test(1, purpose: "p")) }
        #expect(log.all.isEmpty)
    }

    @Test(arguments: ["", "{", #"{"consent":["p"]}"#])
    func `a state that cannot be read is reported, and opts nobody in`(_ state: String) async throws {
        try store(state: state)
        let queue = queue()
        #expect(await queue.consent(for: "p") == .pending)
        guard case .storeFailed(let error)? = log.all.first else {
            Issue.record("the damage is not reported")
            return
        }
        #expect(error.code == .damaged && error.description.contains("every purpose is pending"))
    }

    @Test func `a recovery that cannot be stored is found again by the next process`() async throws {
        try await queue().setConsent(.optedIn, for: "p")
        store.damage()
        store.onCommit { [store] in store.fail(.full) }
        try await queue().resume()
        store.onCommit {}
        store.fail(nil)
        #expect(await queue().consent(for: "p") == .pending)
        #expect(log.all.filter { if case .storeRecovered = $0 { true } else { false } }.count == 2)
    }

    @Test func `an answer that could not be stored is stored when it is given again`() async throws {
        let queue = queue()
        try await queue.setConsent(.optedIn, for: "p")
        store.fail(.full)
        for _ in 0..<2 {
            await #expect(throws: CaptureError(store: full)) { try await queue.setConsent(.optedOut, for: "p") }
        }
        store.fail(nil)
        try await queue.setConsent(.optedOut, for: "p")
        #expect(await self.queue().consent(for: "p") == .optedOut)
    }

    @Test func `an answer holds that is given while the store cannot be opened`() async throws {
        let first = queue()
        await first.networkChanged(isOnline: false)
        try await first.setConsent(.optedIn, for: "p")
        try await first.capture(.test(1, purpose: "p"))
        store.fail(.readOnly)
        let queue = queue()
        let error = CaptureError(store: FailingStore.error(.readOnly))
        await #expect(throws: error) { try await queue.setConsent(.optedIn, for: "q", record: .test(2)) }
        await #expect(throws: error) { try await queue.setConsent(.optedOut, for: "p", record: .test(3)) }
        await #expect(throws: error) { try await queue.setConsent(.optedOut, for: "p", record: .test(4)) }
        await #expect(throws: error) { try await queue.setConsent(.optedOut, for: "q", record: .test(5)) }
        #expect(await queue.consent(for: "p") == .optedOut)
        // The answer for "q" was replaced.
        #expect(log.dropped.map(\.id.number) == [2] && log.dropped.first?.reason == .answeredAgain)
        store.fail(nil)
        try await queue.resume()
        #expect(log.dropped.map(\.id.number) == [2, 1])
        #expect(await queue.flush(within: 1_000).end == .complete)
        #expect(service.storedNumbers == [3, 5])
        #expect(await queue.status(of: "a")?.ledger.dropped == ["answered-again": 1, "opted-out": 1])
        #expect(await self.queue().consent(for: "q") == .optedOut)
    }

    @Test func `removing says that the store has not removed`() async throws {
        let queue = queue()
        try await queue.capture(.test(1))
        store.fail(.full)
        for _ in 0..<2 { await #expect(throws: full) { try await queue.removeEvents() } }
        #expect(store.kept == [1])
        store.fail(nil)
        try await queue.removeEvents()
        #expect(store.kept == [])
    }

    // Damage that is found later.

    @Test func `damage that is found while sending loses only what cannot be read, and answers hold`() async throws {
        let queue = queue()
        await queue.networkChanged(isOnline: false)
        try await queue.setConsent(.optedIn, for: "p")
        for number in 1...3 { try await queue.capture(.test(number, purpose: "p")) }
        try await queue.removeEvents(of: "b")
        store.damage(losing: [2], resurrecting: [StoredEvent(sequence: 100, event: .test(100, purpose: "p"))])
        await queue.networkChanged(isOnline: true)
        #expect(await queue.flush(within: 1_000).end == .complete)
        #expect(service.storedNumbers == [1, 3])
        #expect(log.dropped.map(\.id.number) == [2] && log.dropped.first?.reason == .unreadable)
        #expect(log.all.contains(.storeRecovered(StoreRecovery(setAside: "f-aside-1", events: 1))))
        #expect(store.kept == [])
        #expect(await self.queue().consent(for: "p") == .optedIn)
    }

    @Test func `what is captured when damage is found is kept`() async throws {
        let queue = queue()
        await queue.networkChanged(isOnline: false)
        try await queue.capture(.test(1))
        store.damage(losing: [1])
        try await queue.capture(.test(2))
        store.damage(losing: [])
        try await queue.setConsent(.optedIn, for: "p", record: .test(3))
        #expect(store.kept == [2, 3])
        #expect(log.dropped.map(\.id.number) == [1])
    }

    @Test func `damage that is found while reading everything is repaired at once`() async throws {
        store.failReading(.damaged)
        try await queue().capture(.test(1))
        #expect(log.all == [.storeFailed(FailingStore.error(.damaged))])
    }

    @Test func `a store that cannot be read is read again after the back-off`() async throws {
        let queue = queue()
        try await queue.capture(.test(1))
        store.failReading(.io)
        #expect(await queue.flush(within: 1_000).end == .failed)
        #expect(log.all.contains(.failed(destination: "a", status: nil, retryInMilliseconds: 500)))
        clock.advance(500)
        #expect(await queue.flush(within: 1_000).end == .complete)
        #expect(service.storedNumbers == [1])
    }
}
