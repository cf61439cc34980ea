import EventDelivery
import Foundation
import PushDispatch

@testable import Personalization

/// An app with the library, whose process a test can end.
final class TestApp {
    let clock: TestAppClock
    let ids: TestIDs
    let service: EventsService
    let decisions: DecisionServiceModel
    let cache: MemoryDecisionStore
    let reports: PersonalizationReports
    var configuration: PersonalizationConfiguration
    var defaults: [String: DefaultContent]?
    var storage: any PersonalizationStorage
    var events: any EventStore
    private(set) var queue: EventQueue
    private(set) var client: PersonalizationClient

    init(_ configure: (inout PersonalizationConfiguration) -> Void = { _ in }) throws {
        var configuration = try PersonalizationConfiguration(
            endpoint: "https://shop.example.com", appSourceID: "3c6f3d0e-9f3a-4b43-8d3e-0c5a8a5b2c11",
            app: AppDescription(name: "Shop", version: "1.0"))
        configuration.links.hosts = ["www.example.com"]
        configure(&configuration)
        let (clock, ids, service, cache) = (TestAppClock(), TestIDs(), EventsService(), MemoryDecisionStore())
        let (decisions, reports) = (DecisionServiceModel(service), PersonalizationReports())
        let (storage, events) = (MemoryPersonalizationStorage(), MemoryEventStore())
        let fetches = TestApp.fetches(configuration, nil, decisions, cache, clock)
        (queue, client) = TestApp.process(configuration, events, storage, service, fetches, clock, ids, reports)
        self.configuration = configuration
        self.clock = clock
        self.ids = ids
        self.service = service
        self.decisions = decisions
        self.cache = cache
        self.reports = reports
        self.storage = storage
        self.events = events
    }

    /// Ends the process at once, and starts another one with the same files.
    func restart() {
        let fetches = TestApp.fetches(configuration, defaults, decisions, cache, clock)
        (queue, client) = TestApp.process(configuration, events, storage, service, fetches, clock, ids, reports)
    }

    private static func fetches(
        _ configuration: PersonalizationConfiguration, _ defaults: [String: DefaultContent]?,
        _ service: DecisionServiceModel, _ cache: MemoryDecisionStore, _ clock: TestAppClock
    ) -> DecisionClient {
        var decisions = DecisionConfiguration(endpoint: configuration.endpoint)
        decisions.defaults = defaults
        return DecisionClient(decisions, transport: service, store: cache, clock: clock, wallClock: { clock.time() })
    }

    private static func process(
        _ configuration: PersonalizationConfiguration, _ events: any EventStore, _ storage: any PersonalizationStorage,
        _ service: EventsService, _ decisions: DecisionClient, _ clock: TestAppClock, _ ids: TestIDs,
        _ reports: PersonalizationReports
    ) -> (EventQueue, PersonalizationClient) {
        let queue = EventQueue(
            store: events, destinations: [PersonalizationClient.destination(configuration, transport: service)],
            clock: clock, makeStamp: { EventStamp(id: ids.eventID(), time: clock.time()) }, random: { 0 },
            onReport: { reports.add($0) })
        let client = PersonalizationClient(
            configuration: configuration, queue: queue, storage: storage, decisions: decisions, clock: clock,
            makeID: { ids.id() },
            onReport: { reports.add($0) })
        return (queue, client)
    }

    /// Sends what can be sent.
    @discardableResult
    func flush() async -> FlushReport { await client.flush(within: 60_000) }

    /// The network comes back, and everything is sent. What is being sent before fails first, so that the minute ends its pause.
    func goOnline() async {
        await flush()
        service.setOnline(true)
        clock.advance(seconds: 60)
        await flush()
    }

    static let kettle = EngagementContent(
        personalizationID: "p-1", contentID: "p-1:0", item: EngagementContent.Item(id: "7300215"))
    static let banner = EngagementContent(fixed: "p-2")
}

/// What queue and client report.
///
/// `@unchecked Sendable` because the lock protects everything.
final class PersonalizationReports: @unchecked Sendable {
    private let lock = NSLock()
    private var drops: [DroppedEvent] = []
    private var client: [PersonalizationReport] = []

    func add(_ report: QueueReport) {
        if case .dropped(let events) = report { lock.withLock { drops += events } }
    }

    func add(_ report: PersonalizationReport) { lock.withLock { client.append(report) } }

    var dropped: [DroppedEvent] { lock.withLock { drops } }
    var all: [PersonalizationReport] { lock.withLock { client } }
}

/// A storage that fails as a test says.
///
/// `@unchecked Sendable` because the lock protects everything.
final class FailingStorage: PersonalizationStorage, @unchecked Sendable {
    private let lock = NSLock()
    private let memory = MemoryPersonalizationStorage()
    private var fails = false

    func fail(_ fails: Bool) { lock.withLock { self.fails = fails } }

    func load() throws -> LoadedState? {
        try check()
        return memory.load()
    }

    func save(_ bytes: [UInt8]) throws {
        try check()
        memory.save(bytes)
    }

    private func check() throws {
        if lock.withLock({ fails }) { throw PersonalizationError(.storage, "the disk is full; free some space") }
    }
}

/// An event store that fails as a test says.
///
/// `@unchecked Sendable` because the lock protects everything.
final class FullEventStore: EventStore, @unchecked Sendable {
    private let lock = NSLock()
    private let memory = MemoryEventStore()
    private var commitsLeft = Int.max
    private var isClosed = false

    /// So many commits succeed from now on.
    func allow(_ commits: Int) { lock.withLock { commitsLeft = commits } }

    /// It cannot be opened any more.
    func close() { lock.withLock { isClosed = true } }

    func load() throws -> StoreContents {
        guard !lock.withLock({ isClosed }) else {
            throw EventStoreError(code: .readOnly, file: "events", detail: "the device is locked")
        }
        return memory.load()
    }

    func readAll(_ take: (StoredEvent) -> Void) throws { memory.readAll(take) }

    func commit(_ changes: StoreChanges) throws {
        let isAllowed = lock.withLock {
            guard commitsLeft > 0 else { return false }
            if commitsLeft < .max { commitsLeft -= 1 }
            return true
        }
        guard isAllowed else { throw EventStoreError(code: .full, file: "events", detail: "the disk is full") }
        memory.commit(changes)
    }

    func events(_ sequences: [Int64]) throws -> [StoredEvent] { memory.events(sequences) }

    func synchronize() throws {}
}
