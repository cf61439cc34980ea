package import APNSModel

/// A notification on its way to a device: what the app will get, and by which ids it is found again.
package struct Delivery: Hashable, Sendable {
    /// The number of its journal entry.
    package let sequence: UInt64
    package let uniqueID: String
    package let apnsID: String
    package let token: DeviceToken
    package let environment: APNSEnvironment
    package let topic: Topic
    package let pushType: PushType?
    package let priority: Priority
    package let expiration: Expiration?
    package let collapseID: CollapseID?
    package let payload: [UInt8]
}

/// A delivery that waits for its device.
struct StoredDelivery: Hashable, Sendable {
    let delivery: Delivery
    /// From this time on it is not delivered any more. Milliseconds since 1970.
    let expiresAt: Int64
}

/// What a device's new connection has to be given first, and whether anything is missing before it.
package struct Resumption: Hashable, Sendable {
    /// In the order in which they reached the device.
    package let deliveries: [Delivery]
    /// False when the asked id is not in the history: it is too old, was never delivered to this device, or the world was
    /// reset. Then `deliveries` starts with the oldest that is kept, and what came before it is lost.
    package let isComplete: Bool
}
