/// The last requests with their verdicts: a ring that forgets the oldest.
struct Journal: Sendable {
    /// How many entries are kept.
    let retain: Int
    private let uniqueIDs: UniqueIDs
    /// The number that the next entry gets.
    private(set) var nextSequence: UInt64 = 0
    /// The number of the entry in the first slot when the ring began to fill.
    private var base: UInt64 = 0
    private var slots: [JournalRecord] = []

    init(retain: Int, uniqueIDs: UniqueIDs) {
        self.retain = max(0, retain)
        self.uniqueIDs = uniqueIDs
    }

    var count: Int { slots.count }

    /// The numbers of all entries that are there.
    var sequences: Range<UInt64> { nextSequence - UInt64(slots.count)..<nextSequence }

    subscript(sequence: UInt64) -> JournalEntry? {
        guard sequences.contains(sequence) else { return nil }
        let record = slots[slot(sequence)]
        return JournalEntry(
            record, sequence: sequence, uniqueID: uniqueIDs.id(of: sequence, random: record.random))
    }

    /// Whether an entry answers to a query; false where it is gone.
    func matches(_ sequence: UInt64, _ query: NotificationQuery, _ search: TextSearch?) -> Bool {
        guard sequences.contains(sequence), query.matches(slots[slot(sequence)]) else { return false }
        guard let search else { return true }
        let record = slots[slot(sequence)]
        return search.matches(record, uniqueID: uniqueIDs.id(of: sequence, random: record.random))
    }

    /// Adds an entry with the number `nextSequence`, which `write` writes.
    mutating func append(_ write: (inout JournalRecord) -> Void) {
        nextSequence += 1
        if slots.count < retain {
            slots.append(JournalRecord())
            write(&slots[slots.count - 1])
        } else if retain > 0 {
            write(&slots[slot(nextSequence - 1)])
        } else {
            base = nextSequence
        }
    }

    /// Adds to the life of an entry; nothing when the entry is gone already.
    mutating func add(_ life: LifeEntry, to sequence: UInt64) {
        guard sequences.contains(sequence) else { return }
        slots[slot(sequence)].add(life)
    }

    mutating func removeAll() {
        slots.removeAll()
        base = nextSequence
    }

    private func slot(_ sequence: UInt64) -> Int { Int((sequence - base) % UInt64(max(1, retain))) }
}
