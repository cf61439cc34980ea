/// A listener to everything just connected.
struct EventSubscription: Sendable {
    enum Item: Sendable {
        case event(GatewayEvent)
        case heartbeat
    }

    let id: UInt64
    let items: AsyncStream<Item>
}
