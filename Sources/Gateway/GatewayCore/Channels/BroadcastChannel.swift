package import APNSModel

/// An address that devices subscribe to, so that one broadcast reaches all of them (docs/reference/apns.md 7.4).
package struct BroadcastChannel: Hashable, Sendable {
    /// What a channel stores for devices that are not connected. It cannot be changed.
    package enum StoragePolicy: Int, Hashable, Sendable, CaseIterable, Codable {
        case nothing = 0
        case mostRecent = 1
    }

    package let id: ChannelID
    /// The bundle id of the app that it belongs to, without a suffix.
    package let app: String
    package let environment: APNSEnvironment
    package let storagePolicy: StoragePolicy
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// Counts the channels of the world in the order in which they were created.
    package let ordinal: UInt64
    package internal(set) var stored: StoredBroadcast?
    /// The slots of the devices that subscribe to it, in ascending order.
    private(set) var subscribers: [Int] = []
    var rate = RateCount()

    init(
        id: ChannelID, app: String, environment: APNSEnvironment, storagePolicy: StoragePolicy, createdAt: Int64,
        ordinal: UInt64
    ) {
        self.id = id
        self.app = app
        self.environment = environment
        self.storagePolicy = storagePolicy
        self.createdAt = createdAt
        self.ordinal = ordinal
    }

    package var subscriberCount: Int { subscribers.count }

    /// Its memory in bytes, with its places in tables.
    var heldBytes: Int {
        MemoryLayout<BroadcastChannel>.stride + 256 + OrdinalIndex<ChannelID>.bytesPerElement
            + subscribers.count * MemoryLayout<Int>.stride + (stored?.heldBytes ?? 0)
    }

    /// The only push type of channels, as bodies spell it.
    package static let pushType = "LiveActivity"
    /// The longest that a channel stores a message, in milliseconds.
    static let maximumStorage: Int64 = 8 * 3_600_000
    /// The largest body of a broadcast and of a request to create a channel.
    static let maximumBodyBytes = 5120
    /// In characters. Apple says "too long" without a figure; this is our choice.
    static let maximumIDLength = 128

    mutating func subscribe(_ slot: Int) {
        let place = placeOf(slot)
        guard place == subscribers.count || subscribers[place] != slot else { return }
        subscribers.insert(slot, at: place)
    }

    mutating func unsubscribe(_ slot: Int) {
        let place = placeOf(slot)
        guard place < subscribers.count, subscribers[place] == slot else { return }
        subscribers.remove(at: place)
    }

    /// The index of `slot`, or where it has to be inserted.
    private func placeOf(_ slot: Int) -> Int {
        var (low, high) = (0, subscribers.count)
        while low < high {
            let middle = (low + high) / 2
            if subscribers[middle] < slot { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The message that a channel stores for devices that connect later.
package struct StoredBroadcast: Hashable, Sendable {
    package let broadcast: Broadcast
    /// From this time on it is not delivered. Milliseconds since 1970.
    package let expiresAt: Int64

    /// Its memory in bytes, beside its values.
    var heldBytes: Int { broadcast.payload.count + 128 }
}
