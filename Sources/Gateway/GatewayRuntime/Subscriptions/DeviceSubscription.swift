package import APNSModel
package import GatewayCore

/// The subscription of a client to the deliveries of one device.
///
/// At most `SubscriberLimits.capacity` items wait in the stream, so that a slow client never delays the senders. A client
/// that falls further behind is disconnected. It resumes with `Last-Event-ID` and misses nothing, because the history of a
/// device is longer than what can be on the way: in the stream and in the buffers of the socket.
package struct DeviceSubscription: Sendable {
    package enum Item: Sendable {
        /// - Parameter memory: Counts the delivery's memory for as long as it waits.
        case delivery(Delivery, _ memory: QueuedItem? = nil)
        /// The app has another device token; nothing more comes for this one.
        case moved(to: DeviceToken)
        /// Sent at intervals, so that proxies keep the connection open.
        case heartbeat
    }

    package let id: UInt64
    /// What the client is sent first.
    package let resumption: Resumption
    /// What the client is sent after that.
    package let items: AsyncStream<Item>
}
