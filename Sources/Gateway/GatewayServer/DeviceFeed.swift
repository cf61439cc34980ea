import APNSModel
import GatewayCore

/// What a connected listener reads, made so that a slow one can never hold up the senders.
///
/// At most `capacity` items wait for it. A device's listener that falls behind further is cut off and its connection
/// closed; it comes back with `Last-Event-ID` and misses nothing, because the device's history is longer than what can be
/// on the way: the items here and those in the buffers of its socket.
enum DeviceFeed {
    /// What a device's listener gets.
    enum Item: Sendable {
        case delivery(Delivery)
        /// The app has another device token; nothing more comes for this one.
        case moved(to: DeviceToken)
        /// Nothing happened for a while; keeps proxies from closing the connection.
        case heartbeat
    }

    static let capacity = 512
    /// `WorldSettings.maximumHistory`.
    static let history = 2048
    /// `WorldSettings.maximumWaiting`. All of them may be delivered at once, so they have room in `capacity`.
    static let waiting = 256
    /// Listeners of devices and of events together.
    static let maximumListeners = 1000
}
