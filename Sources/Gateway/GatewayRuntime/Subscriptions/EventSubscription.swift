package import GatewayJSON

/// A listener to everything just connected.
package struct EventSubscription: Sendable {
    package enum Item: Sendable {
        case event(GatewayEvent)
        case heartbeat
    }

    package let id: UInt64
    package let items: AsyncStream<Item>
}
