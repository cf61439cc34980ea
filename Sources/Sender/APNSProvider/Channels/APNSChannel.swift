public import APNSModel

/// A broadcast channel, as APNs describes it.
public struct APNSChannel: Hashable, Sendable {
    /// What a channel stores for devices that are not connected. It cannot be changed afterwards.
    ///
    /// A struct, so that a value that Apple adds is not an error.
    public struct Storage: RawRepresentable, Hashable, Sendable {
        /// The number in `message-storage-policy`.
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A device that is not connected misses the message. The expiration of each must be `.once`.
        public static let nothing = Storage(rawValue: 0)
        /// The most recent message, until its expiration and for at most 8 hours.
        public static let mostRecentMessage = Storage(rawValue: 1)
    }

    public var id: ChannelID
    public var storage: Storage
    /// The push type, as the body spells it: `LiveActivity`.
    public var pushType: String

    public init(id: ChannelID, storage: Storage, pushType: String) {
        self.id = id
        self.storage = storage
        self.pushType = pushType
    }
}
