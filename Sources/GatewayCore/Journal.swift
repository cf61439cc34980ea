/// The last requests with their verdicts: a ring that forgets the oldest.
struct Journal: Sendable {
    /// How many entries are kept.
    let retain: Int
    /// The number that the next entry gets.
    private(set) var nextSequence: UInt64 = 0
    /// The number of the entry in the first slot when the ring began to fill.
    private var base: UInt64 = 0
    private var slots: [JournalEntry] = []

    init(retain: Int) { self.retain = max(0, retain) }

    var count: Int { slots.count }

    /// The numbers of all entries that are there.
    var sequences: Range<UInt64> { nextSequence - UInt64(slots.count)..<nextSequence }

    subscript(sequence: UInt64) -> JournalEntry? {
        sequences.contains(sequence) ? slots[slot(sequence)] : nil
    }

    /// The entry's sequence must be `nextSequence`.
    mutating func append(_ entry: consuming JournalEntry) {
        precondition(entry.sequence == nextSequence, "journal entries are numbered without gaps")
        nextSequence += 1
        if slots.count < retain {
            slots.append(entry)
        } else if retain > 0 {
            slots[slot(nextSequence - 1)] = entry
        } else {
            base = nextSequence
        }
    }

    /// Adds to the life of an entry; nothing when the entry is gone already.
    mutating func add(_ life: LifeEntry, to sequence: UInt64) {
        guard sequences.contains(sequence) else { return }
        slots[slot(sequence)].life.append(life)
    }

    mutating func removeAll() {
        slots.removeAll()
        base = nextSequence
    }

    private func slot(_ sequence: UInt64) -> Int { Int((sequence - base) % UInt64(max(1, retain))) }
}
