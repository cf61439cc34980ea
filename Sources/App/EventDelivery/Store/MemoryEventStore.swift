import Foundation

/// Keeps events in memory: what is not sent when the process ends is lost.
///
/// `@unchecked Sendable` because the lock protects everything.
public final class MemoryEventStore: EventStore, @unchecked Sendable {
    private let lock = NSLock()
    private var events: [Int64: StoredEvent] = [:]
    private var state: [UInt8]?

    public init() {}

    public func load() -> StoreContents { StoreContents(state: lock.withLock { state }) }

    public func readAll(_ take: (StoredEvent) -> Void) {
        lock.withLock { events.values.sorted { $0.sequence < $1.sequence } }.forEach(take)
    }

    public func commit(_ changes: StoreChanges) {
        lock.withLock {
            for event in changes.append { events[event.sequence] = event }
            for sequence in changes.remove { events[sequence] = nil }
            if let state = changes.state { self.state = state }
        }
    }

    public func events(_ sequences: [Int64]) -> [StoredEvent] {
        lock.withLock { sequences.compactMap { events[$0] } }
    }

    public func synchronize() {}
}
