/// The events that were received, oldest first, and the ids that are known for repeats.
package struct EventLog: Sendable {
    package struct Entry: Hashable, Sendable {
        package let event: ServiceEvent
        /// When it arrived, in milliseconds since 1970.
        package let arrived: Int64
    }

    private var log: BoundedLog<Entry>
    private var ids: RecentIDs
    /// Events whose id was known.
    package private(set) var repeats = 0
    /// Engagement with a decision that is not here.
    package internal(set) var withoutDecision = 0

    init(limit: Int, ids: Int) {
        log = BoundedLog(limit: limit)
        self.ids = RecentIDs(limit: max(limit, ids))
    }

    package var entries: ArraySlice<Entry> { log.entries }
    package var dropped: Int { log.dropped }
    package var forgottenIDs: Int { ids.forgotten }

    /// - Returns: False for a repeat, which is dropped.
    mutating func append(_ event: ServiceEvent, at now: Int64) -> Bool {
        // Hexadecimal digits of a UUID have no case.
        guard ids.insert(event.id.lowercased()) else {
            repeats += 1
            return false
        }
        log.append(Entry(event: event, arrived: now))
        return true
    }
}
