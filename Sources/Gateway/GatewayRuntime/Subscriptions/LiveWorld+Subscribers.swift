package import APNSModel
import GatewayCore

/// What subscribers call.
extension LiveWorld {
    /// Subscribes to the deliveries of a device, which counts as connected from now on.
    ///
    /// - Parameters:
    ///   - lastID: The id of the last delivery that the client has; nil for none.
    ///   - disconnect: Closes the client's connection; called when the client falls too far behind.
    package func subscribe(
        _ token: DeviceToken, in environment: APNSEnvironment, after lastID: String?,
        disconnect: @escaping @Sendable () -> Void
    ) throws(SubscriptionError) -> DeviceSubscription {
        try change { (state, real) throws(SubscriptionError) in
            // First, so that the device is not connected for a client that has no place.
            try state.subscribers.checkCapacity()
            if let next = state.world.device(token, in: environment)?.successor,
                let missed = state.world.deliveries(to: token, in: environment, since: lastID)
            {
                // It has changed while the client was away, which is told so after what it has missed.
                let (id, items) = try state.subscribers.addForDevice(token, in: environment, disconnect: disconnect)
                state.subscribers.move(token, in: environment, to: next)
                return DeviceSubscription(id: id, resumption: missed, items: items)
            }
            guard let (resumption, events) = state.world.subscribe(token, in: environment, after: lastID, real: real)
            else { throw .noDevice }
            let (id, items) = try state.subscribers.addForDevice(token, in: environment, disconnect: disconnect)
            state.publishLife(events, real)
            return DeviceSubscription(id: id, resumption: resumption, items: items)
        }
    }

    /// - Parameters:
    ///   - lastID: The id of the last event that the client has; nil for none.
    ///   - disconnect: Closes the client's connection; called when the client falls too far behind.
    package func subscribeToEvents(
        after lastID: String? = nil, disconnect: @escaping @Sendable () -> Void
    ) throws(SubscriptionError) -> EventSubscription {
        try change { (state, real) throws(SubscriptionError) in
            try state.subscribers.addForEvents(after: lastID, at: real, disconnect: disconnect)
        }
    }

    /// Adds a subscriber that stays when it falls behind. The world does not count as in use because of it.
    ///
    /// - Parameters:
    ///   - names: The wanted events; nil for all but those that have to be named.
    ///   - lost: Called for each event that the subscriber's buffer does not take.
    package func subscribeToEvents(
        named names: Set<String>?, lost: @escaping @Sendable () -> Void
    ) -> EventSubscription {
        change { state, _ in state.subscribers.addForEvents(named: names, lost: lost) }
    }

    /// Connects a device without a client: its deliveries go into its history only. It stays connected until the world
    /// is reset.
    ///
    /// - Returns: Whether there is such a device.
    package func connect(_ token: DeviceToken, in environment: APNSEnvironment) -> Bool {
        change { state, real in
            guard let (_, events) = state.world.subscribe(token, in: environment, real: real) else { return false }
            state.publishLife(events, real)
            return true
        }
    }

    /// The connection of a subscriber is closed. A second call changes nothing.
    package func unsubscribe(_ id: UInt64) { change { state, real in state.removeSubscriber(id, real) } }

    package func sendHeartbeats() { change { state, _ in state.subscribers.sendHeartbeats() } }

    /// Ends all subscriptions, webhooks and waiting, for good: the gateway stops.
    package func endSubscriptions() {
        webhooks.removeAll(of: self)
        endClientsAndFeeds()
    }

    /// The same, but webhooks still post what is queued.
    func endClientsAndFeeds() {
        change { state, _ in state.endSubscriptions() }
    }
}
