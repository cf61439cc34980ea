extension World {
    /// How many entries the journal has.
    package var journalCount: Int { journal.count }

    /// One page of the journal, newest first.
    package func notifications(_ query: NotificationQuery = NotificationQuery()) -> NotificationPage {
        let limit = min(max(1, query.limit), NotificationQuery.maximumLimit)
        let search = query.text.flatMap { $0.isEmpty ? nil : TextSearch($0) }
        var (total, next): (Int, UInt64?) = (0, nil)
        var entries: [JournalEntry] = []
        for sequence in journal.sequences.reversed() {
            guard journal.matches(sequence, query, search) else { continue }
            total += 1
            guard query.cursor.map({ sequence < $0 }) ?? true else { continue }
            if entries.count < limit {
                if let entry = journal[sequence] { entries.append(entry) }
            } else if next == nil {
                next = entries.last?.sequence
            }
        }
        return NotificationPage(total: total, entries: entries, next: next)
    }

    /// The entry with this `apns-unique-id`, whether or not an answer carried it; nil if it is unknown or gone.
    package func notification(uniqueID: String) -> JournalEntry? {
        let id = uniqueID.lowercased()
        guard let sequence = UniqueID(id).map(uniqueIDs.sequence), let entry = journal[sequence], entry.uniqueID == id
        else {
            return nil
        }
        return entry
    }

    /// The entry with this number; nil if it is gone.
    package func notification(_ sequence: UInt64) -> JournalEntry? { journal[sequence] }

    /// Empties the journal. What is stored for devices stays stored.
    package mutating func deleteNotifications() { journal.removeAll() }
}
