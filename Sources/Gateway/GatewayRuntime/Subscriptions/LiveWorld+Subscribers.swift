package import APNSModel
import GatewayConfiguration
package import GatewayCore
import Synchronization

/// For subscribers.
extension LiveWorld {
    /// What keeps a listener from connecting.
    package enum SubscriptionError: Error {
        case noDevice
        /// There are too many, or the gateway stops.
        case tooMany
    }

    /// - Parameters:
    ///   - isPatient: Whether to wait for what is not settled yet.
    ///   - settled: Called once, perhaps before this returns, unless `stopWaiting` is never called.
    /// - Returns: What `stopWaiting` takes; nil where it is settled already.
    package func wait(
        for expectation: JournalExpectation, isPatient: Bool,
        _ settled: @escaping @Sendable (JournalExpectation) -> Void
    ) throws(SubscriptionError) -> UInt64? {
        try change { (shared, _) throws(SubscriptionError) in
            guard shared.waiters.count < SubscriberLimits.maximumSubscribers else { throw .tooMany }
            var expectation = expectation
            expectation.look(at: shared.world)
            guard isPatient, !shared.isEnded, !expectation.isSettled else {
                let looked = expectation
                shared.afterwards.append { settled(looked) }
                return nil
            }
            shared.lastWaiter += 1
            shared.waiters[shared.lastWaiter] = Waiter(expectation: expectation, settled: settled)
            shared.looksAtLife = shared.looksAtLife || expectation.match.looksAtLife
            return shared.lastWaiter
        }
    }

    /// How many clients wait for what they expect.
    package var waiterCount: Int { shared.withLock { $0.waiters.count } }

    /// Settles what waits as it is. A second call changes nothing.
    package func stopWaiting(_ id: UInt64) { change { shared, _ in shared.settle(id) } }

    /// Adds a listener to events that never stops the gateway: what it has no room for is lost to it.
    ///
    /// - Parameters:
    ///   - names: The events that it wants; nil for all but those that have to be named.
    ///   - lost: Called for each event that it had no room for.
    package func subscribeToEvents(
        named names: Set<String>?, lost: @escaping @Sendable () -> Void
    ) -> EventSubscription {
        change { shared, _ in shared.subscribers.addForEvents(named: names, lost: lost) }
    }

    /// - Parameter disconnect: Closes the listener's connection; called when it falls too far behind.
    package func subscribe(
        _ token: DeviceToken, in environment: APNSEnvironment, after lastID: String?,
        disconnect: @escaping @Sendable () -> Void
    ) throws(SubscriptionError) -> DeviceSubscription {
        try change { (shared, real) throws(SubscriptionError) in
            guard shared.subscribers.count < SubscriberLimits.maximumSubscribers, !shared.isEnded else {
                throw .tooMany
            }
            guard let (resumption, events) = shared.world.subscribe(token, in: environment, after: lastID, real: real)
            else { throw .noDevice }
            let (id, items) = shared.subscribers.add(device: token, in: environment, disconnect: disconnect)
            shared.publish(events, real)
            return DeviceSubscription(id: id, resumption: resumption, items: items)
        }
    }

    package func subscribeToEvents(
        disconnect: @escaping @Sendable () -> Void
    ) throws(SubscriptionError) -> EventSubscription {
        try change { (shared, _) throws(SubscriptionError) in
            guard shared.subscribers.count < SubscriberLimits.maximumSubscribers, !shared.isEnded else {
                throw .tooMany
            }
            return shared.subscribers.addForEvents(disconnect: disconnect)
        }
    }

    /// Connects a device that nobody reads from: what is delivered to it goes into its history alone. It stays connected
    /// until the world is reset.
    ///
    /// - Returns: Whether there is such a device.
    package func connect(_ token: DeviceToken, in environment: APNSEnvironment) -> Bool {
        change { shared, real in
            guard let (_, events) = shared.world.subscribe(token, in: environment, real: real) else { return false }
            shared.publish(events, real)
            return true
        }
    }

    /// The connection of a listener is gone. A second call changes nothing.
    package func unsubscribe(_ id: UInt64) { change { shared, real in shared.remove(id, real) } }

    package func sendHeartbeats() { change { shared, _ in shared.subscribers.sendHeartbeats() } }

    /// Ends all that listen or wait, for good.
    package func endSubscriptions() {
        webhooks.removeAll(of: self)
        change { shared, _ in
            shared.isEnded = true
            shared.subscribers.endAll()
            for id in shared.waiters.keys { shared.settle(id) }
        }
    }
}
