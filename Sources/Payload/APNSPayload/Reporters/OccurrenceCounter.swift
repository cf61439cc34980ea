/// Counts the occurrences of fingerprints in limited memory: beyond `capacity` different ones it starts again.
struct OccurrenceCounter: Sendable {
    private var counts: [Fingerprint: Int] = [:]
    private let capacity: Int

    init(capacity: Int = 65_536) {
        self.capacity = capacity
    }

    /// Counts an occurrence and returns how many there were before it.
    mutating func next(_ fingerprint: Fingerprint) -> Int {
        if counts.count >= capacity { counts.removeAll(keepingCapacity: true) }
        let count = counts[fingerprint, default: 0]
        counts[fingerprint] = count + 1
        return count
    }

    mutating func removeAll() { counts.removeAll(keepingCapacity: true) }
}
