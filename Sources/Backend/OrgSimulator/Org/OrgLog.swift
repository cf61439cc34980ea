package import PushDispatch
package import SelectiveSync

/// What happened in the org, in order, as far back as memory goes.
package struct OrgLog: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// Counted from 1, without a gap.
        package let number: Int
        package let date: ServerDate
        /// `PUSH_NOTIFICATION_SENT` and the like where the platform has a name (docs/reference/selective-sync.md 3.3).
        package let event: String
        /// Without tokens; a device token is shortened.
        package let members: [String: JSONValue]

        package var json: JSONValue {
            .object(
                members.merging(["number": .integer(Int64(number)), "time": .string(date.description)]) { own, _ in own
                }
                .merging(["event": .string(event)]) { _, event in event })
        }
    }

    package static let capacity = 5_000

    package init() {}

    private var ring: [Entry] = []
    /// Of the newest entry; 0 while there is none.
    package private(set) var lastNumber = 0

    package mutating func add(_ event: String, _ members: [String: JSONValue] = [:], at now: ServerDate) {
        lastNumber += 1
        let entry = Entry(number: lastNumber, date: now, event: event, members: members)
        if ring.count < OrgLog.capacity {
            ring.append(entry)
        } else {
            ring[(lastNumber - 1) % OrgLog.capacity] = entry
        }
    }

    /// The entries that are kept and come behind a number, oldest first.
    package func entries(after number: Int = 0, limit: Int = OrgLog.capacity) -> [Entry] {
        let first = max(number, lastNumber - ring.count, 0) + 1
        guard first <= lastNumber else { return [] }
        return (first...lastNumber).prefix(limit).map { ring[($0 - 1) % OrgLog.capacity] }
    }
}
