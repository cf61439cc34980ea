import PushDispatch
import SelectiveSync

/// Queries with pages that were not fetched yet. Each holds its records as they were at the time of the query.
struct QueryCursors: Hashable, Sendable {
    struct Cursor: Hashable, Sendable {
        let user: RecordID
        let object: String
        let fields: [String]
        let pageSize: Int
        let records: [OrgRecord]
        var lastUse: ServerDate
    }

    /// The maximum number of open queries of a user; one more closes the one that is unused for the longest time.
    static let maximumPerUser = 10
    static let maximum = 1_000

    private var cursors: [String: Cursor] = [:]
    private var lastNumber = 0

    /// - Returns: The locator, to which the caller adds the position in the records.
    mutating func open(_ cursor: Cursor, lifetime: Int64) -> String {
        let now = cursor.lastUse
        cursors = cursors.filter { QueryCursors.isOpen($0.value, at: now, lifetime) }
        evict(from: cursors.filter { $0.value.user == cursor.user }, upTo: QueryCursors.maximumPerUser - 1)
        evict(from: cursors, upTo: QueryCursors.maximum - 1)
        lastNumber += 1
        let digits = String(lastNumber)
        let locator = "01gxx" + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
        cursors[locator] = cursor
        return locator
    }

    private mutating func evict(from candidates: [String: Cursor], upTo maximum: Int) {
        guard candidates.count > maximum else { return }
        let oldest = candidates.sorted { ($0.value.lastUse, $0.key) < ($1.value.lastUse, $1.key) }
        for (locator, _) in oldest.prefix(candidates.count - maximum) { cursors[locator] = nil }
    }

    /// - Returns: Nil if the locator is unknown, expired, or belongs to another user.
    mutating func use(_ locator: String, by user: RecordID, at now: ServerDate, lifetime: Int64) -> Cursor? {
        guard let cursor = cursors[locator], cursor.user == user else { return nil }
        guard QueryCursors.isOpen(cursor, at: now, lifetime) else {
            cursors[locator] = nil
            return nil
        }
        cursors[locator]?.lastUse = now
        return cursor
    }

    mutating func close(_ locator: String) { cursors[locator] = nil }

    mutating func closeAll() { cursors = [:] }

    private static func isOpen(_ cursor: Cursor, at now: ServerDate, _ lifetime: Int64) -> Bool {
        cursor.lastUse.adding(milliseconds: lifetime) > now
    }
}
