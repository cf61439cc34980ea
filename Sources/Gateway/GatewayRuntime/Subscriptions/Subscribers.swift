package import APNSModel
import GatewayConfiguration
package import GatewayCore
package import GatewayJSON

/// Who is connected to hear of deliveries and events. Lives behind the lock of the world, so that what is decided and what
/// is told have the same order; telling is no more than an append to a bounded buffer.
package struct Subscribers {
    private struct DeviceListener {
        let token: DeviceToken
        let environment: APNSEnvironment
        let feed: AsyncStream<DeviceFeed.Item>.Continuation
        let disconnect: @Sendable () -> Void
    }

    private struct EventListener {
        let feed: AsyncStream<EventSubscription.Item>.Continuation
        /// Nil for all but those that have to be named.
        let names: Set<String>?
        /// Called for what there is no room for. Nil has the listener cut off then.
        let lost: (@Sendable () -> Void)?
        let disconnect: @Sendable () -> Void
    }

    private struct Address: Hashable {
        let token: DeviceToken
        let environment: APNSEnvironment
    }

    private var devices: [UInt64: DeviceListener] = [:]
    private var byAddress: [Address: [UInt64]] = [:]
    private var events: [UInt64: EventListener] = [:]
    /// That of the listener who came last.
    package private(set) var lastID: UInt64 = 0

    package var count: Int { devices.count + events.count }
    package var hearsDeliveries: Bool { !devices.isEmpty }
    package var hearsEvents: Bool { !events.isEmpty }

    package mutating func add(
        device token: DeviceToken, in environment: APNSEnvironment, disconnect: @escaping @Sendable () -> Void
    ) -> (id: UInt64, items: AsyncStream<DeviceFeed.Item>) {
        lastID += 1
        let (items, feed) = AsyncStream.makeStream(
            of: DeviceFeed.Item.self, bufferingPolicy: .bufferingOldest(SubscriberLimits.capacity))
        devices[lastID] = DeviceListener(token: token, environment: environment, feed: feed, disconnect: disconnect)
        byAddress[Address(token: token, environment: environment), default: []].append(lastID)
        return (lastID, items)
    }

    package mutating func addForEvents(disconnect: @escaping @Sendable () -> Void) -> EventSubscription {
        lastID += 1
        let (items, feed) = AsyncStream.makeStream(
            of: EventSubscription.Item.self, bufferingPolicy: .bufferingOldest(SubscriberLimits.capacity))
        events[lastID] = EventListener(feed: feed, names: nil, lost: nil, disconnect: disconnect)
        return EventSubscription(id: lastID, items: items)
    }

    /// A listener that stays when it falls behind.
    package mutating func addForEvents(named names: Set<String>?, lost: @escaping @Sendable () -> Void)
        -> EventSubscription
    {
        lastID += 1
        let (items, feed) = AsyncStream.makeStream(
            of: EventSubscription.Item.self, bufferingPolicy: .bufferingOldest(SubscriberLimits.capacity))
        events[lastID] = EventListener(feed: feed, names: names, lost: lost, disconnect: {})
        return EventSubscription(id: lastID, items: items)
    }

    /// - Returns: The device whose listener is gone; nil when it was gone already, or listened to events.
    package mutating func remove(_ id: UInt64) -> (token: DeviceToken, environment: APNSEnvironment)? {
        events.removeValue(forKey: id)?.feed.finish()
        guard let listener = devices.removeValue(forKey: id) else { return nil }
        listener.feed.finish()
        let address = Address(token: listener.token, environment: listener.environment)
        byAddress[address]?.removeAll { $0 == id }
        if byAddress[address]?.isEmpty ?? false { byAddress[address] = nil }
        return (listener.token, listener.environment)
    }

    /// Sends a delivery to every listener of its device that came no later than `last`.
    ///
    /// - Returns: The listeners that have fallen too far behind.
    package func deliver(_ delivery: Delivery, upTo last: UInt64 = .max) -> [UInt64] {
        let address = Address(token: delivery.token, environment: delivery.environment)
        return byAddress[address]?.filter { id in
            guard id <= last, let listener = devices[id] else { return false }
            if case .dropped = listener.feed.yield(.delivery(delivery)) { return true }
            return false
        } ?? []
    }

    /// Tells every listener of a device the device token that its app has now, and ends them.
    package func move(_ token: DeviceToken, in environment: APNSEnvironment, to next: DeviceToken) {
        for id in byAddress[Address(token: token, environment: environment)] ?? [] {
            devices[id]?.feed.yield(.moved(to: next))
            devices[id]?.feed.finish()
        }
    }

    /// Sends an event to everybody who listens to them, as `deliver`.
    package func tell(_ event: GatewayEvent, upTo last: UInt64 = .max) -> [UInt64] {
        events.compactMap { id, listener in
            guard id <= last else { return nil }
            for told in event.told(to: listener.names) {
                guard case .dropped = listener.feed.yield(.event(told)) else { continue }
                guard let lost = listener.lost else { return id }
                lost()
            }
            return nil
        }
    }

    /// A listener with a full buffer has no need of it.
    package func sendHeartbeats() {
        for listener in devices.values { listener.feed.yield(.heartbeat) }
        for listener in events.values where listener.lost == nil { listener.feed.yield(.heartbeat) }
    }

    /// What closes the connection of a listener.
    package func disconnect(_ id: UInt64) -> (@Sendable () -> Void)? {
        devices[id]?.disconnect ?? events[id]?.disconnect
    }

    /// Ends the listeners of all devices; those of events stay.
    ///
    /// - Returns: What closes their connections.
    @discardableResult
    package mutating func endDevices() -> [@Sendable () -> Void] {
        let disconnects = devices.values.map(\.disconnect)
        for listener in devices.values { listener.feed.finish() }
        devices = [:]
        byAddress = [:]
        return disconnects
    }

    package mutating func endAll() {
        endDevices()
        for listener in events.values { listener.feed.finish() }
        events = [:]
    }
}
