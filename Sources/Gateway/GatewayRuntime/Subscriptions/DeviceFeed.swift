package import APNSModel
package import GatewayCore

/// What a connected listener reads, made so that a slow one can never hold up the senders.
///
/// At most `capacity` items wait for it. A device's listener that falls behind further is cut off and its connection
/// closed; it comes back with `Last-Event-ID` and misses nothing, because the device's history is longer than what can be
/// on the way: the items here and those in the buffers of its socket.
package enum DeviceFeed {
    /// What a device's listener gets.
    package enum Item: Sendable {
        case delivery(Delivery)
        /// The app has another device token; nothing more comes for this one.
        case moved(to: DeviceToken)
        /// Nothing happened for a while; keeps proxies from closing the connection.
        case heartbeat
    }
}
