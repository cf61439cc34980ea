package import EventDelivery
package import PushDispatch

/// A store of events for as long as a process runs. Afterwards it refuses, so that whatever still runs has no effect.
///
/// `@unchecked Sendable`: only the thread of the loop uses it.
package final class PlayedEventStore: EventStore, @unchecked Sendable {
    /// A file is locked while this is there.
    private var store: (any EventStore)?

    package init(_ store: any EventStore) { self.store = store }

    package func end() { store = nil }

    private func open() throws -> any EventStore {
        guard let store else {
            throw EventStoreError(code: .unusable, file: "", detail: "the process has ended")
        }
        return store
    }

    package func load() throws -> StoreContents { try open().load() }

    package func readAll(_ take: (StoredEvent) -> Void) throws { try open().readAll(take) }

    package func commit(_ changes: StoreChanges) throws { try open().commit(changes) }

    package func events(_ sequences: [Int64]) throws -> [StoredEvent] { try open().events(sequences) }

    package func synchronize() throws { try open().synchronize() }

    /// Everything that is kept, in the order of capture.
    package func all() throws -> [CapturedEvent] {
        var events: [CapturedEvent] = []
        try readAll { events.append($0.event) }
        return events
    }
}

// How results show what the library answers.

extension CapturedEvent {
    /// The event as it is sent.
    package var playedValue: JSONValue {
        let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 64, maximumValues: 100_000)
        return (try? JSONReader.read(body, limits: limits)) ?? .null
    }
}

extension FlushReport {
    private var playedEnd: String {
        switch end {
        case .complete: "complete"
        case .offline: "offline"
        case .failed: "failed"
        case .timeLimit: "time-limit"
        case .storeFailed: "store-failed"
        }
    }

    package var playedMembers: [(key: String, value: JSONValue)] {
        [
            ("end", .string(playedEnd)), ("delivered", .integer(Int64(delivered))), ("kept", .integer(Int64(kept))),
        ]
    }

    package var playedText: String { "\(playedEnd): \(delivered) events delivered, \(kept) kept" }
}
