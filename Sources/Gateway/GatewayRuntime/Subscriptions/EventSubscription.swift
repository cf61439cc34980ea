package import GatewayJSON

/// The subscription of a client, or of a webhook, to all events of a world.
package struct EventSubscription: Sendable {
    package enum Item: Sendable {
        /// - Parameter memory: Counts the event's memory for as long as it waits.
        case event(GatewayEvent, id: EventID, _ memory: QueuedItem? = nil)
        /// Sent at intervals, so that proxies keep the connection open.
        case heartbeat
    }

    package let id: UInt64
    /// The newest event before the subscription.
    package let start: EventID
    /// What the client missed since its last event; nil if that is not known any more. Empty for a client that does not
    /// resume.
    package let missed: [(event: GatewayEvent, id: EventID)]?
    package let items: AsyncStream<Item>
}
