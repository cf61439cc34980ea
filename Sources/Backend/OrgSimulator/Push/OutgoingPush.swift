package import PushDispatch

/// A push that the org wants sent to every device of a user: one call of the sending API.
package struct OutgoingPush: Hashable, Sendable {
    /// The payload's `type`; empty where it has none.
    package let type: String
    package let targetUser: RecordID
    package let records: [RecordID]
    /// Compact JSON, no longer than APNs takes in a background push where a trigger made it.
    package let payload: [UInt8]
    /// The API name of the connected app.
    package var application = OutgoingPush.usualApplication
    /// The grant whose devices made the change and are left out; nil leaves nobody out.
    package var excludedGrant: String?
    /// The notice that it tells of; it goes encrypted to a device that asked for that.
    package var notice: NoticePayload?

    package static let usualApplication = "Agent"
}
