package import APNSModel
package import PushDispatch

/// A push to one device, ready to be sent.
package struct OrgNotification: Hashable, Sendable {
    /// The API name of the connected app, whose key signs the push.
    package let application: String
    package let topic: Topic
    package let environment: APNSEnvironment
    package let deviceToken: DeviceToken
    package let user: RecordID
    package let type: String
    package let payload: [UInt8]
    /// Whether the push shows nothing; it is then sent as a background push with priority 5.
    package let isSilent: Bool
    /// Nil for a push that no change caused.
    package let place: OrgChange.DevicePlace?

    package var notification: APNSNotification {
        APNSNotification(
            to: deviceToken, topic: topic, pushType: isSilent ? .background : .alert,
            priority: isSilent ? .powerConsiderate : .immediate, payload: payload)
    }
}
