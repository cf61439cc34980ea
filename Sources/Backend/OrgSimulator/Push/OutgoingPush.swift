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
    /// The log-in whose devices made the change; nil if no device did.
    package var sourceGrant: String?
    /// Whether these devices are left out.
    package var excludesSource = false
    /// Nil for a push that no change caused.
    package var place: OrgChange.CallPlace?
    /// The notice of the push. It is encrypted for a device that registered a key.
    package var notice: NoticePayload?

    package static let defaultApplication = "Agent"
}
