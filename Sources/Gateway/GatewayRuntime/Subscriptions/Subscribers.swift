import APNSModel
import GatewayConfiguration
import GatewayCore
import GatewayJSON

/// The subscribers to deliveries and events of one world.
///
/// It is protected by the world's lock, so that subscribers get items in the order in which they were decided. Passing an
/// item on only appends it to a bounded buffer and never waits. Ids increase, so one id is enough to select all subscribers
/// that existed at a certain moment.
/// After `close()` there are no subscribers.
struct Subscribers {
    private struct DeviceSubscriber {
        let address: Address
        let feed: AsyncStream<DeviceSubscription.Item>.Continuation
        let disconnect: @Sendable () -> Void
    }

    private struct EventSubscriber {
        let feed: AsyncStream<EventSubscription.Item>.Continuation
        /// Nil for all but those that have to be named.
        let names: Set<String>?
        let overflow: Overflow
        /// Whether it gets events that were decided before it came, because it resumes a subscription.
        let resumes: Bool

        var isClient: Bool { if case .disconnect = overflow { true } else { false } }
    }

    /// What happens to an event that a full buffer does not take.
    private enum Overflow {
        /// The subscriber is cut off, and this closes its connection.
        case disconnect(@Sendable () -> Void)
        /// The event is lost, and this counts it.
        case lose(@Sendable () -> Void)
    }

    private struct Address: Hashable {
        let token: DeviceToken
        let environment: APNSEnvironment
    }

    private var devices: [UInt64: DeviceSubscriber] = [:]
    private var byAddress: [Address: [UInt64]] = [:]
    private var events: [UInt64: EventSubscriber] = [:]
    /// The id of the newest subscriber.
    private(set) var lastID: UInt64 = 0
    private var isClosed = false
    private var history = EventHistory()

    var count: Int { devices.count + events.count }
    /// Without webhooks.
    var clientCount: Int { devices.count + events.values.count { $0.isClient } }
    var hasDeviceSubscribers: Bool { !devices.isEmpty }
    var hasEventSubscribers: Bool { !events.isEmpty }
    /// Whether events have to be passed on: to subscribers, or to the history for clients that come back.
    var needsEvents: Bool { !events.isEmpty || history.isKept }

    /// Throws `tooMany` where a client cannot be added.
    func checkCapacity() throws(SubscriptionError) {
        guard !isClosed, count < SubscriberLimits.maximumSubscribers else { throw .tooMany }
    }

    // MARK: Adding and removing

    /// - Parameter disconnect: Closes the client's connection; called when the client falls too far behind.
    mutating func addForDevice(
        _ token: DeviceToken, in environment: APNSEnvironment, disconnect: @escaping @Sendable () -> Void
    ) throws(SubscriptionError) -> (id: UInt64, items: AsyncStream<DeviceSubscription.Item>) {
        try checkCapacity()
        lastID += 1
        let (items, feed) = AsyncStream.makeStream(
            of: DeviceSubscription.Item.self, bufferingPolicy: .bufferingOldest(SubscriberLimits.capacity))
        let address = Address(token: token, environment: environment)
        devices[lastID] = DeviceSubscriber(address: address, feed: feed, disconnect: disconnect)
        byAddress[address, default: []].append(lastID)
        return (lastID, items)
    }

    /// - Parameters:
    ///   - lastID: The id of the last event that the client has; nil for none.
    ///   - now: Milliseconds since 1970 by the machine's clock.
    ///   - disconnect: Closes the client's connection; called when the client falls too far behind.
    mutating func addForEvents(
        after lastID: String? = nil, at now: Int64 = 0, disconnect: @escaping @Sendable () -> Void
    ) throws(SubscriptionError) -> EventSubscription {
        try checkCapacity()
        history.begin(at: now)
        let missed = lastID.map { EventID($0).flatMap { history.events(after: $0) } } ?? []
        return addForEvents(named: nil, .disconnect(disconnect), missed: missed, resumes: lastID != nil)
    }

    /// Adds a subscriber that stays when it falls behind. It has a place even where there are too many clients.
    ///
    /// - Parameter lost: Called for each event that its buffer does not take.
    mutating func addForEvents(named names: Set<String>?, lost: @escaping @Sendable () -> Void) -> EventSubscription {
        addForEvents(named: names, .lose(lost))
    }

    private mutating func addForEvents(
        named names: Set<String>?, _ overflow: Overflow, missed: [(event: GatewayEvent, id: EventID)]? = [],
        resumes: Bool = false
    ) -> EventSubscription {
        lastID += 1
        let (items, feed) = AsyncStream.makeStream(
            of: EventSubscription.Item.self, bufferingPolicy: .bufferingOldest(SubscriberLimits.capacity))
        if isClosed {
            feed.finish()
        } else {
            events[lastID] = EventSubscriber(feed: feed, names: names, overflow: overflow, resumes: resumes)
        }
        return EventSubscription(id: lastID, start: history.last, missed: missed, items: items)
    }

    /// - Returns: The device of the subscriber; nil if the subscriber was removed already, or subscribed to events.
    mutating func remove(_ id: UInt64) -> (token: DeviceToken, environment: APNSEnvironment)? {
        events.removeValue(forKey: id)?.feed.finish()
        guard let subscriber = devices.removeValue(forKey: id) else { return nil }
        subscriber.feed.finish()
        let address = subscriber.address
        byAddress[address]?.removeAll { $0 == id }
        if byAddress[address]?.isEmpty ?? false { byAddress[address] = nil }
        return (address.token, address.environment)
    }

    /// Ends the subscriptions of all devices; those to events stay.
    ///
    /// - Returns: What closes their connections.
    @discardableResult
    mutating func endDevices() -> [@Sendable () -> Void] {
        let disconnects = devices.values.map(\.disconnect)
        for subscriber in devices.values { subscriber.feed.finish() }
        devices = [:]
        byAddress = [:]
        return disconnects
    }

    /// Ends all subscriptions. Adding another one throws from now on.
    mutating func close() {
        isClosed = true
        endDevices()
        for subscriber in events.values { subscriber.feed.finish() }
        events = [:]
        history = EventHistory()
    }

    /// What closes the connection of a subscriber.
    func disconnect(_ id: UInt64) -> (@Sendable () -> Void)? {
        if let subscriber = devices[id] { return subscriber.disconnect }
        guard case .disconnect(let disconnect) = events[id]?.overflow else { return nil }
        return disconnect
    }

    /// Forgets all but the newest events that are kept for clients that come back.
    mutating func forgetEvents() { history.keepNewest(QueuedMemory.reducedCapacity) }

    // MARK: Passing on

    /// Passes a delivery to every subscriber of its device whose id is at most `last`.
    ///
    /// - Parameter memory: Counts what waits; nil where it is not limited.
    /// - Returns: The subscribers that have fallen too far behind.
    func deliver(_ delivery: Delivery, upTo last: UInt64 = .max, in memory: QueuedMemory? = nil) -> [UInt64] {
        guard let ids = byAddress[Address(token: delivery.token, environment: delivery.environment)] else { return [] }
        let item = memory.map { QueuedItem(delivery.heldBytes, in: $0) }
        return ids.filter { id in
            guard id <= last, let subscriber = devices[id] else { return false }
            return Subscribers.isBehind(subscriber.feed.yield(.delivery(delivery, item)), memory)
        }
    }

    /// Whether a subscriber has not taken what came before for too long: its buffer is full, or the memory for all buffers
    /// is used up and something waits in its own.
    private static func isBehind<Item>(
        _ result: AsyncStream<Item>.Continuation.YieldResult, _ memory: QueuedMemory?
    ) -> Bool {
        switch result {
        case .enqueued(let remaining): SubscriberLimits.capacity - remaining > memory?.allowance ?? .max
        case .dropped: true
        default: false
        }
    }

    /// The same for an event, to the subscribers of events.
    mutating func deliver(
        _ event: GatewayEvent, upTo last: UInt64 = .max, in memory: QueuedMemory? = nil
    ) -> [UInt64] {
        let item = memory.map { QueuedItem(event.heldBytes, in: $0) }
        let eventID = history.add(event, item)
        return events.compactMap { id, subscriber in
            guard id <= last || subscriber.resumes else { return nil }
            for event in event.events(for: subscriber.names) {
                switch subscriber.overflow {
                case .disconnect:
                    let result = subscriber.feed.yield(.event(event, id: eventID, item))
                    if Subscribers.isBehind(result, memory) { return id }
                case .lose(let lost):
                    guard memory.map({ $0.allowance > 1 }) ?? true,
                        case .enqueued = subscriber.feed.yield(.event(event, id: eventID, item))
                    else {
                        lost()
                        continue
                    }
                }
            }
            return nil
        }
    }

    /// Passes the app's new device token to every subscriber of the old one, and ends their streams.
    func move(_ token: DeviceToken, in environment: APNSEnvironment, to next: DeviceToken) {
        for id in byAddress[Address(token: token, environment: environment)] ?? [] {
            devices[id]?.feed.yield(.moved(to: next))
            devices[id]?.feed.finish()
        }
    }

    /// A full buffer does not take the heartbeat, and its subscriber does not need it. Webhooks get none.
    mutating func sendHeartbeats() {
        history.heartbeat(
            hasClients: events.values.contains { $0.isClient })
        for subscriber in devices.values { subscriber.feed.yield(.heartbeat) }
        for subscriber in events.values where subscriber.isClient { subscriber.feed.yield(.heartbeat) }
    }
}
