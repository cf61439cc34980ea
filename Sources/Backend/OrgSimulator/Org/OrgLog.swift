package import PushDispatch
package import SelectiveSync

/// The latest events of the org, in order.
package struct OrgLog: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// Consecutive numbers from 1.
        package let number: Int
        package let date: ServerDate
        /// The platform's name of the event if there is one, such as `PUSH_NOTIFICATION_SENT`
        /// (docs/reference/selective-sync.md 3.3).
        package let event: String
        /// Contains no access tokens; device tokens are shortened.
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
    /// The number of the newest entry; 0 if there is none.
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

    /// The stored entries after a number, oldest first.
    package func entries(after number: Int = 0, limit: Int = OrgLog.capacity) -> [Entry] {
        let first = max(number, lastNumber - ring.count, 0) + 1
        guard first <= lastNumber else { return [] }
        return (first...lastNumber).prefix(limit).map { ring[($0 - 1) % OrgLog.capacity] }
    }
}
