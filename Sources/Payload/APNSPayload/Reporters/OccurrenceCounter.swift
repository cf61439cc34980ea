/// Counts how often something came, in bounded memory: beyond so many different things it begins anew.
struct OccurrenceCounter: Sendable {
    private var counts: [Fingerprint: Int] = [:]
    private let capacity: Int

    init(capacity: Int = 65_536) {
        self.capacity = capacity
    }

    /// How often `fingerprint` came before.
    mutating func next(_ fingerprint: Fingerprint) -> Int {
        if counts.count >= capacity { counts.removeAll(keepingCapacity: true) }
        let count = counts[fingerprint, default: 0]
        counts[fingerprint] = count + 1
        return count
    }

    mutating func removeAll() { counts.removeAll(keepingCapacity: true) }
}
