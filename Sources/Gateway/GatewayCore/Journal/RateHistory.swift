/// How many notifications there were in each of the last seconds, counted in the journal. The management of channels counts
/// apart, as in `World.counts`.
///
/// It reads the journal in parts, newest first, so that the world's lock can be released between two parts. Seconds are those
/// of the machine's clock, whatever the world's clock does.
package struct RateHistory: Sendable {
    /// The notifications of one second by outcome.
    package struct Second: Hashable, Sendable {
        package var accepted = 0
        package var refused = 0
        package var unprocessed = 0

        package init(accepted: Int = 0, refused: Int = 0, unprocessed: Int = 0) {
            self.accepted = accepted
            self.refused = refused
            self.unprocessed = unprocessed
        }
    }

    package static let maximumSeconds = 600

    private let now: Int64
    /// The newest first.
    private var counted: [Second]
    /// The age in seconds of the oldest entry that was read.
    private var oldest: Int?
    /// Whether nothing is missing: an entry from before these seconds was read, or the first one of all.
    private var isComplete = false

    /// - Parameters:
    ///   - seconds: Clamped to 1 to `maximumSeconds`.
    ///   - now: The machine's time, in milliseconds since 1970.
    package init(seconds: Int, at now: Int64) {
        self.now = now
        counted = Array(repeating: Second(), count: min(max(1, seconds), RateHistory.maximumSeconds))
    }

    /// - Parameter range: The numbers of entries, all below those of the part before.
    package mutating func read(_ world: borrowing World, _ range: Range<UInt64>) {
        for sequence in range.reversed() where !isComplete {
            let read = world.journal.read(sequence) { (keptAt: $0.keptAt, isSend: $0.kind.isSend, outcome: $0.outcome) }
            guard let record = read else { continue }
            // An entry from a store has the time 0, so the seconds before the start of the gateway count as empty.
            let age = Int(max(0, now - record.keptAt) / 1000)
            guard age < counted.count else {
                isComplete = true
                return
            }
            if record.isSend {
                switch record.outcome {
                case .accepted: counted[age].accepted += 1
                case .refused: counted[age].refused += 1
                case .unprocessed: counted[age].unprocessed += 1
                }
            }
            oldest = age
            isComplete = sequence == 0
        }
    }

    /// The oldest first; the last one ends now. There are fewer than requested where the journal has overwritten or removed
    /// older entries: only whole seconds that it still has count.
    ///
    /// - Parameter sequences: The numbers of the entries that the journal has now.
    package func perSecond(of sequences: Range<UInt64>) -> [Second] {
        if isComplete || sequences == 0..<0 { return counted.reversed() }
        return counted.prefix(oldest ?? 0).reversed()
    }
}
