import ServiceHost

/// The events that were received, oldest first, and the ids that are known for repeats.
package struct EventLog: Sendable {
    package struct Entry: Hashable, Sendable {
        package let event: ServiceEvent
        /// When it arrived, in milliseconds since 1970.
        package let arrived: Int64
        /// The data space of its app source; nil where the source feeds all of them.
        package let dataSpace: String?
    }

    private(set) var log: BoundedLog<Entry>
    private(set) var ids: RecentIDs
    private let byteLimit: Int
    /// Of the events that are kept, as text.
    package private(set) var bytes = 0
    /// Events whose id was known.
    package internal(set) var repeats = 0
    /// Engagement with a decision that is not here, or with an item that it does not have.
    package internal(set) var withoutDecision = 0

    init(limit: Int, bytes: Int, ids: Int, dropped: Int = 0, forgotten: Int = 0) {
        log = BoundedLog(limit: limit, dropped: dropped)
        byteLimit = bytes
        self.ids = RecentIDs(limit: max(limit, ids), forgotten: forgotten)
    }

    package var entries: ArraySlice<Entry> { log.entries }
    package var dropped: Int { log.dropped }
    package var forgottenIDs: Int { ids.forgotten }
    /// How many events were received since the start, without repeats.
    package var received: Int { log.nextNumber }

    /// - Returns: False for a repeat, which is dropped.
    mutating func append(_ event: ServiceEvent, at now: Int64, dataSpace: String?) -> Bool {
        // Hexadecimal digits of a UUID have no case.
        guard ids.insert(event.id.lowercased()) else {
            repeats += 1
            return false
        }
        keep(Entry(event: event, arrived: now, dataSpace: dataSpace))
        return true
    }

    /// Adds an event whose id is known already.
    mutating func keep(_ entry: Entry) {
        bytes += entry.event.bytes
        if let oldest = log.append(entry).dropped { bytes -= oldest.event.bytes }
        while bytes > byteLimit, log.count > 1, let oldest = log.dropOldest() { bytes -= oldest.event.bytes }
    }

    mutating func know(_ id: String) { ids.insert(id) }

    mutating func track(_ mode: ChangeTracking) {
        log.track(mode)
        ids.track(mode)
    }

    mutating func takeChanges() -> (events: [Int], ids: [Int]) { (log.takeChanges(), ids.takeChanges()) }
}
