package import APNSModel

/// A notification for a device: what the app will get, and its ids.
///
/// An immutable class, because the device, the events and their listeners share it.
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

    /// How often the device gets it: more than once if a fault rule duplicates it.
    let copies: Int

    /// Its memory in bytes. Of the payload of a broadcast, which many deliveries share, it is this delivery's part.
    package let heldBytes: Int

    /// The memory of a delivery without payload, with its ids in memory of their own.
    static let fixedBytes = 448

    init(
        sequence: UInt64, id: UniqueID, apnsID: String, token: DeviceToken, environment: APNSEnvironment,
        topic: Topic, pushType: PushType?, priority: Priority, expiration: Expiration?, collapseID: CollapseID?,
        payload: [UInt8], channelID: ChannelID? = nil, copies: Int = 1, payloadSharers: Int = 1
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
        heldBytes = Delivery.fixedBytes + (payload.count + payloadSharers - 1) / payloadSharers
    }
}

/// A sequence number is unique in a world, an id is unique among worlds, and a broadcast has many devices.
extension Delivery: Hashable {
    package static func == (left: Delivery, right: Delivery) -> Bool {
        left === right
            || (left.sequence == right.sequence && left.id == right.id && left.token == right.token)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(sequence) }
}

/// A delivery that is stored for a device that is not connected, or held for one that is.
package struct StoredDelivery: Hashable, Sendable, Codable {
    package let delivery: Delivery
    /// From this time on it is not delivered. Milliseconds since 1970.
    package let expiresAt: Int64
    /// Why a reachable device does not get it yet; nil for a device that is not reachable.
    package var hold: Hold?
}

/// What a new listener of a device gets first, and whether anything before it is missing.
package struct Resumption: Hashable, Sendable {
    /// In the order in which they reached the device.
    package let deliveries: [Delivery]
    /// False if the id is not in the history: it is too old, was never delivered to this device, or the world was reset.
    /// Then `deliveries` starts with the oldest one in the history, and earlier ones are lost.
    package let isComplete: Bool
}
