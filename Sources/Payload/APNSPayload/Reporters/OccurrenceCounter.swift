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

    /// A fingerprint that no earlier finding of the report has, for services that take two with the same one as the same finding.
    mutating func unique(_ fingerprint: Fingerprint) -> Fingerprint {
        let count = next(fingerprint)
        return count > 0 ? fingerprint.combined(with: "\(count)") : fingerprint
    }

    mutating func removeAll() { counts.removeAll(keepingCapacity: true) }
}
