/// How many events have ended, and how. It is stored together with the removal of these events, so it is right after a crash:
/// what was captured is what is kept, delivered and dropped.
public struct DeliveryLedger: Hashable, Sendable, Codable {
    public internal(set) var delivered = 0
    /// By the code of the reason.
    public internal(set) var dropped: [String: Int] = [:]

    public var totalDropped: Int { dropped.values.reduce(0, +) }

    mutating func add(_ other: DeliveryLedger) {
        delivered += other.delivered
        dropped.merge(other.dropped) { $0 + $1 }
    }

    mutating func drop(_ reason: DropReason, _ count: Int = 1) { dropped[reason.code, default: 0] += count }
}

/// What a store keeps besides events.
struct StoredState: Hashable, Sendable, Codable {
    var consent: [String: ConsentState] = [:]
    var ledgers: [String: DeliveryLedger] = [:]
    /// The first sequence that was never used when this was stored.
    var next: Int64 = 1
    /// The purposes whose answer holds and has no record yet, because it was refused.
    var unrecorded: Set<String>?
}
