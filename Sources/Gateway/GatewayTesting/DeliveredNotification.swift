public import APNSModel
import GatewayCore

/// A notification that reached a device.
public struct DeliveredNotification: Hashable, Sendable {
    public let apnsID: String
    public let uniqueID: String
    public let deviceToken: DeviceToken
    public let topic: Topic
    public let pushType: PushType?
    public let priority: Priority
    public let expiration: Expiration?
    public let collapseID: CollapseID?
    /// The bytes as they were sent.
    public let payload: [UInt8]

    init(_ delivery: Delivery) {
        apnsID = delivery.apnsID
        uniqueID = delivery.uniqueID
        deviceToken = delivery.token
        topic = delivery.topic
        pushType = delivery.pushType
        priority = delivery.priority
        expiration = delivery.expiration
        collapseID = delivery.collapseID
        payload = delivery.payload
    }
}
