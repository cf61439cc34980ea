package import PushDispatch

/// A call of the push API: a push to every device of a user.
package struct OutgoingPush: Hashable, Sendable {
    /// The payload's `type`; empty if it has none.
    package let type: String
    package let targetUser: RecordID
    package let records: [RecordID]
    /// Compact JSON. The payload of a trigger fits the size limit of a background push.
    package let payload: [UInt8]
    /// The API name of the connected app.
    package var application = OutgoingPush.defaultApplication
    /// The log-in whose devices are left out because they made the change; nil leaves out no device.
    package var excludedGrant: String?
    /// The notice of the push. It is encrypted for a device that registered a key.
    package var notice: NoticePayload?

    package static let defaultApplication = "Agent"
}
