package import APNSModel

/// A notification on its way to a device: what the app will get, and by which ids it is found again.
///
/// An immutable object, because the device, the events and their listeners all hold it.
package final class Delivery: Sendable {
    /// The number of its journal entry.
    package let sequence: UInt64
    package let id: UniqueID
    package let apnsID: String
    package let token: DeviceToken
    package let environment: APNSEnvironment
    package let topic: Topic
    package let pushType: PushType?
    package let priority: Priority
    package let expiration: Expiration?
    package let collapseID: CollapseID?
    package let payload: [UInt8]
    /// The channel that it was broadcast to; nil for a notification of its own.
    package let channelID: ChannelID?

    package var uniqueID: String { id.text }

    /// How often the device gets it: more than once where a fault rule says so.
    let copies: Int

    init(
        sequence: UInt64, id: UniqueID, apnsID: String, token: DeviceToken, environment: APNSEnvironment,
        topic: Topic, pushType: PushType?, priority: Priority, expiration: Expiration?, collapseID: CollapseID?,
        payload: [UInt8], channelID: ChannelID? = nil, copies: Int = 1
    ) {
        self.sequence = sequence
        self.id = id
        self.apnsID = apnsID
        self.token = token
        self.environment = environment
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.payload = payload
        self.channelID = channelID
        self.copies = copies
    }
}

/// Every notification has its own number in a world, two worlds make different ids, and a broadcast has many devices.
extension Delivery: Hashable {
    package static func == (left: Delivery, right: Delivery) -> Bool {
        left === right
            || (left.sequence == right.sequence && left.id == right.id && left.token == right.token)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(sequence) }
}

/// A delivery that waits: for its device, or at a reachable device for its turn.
package struct StoredDelivery: Hashable, Sendable, Codable {
    package let delivery: Delivery
    /// From this time on it is not delivered any more. Milliseconds since 1970.
    package let expiresAt: Int64
    /// Why the device does not get it although it is reachable; nil while it is not.
    package var hold: Hold?
}

/// What a device's new connection has to be given first, and whether anything is missing before it.
package struct Resumption: Hashable, Sendable {
    /// In the order in which they reached the device.
    package let deliveries: [Delivery]
    /// False when the asked id is not in the history: it is too old, was never delivered to this device, or the world was
    /// reset. Then `deliveries` starts with the oldest that is kept, and what came before it is lost.
    package let isComplete: Bool
}
