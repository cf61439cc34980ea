extension World {
    /// How many entries the journal has.
    package var journalCount: Int { journal.count }

    /// The numbers of all entries of the journal.
    package var journalSequences: Range<UInt64> { journal.sequences }

    /// One page of the journal, newest first.
    package func notifications(_ query: NotificationQuery = NotificationQuery()) -> NotificationPage {
        var search = NotificationSearch(query)
        search.read(self, search.begin(journal.sequences))
        return search.page
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
