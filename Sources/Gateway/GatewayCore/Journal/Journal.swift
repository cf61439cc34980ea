/// The last requests with their verdicts: a ring buffer that overwrites the oldest.
struct Journal: Sendable {
    /// How many entries are kept.
    let retain: Int
    /// How much memory they may use; the newest is always kept.
    let maximumBytes: Int
    private let uniqueIDs: UniqueIDs
    /// The number that the next entry gets.
    private(set) var nextSequence: UInt64 = 0
    /// The number of the oldest entry.
    private var firstSequence: UInt64 = 0
    /// The number of the entry in the first slot when the ring began to fill.
    private var base: UInt64 = 0
    private(set) var slots = ChunkedArray<JournalRecord>()
    /// The memory of all entries.
    private(set) var heldBytes = 0
    /// The machine's time of what happens now.
    var moment: Int64 = 0
    /// What was added since the store took it; nil without a store.
    var added: Added?

    /// What was added to a journal.
    struct Added: Sendable {
        /// The number of the first new entry.
        var first: UInt64
        /// Lines of new and old entries.
        var lives: [LifeLine] = []
    }

    init(retain: Int, maximumBytes: Int = .max, uniqueIDs: UniqueIDs) {
        self.retain = max(0, retain)
        self.maximumBytes = maximumBytes
        self.uniqueIDs = uniqueIDs
    }

    /// A journal from a store.
    ///
    /// - Parameter entries: In the order of their numbers, without gaps, the last one just before `nextSequence`. If there
    ///   are too many, the oldest are left out.
    init(
        retain: Int, maximumBytes: Int, uniqueIDs: UniqueIDs, entries: [(sequence: UInt64, record: JournalRecord)],
        nextSequence: UInt64
    ) {
        self.init(retain: retain, maximumBytes: maximumBytes, uniqueIDs: uniqueIDs)
        var first = nextSequence
        var newest: [JournalRecord] = []
        for entry in entries.reversed() {
            guard entry.sequence + 1 == first, newest.count < self.retain else { break }
            guard newest.isEmpty || heldBytes + entry.record.heldBytes <= maximumBytes else { break }
            heldBytes += entry.record.heldBytes
            newest.append(entry.record)
            first = entry.sequence
        }
        for record in newest.reversed() { slots.append(record) }
        (base, firstSequence, self.nextSequence) = (first, first, nextSequence)
    }

    var count: Int { Int(nextSequence - firstSequence) }

    /// The numbers of all entries.
    var sequences: Range<UInt64> { firstSequence..<nextSequence }

    subscript(sequence: UInt64) -> JournalEntry? {
        guard sequences.contains(sequence) else { return nil }
        let record = slots[slot(sequence)]
        return JournalEntry(
            record, sequence: sequence, id: uniqueIDs.id(of: sequence, random: record.random))
    }

    /// The record of an entry; nil if it is gone.
    func record(_ sequence: UInt64) -> JournalRecord? { sequences.contains(sequence) ? slots[slot(sequence)] : nil }

    /// Reads the record of an entry without copying it; nil if it is gone.
    func read<Result>(_ sequence: UInt64, _ body: (borrowing JournalRecord) -> Result) -> Result? {
        sequences.contains(sequence) ? slots.read(slot(sequence), body) : nil
    }

    /// How long it takes to compare an entry with a match; little if it is gone.
    func work(of sequence: UInt64, _ payloadValues: Int?) -> Int {
        read(sequence) { $0.work(payloadValues) } ?? 1
    }

    /// Whether an entry matches a query; false if it is gone.
    func matches(_ sequence: UInt64, _ query: NotificationQuery, _ search: TextSearch?) -> Bool {
        read(sequence) { record in
            guard query.matches(record) else { return false }
            return search?.matches(record, uniqueID: uniqueIDs.id(of: sequence, random: record.random).text) ?? true
        } ?? false
    }

    /// Adds an entry with the number `nextSequence`; `write` fills it in.
    mutating func append(_ write: (inout JournalRecord) -> Void) {
        nextSequence += 1
        guard retain > 0 else {
            (base, firstSequence) = (nextSequence, nextSequence)
            return
        }
        let place = slot(nextSequence - 1)
        if place == slots.count { slots.append(JournalRecord()) }
        if count > retain { firstSequence = nextSequence - UInt64(retain) }
        let moment = moment
        heldBytes += slots.change(place) { record in
            let before = record.heldBytes
            write(&record)
            record.keptAt = moment
            return record.heldBytes - before
        }
        if heldBytes > maximumBytes { forgetOldest() }
    }

    /// Adds a line to the life of an entry; does nothing if the entry is gone.
    mutating func add(_ life: LifeEntry, to sequence: UInt64) {
        guard sequences.contains(sequence) else { return }
        let (line, change) = slots.change(slot(sequence)) { record in
            let before = record.heldBytes
            let line = record.add(life)
            return (line, record.heldBytes - before)
        }
        heldBytes += change
        if added != nil, let line {
            added?.lives.append(LifeLine(sequence: sequence, number: line.number, life: line.life))
        }
        if heldBytes > maximumBytes { forgetOldest() }
    }

    /// When the oldest entry was added, by the machine's clock; nil where there is only one, which is kept.
    var oldest: Int64? { count > 1 ? slots[slot(firstSequence)].keptAt : nil }

    /// Removes the oldest entry and frees its memory.
    ///
    /// - Returns: Its memory in bytes; nil where there is only one, which is kept.
    mutating func removeOldest() -> Int? {
        guard count > 1 else { return nil }
        let place = slot(firstSequence)
        let bytes = slots[place].heldBytes
        heldBytes -= bytes
        slots[place] = JournalRecord()
        firstSequence += 1
        return bytes
    }

    mutating func removeAll() {
        slots.removeAll()
        heldBytes = 0
        (base, firstSequence) = (nextSequence, nextSequence)
    }

    /// Removes the oldest entries, and frees their memory, until the others are within the limit.
    private mutating func forgetOldest() {
        while heldBytes > maximumBytes, removeOldest() != nil {}
    }

    private func slot(_ sequence: UInt64) -> Int { Int((sequence - base) % UInt64(max(1, retain))) }
}

/// One line in the life of a journal entry, with its place.
package struct LifeLine: Hashable, Sendable {
    package let sequence: UInt64
    /// Counts the lines after the verdict from 0.
    package let number: Int
    package let life: LifeEntry

    package init(sequence: UInt64, number: Int, life: LifeEntry) {
        self.sequence = sequence
        self.number = number
        self.life = life
    }
}
