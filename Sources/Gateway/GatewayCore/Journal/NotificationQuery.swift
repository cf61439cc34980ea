import APNSModel

/// A query for journal entries; nil matches any value.
package struct NotificationQuery: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        case accepted, refused, unprocessed
    }

    package var outcome: Outcome?
    /// The code, such as `BadDeviceToken`.
    package var reason: String?
    package var topic: String?
    /// ASCII letters in upper or lower case.
    package var token: String?
    package var pushType: String?
    package var collapseID: String?
    package var channelID: String?
    package var kind: RequestKind?
    /// ASCII letters in upper or lower case.
    package var apnsID: String?
    /// Only requests received at this time or later. Milliseconds since 1970.
    package var since: Int64?
    /// A string that the device token, a header, an id, the reason, rule, `why` or payload contains; ASCII letters in upper or
    /// lower case.
    package var text: String?
    /// How many entries a page has at most; clamped to 1 to `maximumLimit`.
    package var limit = 100
    /// `next` of the page before.
    package var cursor: UInt64?

    package static let maximumLimit = 1000

    package init() {}

    /// Whether every entry matches.
    var matchesAll: Bool {
        var open = NotificationQuery()
        (open.limit, open.cursor) = (limit, cursor)
        return self == open
    }

    func matches(_ record: borrowing JournalRecord) -> Bool {
        if let since, record.received < since { return false }
        if let outcome, outcome != Outcome(record.outcome) { return false }
        if let reason, record.reason?.code != reason { return false }
        if let topic, !record.has(.topic, topic) { return false }
        if let pushType, !record.has(.pushType, pushType) { return false }
        if let collapseID, !record.has(.collapseID, collapseID) { return false }
        if let channelID, !record.has(.channelID, channelID) { return false }
        if let kind, record.kind != kind { return false }
        if let token, !record.hasInAnyCase(.token, token) { return false }
        if let apnsID, !record.hasInAnyCase(.apnsID, apnsID) { return false }
        return true
    }
}

extension NotificationQuery.Outcome {
    package init(_ outcome: Verdict.Outcome) {
        switch outcome {
        case .accepted: self = .accepted
        case .refused: self = .refused
        case .unprocessed: self = .unprocessed
        }
    }
}

/// One page of the journal, newest first.
package struct NotificationPage: Sendable {
    /// How many entries of the whole journal match.
    package let total: Int
    package let entries: [JournalEntry]
    /// The cursor of the next page; nil if there is none. It stays valid when entries are added.
    package let next: UInt64?
}
