package import GatewayJSON

/// The subscription of a client, or of a webhook, to all events of a world.
package struct EventSubscription: Sendable {
    package enum Item: Sendable {
        case event(GatewayEvent)
        /// Sent at intervals, so that proxies keep the connection open.
        case heartbeat
    }

    package let id: UInt64
    package let items: AsyncStream<Item>
}
