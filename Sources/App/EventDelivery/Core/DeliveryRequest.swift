/// A request in progress: events that were taken out of a lane.
struct DeliveryRequest: Hashable, Sendable {
    /// Names a request.
    struct ID: Hashable, Sendable {
        let lane: Int
        let number: Int64
    }

    let number: Int64
    var entries: [QueueEntry]
    let renewsCredentials: Bool
    let failures: Int
}

/// How events have ended, for the store and the app.
struct Settlement: Hashable, Sendable {
    var delivered: [QueueEntry] = []
    var dropped: [DroppedEntry] = []
    var notices: [QueueReport] = []
    /// Requests whose events were withdrawn.
    var cancelled: [DeliveryRequest.ID] = []

    /// The sequences of all events that have ended.
    var ended: [Int64] { delivered.map(\.sequence) + dropped.map(\.entry.sequence).filter { $0 > 0 } }

    mutating func add(_ other: Settlement) {
        delivered += other.delivered
        dropped += other.dropped
        notices += other.notices
        cancelled += other.cancelled
    }

    var reports: [DroppedEvent] { dropped.map(\.report) }
}

struct DroppedEntry: Hashable, Sendable {
    var entry: QueueEntry
    var destination: DestinationName
    var reason: DropReason
    var mayHaveArrived = false

    var report: DroppedEvent {
        DroppedEvent(
            id: entry.id, kind: entry.kind, destination: destination, reason: reason, mayHaveArrived: mayHaveArrived)
    }
}

extension DroppedEntry {
    /// An event that was never kept.
    init(unkept event: CapturedEvent, sequence: Int64 = 0, _ reason: DropReason) {
        entry = QueueEntry(
            sequence: sequence, id: event.id, kind: event.kind, group: nil, bytes: event.bytes, segment: 0, row: 0)
        destination = event.destination
        self.reason = reason
    }
}
