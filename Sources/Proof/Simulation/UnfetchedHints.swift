import PushDispatch
import SelectiveSync

/// The accepted hints whose records no request has fetched yet.
struct UnfetchedHints {
    struct Entry {
        let record: RecordID
        let object: String
        /// Only a request that began later counts.
        let since: Int
        let wake: Int
        /// Whether the list dropped the hint in favour of a regular sync.
        var isDropped = false
    }

    private var entries: [Entry] = []
    /// When the regular sync of each mark began.
    private var startNumbers: [PendingMark: Int] = [:]
    /// When the last completed regular sync of an object began.
    private var done: [String: Int] = [:]

    /// - Returns: Whether the hint is safe: in the list, or dropped for a regular sync that is due or began later.
    mutating func add(_ entry: Entry, _ list: PendingList) -> Bool {
        var entry = entry
        if !UnfetchedHints.isPending(entry, list) {
            guard list.objectsToSync.contains(entry.object) else {
                return done[entry.object].map { $0 > entry.since } ?? false
            }
            entry.isDropped = true
        }
        entries.append(entry)
        return true
    }

    mutating func stepped(_ list: PendingList) {
        guard !list.objectsToSync.isEmpty else { return }
        for index in entries.indices
        where list.objectsToSync.contains(entries[index].object) && !UnfetchedHints.isPending(entries[index], list) {
            entries[index].isDropped = true
        }
    }

    mutating func served(_ record: RecordID, began: Int) {
        entries.removeAll { $0.record == record && $0.since < began }
    }

    mutating func regularSyncBegins(at mark: PendingMark, number: Int) { startNumbers[mark] = number }

    mutating func regularSyncDone(of object: String, began mark: PendingMark) {
        guard let number = startNumbers[mark] else { return }
        done[object] = max(done[object] ?? 0, number)
        entries.removeAll { $0.object == object && $0.since < number && $0.isDropped }
    }

    mutating func forgetAll() {
        entries = []
        done = [:]
    }

    func lost(_ list: PendingList) -> [Entry] {
        entries.filter { entry in
            !UnfetchedHints.isPending(entry, list)
                && !(entry.isDropped && list.objectsToSync.contains(entry.object))
        }
    }

    private static func isPending(_ entry: Entry, _ list: PendingList) -> Bool {
        list.pending(of: entry.object).contains { $0.record == entry.record }
    }
}
