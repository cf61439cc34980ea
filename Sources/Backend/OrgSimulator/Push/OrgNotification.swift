package import APNSModel
package import PushDispatch

/// A push on its way to one device: what the org hands to whoever sends.
package struct OrgNotification: Hashable, Sendable {
    /// API name of the connected app, whose key signs.
    package let application: String
    package let topic: Topic
    package let environment: APNSEnvironment
    package let deviceToken: DeviceToken
    package let user: RecordID
    package let type: String
    package let payload: [UInt8]
    /// Whether it shows nothing: then it is a background push of priority 5.
    package let isSilent: Bool

    package var notification: APNSNotification {
        APNSNotification(
            to: deviceToken, topic: topic, pushType: isSilent ? .background : .alert,
            priority: isSilent ? .powerConsiderate : .immediate, payload: payload)
    }
}
