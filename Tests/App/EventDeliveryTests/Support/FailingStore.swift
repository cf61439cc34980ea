import EventDelivery
import Foundation

/// A store whose disk a test fills and whose file it damages.
///
/// `@unchecked Sendable` because the lock protects everything.
final class FailingStore: EventStore, @unchecked Sendable {
    private let lock = NSLock()
    private let memory = MemoryEventStore()
    private var failure: EventStoreError?
    private var readFailures: [EventStoreError] = []
    private var recovery: StoreRecovery?
    private var damaged: (lost: [Int64], resurrected: [StoredEvent])?
    private var onCommit: @Sendable () -> Void = {}

    static func error(_ code: EventStoreError.Code) -> EventStoreError {
        EventStoreError(code: code, file: "f", detail: "d")
    }

    func fail(_ code: EventStoreError.Code?) { lock.withLock { failure = code.map { FailingStore.error($0) } } }

    /// `readAll` and `events` fail once for each of these.
    func failReading(_ codes: EventStoreError.Code...) {
        lock.withLock { readFailures = codes.map { FailingStore.error($0) } }
    }

    /// The next opening finds damage.
    func damage() { lock.withLock { recovery = StoreRecovery(setAside: "f-aside-1", events: 1) } }

    /// Every call finds damage until the store is opened again. Then some events are lost, and some are back.
    func damage(losing lost: [Int64], resurrecting events: [StoredEvent] = []) {
        lock.withLock { damaged = (lost, events) }
    }

    func onCommit(_ action: @escaping @Sendable () -> Void) { lock.withLock { onCommit = action } }

    private func check() throws {
        if let failure = lock.withLock({ failure }) { throw failure }
        if lock.withLock({ damaged != nil }) { throw FailingStore.error(.damaged) }
    }

    /// A full disk can be read.
    private func checkReading() throws {
        if lock.withLock({ damaged != nil }) { throw FailingStore.error(.damaged) }
        if let failure = lock.withLock({ readFailures.isEmpty ? nil : readFailures.removeFirst() }) { throw failure }
    }

    func load() throws -> StoreContents {
        let damaged = lock.withLock {
            defer { self.damaged = nil }
            return self.damaged
        }
        if let damaged {
            var changes = StoreChanges()
            changes.remove = damaged.lost
            changes.append = damaged.resurrected
            memory.commit(changes)
            damage()
        }
        try check()
        var contents = memory.load()
        contents.recovery = lock.withLock { recovery }
        return contents
    }

    func readAll(_ take: (StoredEvent) -> Void) throws {
        try checkReading()
        memory.readAll(take)
    }

    func commit(_ changes: StoreChanges) throws {
        lock.withLock { onCommit }()
        try check()
        memory.commit(changes)
        if changes.state != nil { lock.withLock { recovery = nil } }
    }

    func events(_ sequences: [Int64]) throws -> [StoredEvent] {
        try checkReading()
        return memory.events(sequences)
    }

    func synchronize() throws { try check() }

    var kept: [Int] {
        var numbers: [Int] = []
        memory.readAll { numbers.append($0.event.number) }
        return numbers
    }
}
