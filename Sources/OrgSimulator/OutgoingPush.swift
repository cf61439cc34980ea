package import PushDispatch

/// A silent push that the org wants sent to every device of a user.
package struct OutgoingPush: Hashable, Sendable {
    package let type: String
    package let targetUser: RecordID
    package let records: [RecordID]
    /// Compact JSON, no longer than APNs takes in a background push.
    package let payload: [UInt8]
}
