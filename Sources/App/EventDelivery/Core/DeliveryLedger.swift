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
    /// Purposes whose answer applies although the event that records it was refused.
    var unrecorded: Set<String>?
}

/// States of other versions: members that this version does not know are left out, and ones that are missing have their first
/// value. An answer that it does not know counts as missing, so the purpose is pending; the other answers apply.
extension StoredState {
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        let answers = try members.decodeIfPresent([String: String].self, forKey: .consent) ?? [:]
        consent = answers.mapValues { ConsentState(rawValue: $0) ?? .pending }
        ledgers = try members.decodeIfPresent([String: DeliveryLedger].self, forKey: .ledgers) ?? ledgers
        next = try members.decodeIfPresent(Int64.self, forKey: .next) ?? next
        unrecorded = try members.decodeIfPresent(Set<String>.self, forKey: .unrecorded)
    }
}
