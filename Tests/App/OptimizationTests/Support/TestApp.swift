import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Optimization

/// An app with the library, whose process a test can end.
@MainActor
final class TestApp {
    let clock = TestClock()
    let ids = TestIDs()
    let services = TestServices()
    let reports = TestReports()
    let storage: any OptimizationStorage
    var eventStore: any EventStore = MemoryEventStore()
    var configuration = OptimizationConfiguration(clientID: "client-1")
    private(set) var client: OptimizationClient

    init(storage: any OptimizationStorage = MemoryOptimizationStorage()) {
        self.storage = storage
        client = TestApp.client(storage, services, eventStore, clock, ids, reports)
        configuration.app = OptimizationApp(name: "Shop", version: "1.0")
    }

    /// A client that is initialized, with consent.
    static func started(_ configure: (inout OptimizationConfiguration) -> Void = { _ in }) async throws -> TestApp {
        let app = TestApp()
        configure(&app.configuration)
        try await app.client.initialize(app.configuration)
        await app.client.consent(true)
        return app
    }

    /// Ends the process, and starts another one with the same storage. What was in memory is lost unless the store is kept.
    func restart(keepsEvents: Bool = false) {
        if !keepsEvents { eventStore = MemoryEventStore() }
        client = TestApp.client(storage, services, eventStore, clock, ids, reports)
    }

    private static func client(
        _ storage: any OptimizationStorage, _ services: TestServices, _ store: any EventStore, _ clock: TestClock,
        _ ids: TestIDs, _ reports: TestReports
    ) -> OptimizationClient {
        OptimizationClient(
            storage: storage, transport: services, eventStore: store, clock: clock,
            makeStamp: { EventStamp(id: ids.next(), time: clock.time()) }, makeViewID: { "view-\(ids.next())" },
            random: { 0 }, onReport: { reports.add($0) })
    }

    /// Moves time, and lets what is due then happen.
    ///
    /// - Parameter condition: What is waited for.
    func advance(_ milliseconds: Int64, until condition: () async -> Bool) async {
        clock.advance(milliseconds: milliseconds)
        await eventually(condition)
    }
}

/// Lets other tasks run until a condition holds.
@MainActor
func eventually(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async -> Bool
) async {
    let end = ContinuousClock.now + .seconds(60)
    while await !condition() {
        guard ContinuousClock.now < end else {
            Issue.record("what was waited for has not happened", sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}

/// What a client reports.
///
/// `@unchecked Sendable` because the lock protects everything.
final class TestReports: @unchecked Sendable {
    private let lock = NSLock()
    private var reports: [OptimizationReport] = []

    func add(_ report: OptimizationReport) { lock.withLock { reports.append(report) } }

    var all: [OptimizationReport] { lock.withLock { reports } }

    var dropped: [DroppedEvent] {
        all.flatMap { report -> [DroppedEvent] in
            if case .queue(.dropped(let events)) = report { events } else { [] }
        }
    }

    var retries: [Int64] {
        all.compactMap { report in
            if case .queue(.failed(_, _, let milliseconds)) = report { milliseconds } else { nil }
        }
    }
}

/// A storage that fails as a test says.
///
/// `@unchecked Sendable` because the lock protects everything.
final class FailingStorage: OptimizationStorage, @unchecked Sendable {
    private let lock = NSLock()
    private let memory = MemoryOptimizationStorage()
    private var fails = false

    func fail(_ fails: Bool) { lock.withLock { self.fails = fails } }

    var values: [String: String] { memory.load() }

    func load() throws -> [String: String] {
        try check()
        return memory.load()
    }

    func save(_ changes: [String: String?]) throws {
        try check()
        memory.save(changes)
    }

    private func check() throws {
        if lock.withLock({ fails }) { throw OptimizationError(.storage, "the disk is full; free some space") }
    }
}
