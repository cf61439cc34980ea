import APNSModel
import GatewayCore
import Synchronization

/// The only owner of the world. Each call decides under the lock; what has to be done on sockets comes back or is done
/// after the lock is released.
final class GatewayState: Sendable {
    fileprivate struct Shared {
        var world: World
        var listeners = Listeners()
        /// Connections of listeners that have fallen too far behind, to be closed once the lock is released.
        var disconnects: [@Sendable () -> Void] = []
    }

    let environment: APNSEnvironment
    private let shared: Mutex<Shared>
    private let clockMoved = Mutex<(@Sendable (_ isReset: Bool) -> Void)?>(nil)
    private let faultsRemoved = Mutex<(@Sendable (_ id: String?) -> Void)?>(nil)

    init(_ start: WorldStart, environment: APNSEnvironment) throws(RegistrationFault) {
        self.environment = environment
        shared = Mutex(Shared(world: try World(start, real: WallClock.milliseconds)))
    }

    /// - Parameter tell: Called when the world's time has jumped, so that what waits for it is looked at again.
    func onClockMoved(_ tell: @escaping @Sendable (_ isReset: Bool) -> Void) { clockMoved.withLock { $0 = tell } }

    /// - Parameter tell: Called when somebody has removed a fault rule, or all of them, so that what they keep up ends.
    func onFaultsRemoved(_ tell: @escaping @Sendable (_ id: String?) -> Void) { faultsRemoved.withLock { $0 = tell } }

    private func tellClockMoved(isReset: Bool = false) { clockMoved.withLock { $0 }?(isReset) }

    /// Looks at the world, and at nothing else.
    func read<Result: Sendable>(_ body: (borrowing World, _ real: Int64) -> Result) -> Result {
        let real = WallClock.milliseconds
        return shared.withLock { body($0.world, real) }
    }

    private func change<Result: Sendable, Failure>(
        _ body: (inout Shared, _ real: Int64) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let real = WallClock.milliseconds
        let (result, disconnects) = try shared.withLock {
            (shared) throws(Failure) -> (Result, [@Sendable () -> Void]) in
            let result = try body(&shared, real)
            guard !shared.disconnects.isEmpty else { return (result, []) }
            defer { shared.disconnects = [] }
            return (result, shared.disconnects)
        }
        for disconnect in disconnects { disconnect() }
        return result
    }
}

/// For senders.
extension GatewayState {
    func open(_ connection: inout GatewayConnection, _ certificate: ClientCertificate?) -> GatewayConnection.Opening {
        let real = WallClock.milliseconds
        return shared.withLock {
            connection.opened(certificate: certificate, settings: $0.world.settings, at: $0.world.now(real: real))
        }
    }

    /// A connection has come.
    ///
    /// - Returns: The world's time until which a fault rule keeps its TLS from beginning; nil for none.
    func connects() -> Int64? {
        change { shared, real in
            guard let (fault, until) = shared.world.connects(real: real) else { return nil }
            shared.tell(.fault(.connectionHeld, fault), real)
            shared.tellEndedFaults(real)
            return until
        }
    }

    func idle(_ connection: GatewayConnection, for silence: Int64) -> GoAway? {
        read { world, _ in connection.idle(for: silence, settings: world.settings) }
    }

    /// Judges the requests of one batch, which costs one lock for all of them.
    ///
    /// - Parameter requests: Empty afterwards.
    /// - Returns: As many judgements as requests, in their order; nil for those that the connection takes no more.
    func judge(_ requests: inout [CompleteRequest], on connection: inout GatewayConnection) -> [Judgement?] {
        change { shared, real in
            var judgements: [Judgement?] = []
            judgements.reserveCapacity(requests.count)
            for request in requests {
                guard connection.takes(request.stream) else {
                    judgements.append(nil)
                    continue
                }
                let judgement = shared.world.judge(request, on: &connection, real: real)
                if shared.listeners.hearsEvents, let entry = shared.world.notification(judgement.sequence) {
                    shared.tell(.judged(entry), real)
                }
                shared.publish(judgement.events, real)
                judgements.append(judgement)
            }
            requests.removeAll(keepingCapacity: true)
            shared.tellEndedFaults(real)
            return judgements
        }
    }
}

/// For the control API, which sends too.
extension GatewayState {
    /// Judges a request for which no credentials are asked. What a fault rule does to answers and connections is left out,
    /// since there is no connection; what it does to the notification happens.
    ///
    /// - Returns: Nil when the journal has let it go already.
    func send(_ request: CompleteRequest) -> JournalEntry? {
        var connection = GatewayConnection(environment: environment, role: .control)
        var requests = [request]
        guard let judgement = judge(&requests, on: &connection).first ?? nil else { return nil }
        return read { world, _ in world.notification(judgement.sequence) }
    }
}

/// For listeners.
extension GatewayState {
    /// What keeps a listener from connecting.
    enum SubscriptionFault: Error {
        case noDevice
        case tooMany
    }

    /// - Parameter disconnect: Closes the listener's connection; called when it falls too far behind.
    func subscribe(
        _ token: DeviceToken, in environment: APNSEnvironment, after lastID: String?,
        disconnect: @escaping @Sendable () -> Void
    ) throws(SubscriptionFault) -> DeviceSubscription {
        try change { (shared, real) throws(SubscriptionFault) in
            guard shared.listeners.count < DeviceFeed.maximumListeners else { throw .tooMany }
            guard let (resumption, events) = shared.world.subscribe(token, in: environment, after: lastID, real: real)
            else { throw .noDevice }
            let (id, items) = shared.listeners.add(device: token, in: environment, disconnect: disconnect)
            shared.publish(events, real)
            return DeviceSubscription(id: id, resumption: resumption, items: items)
        }
    }

    func subscribeToEvents(
        disconnect: @escaping @Sendable () -> Void
    ) throws(SubscriptionFault) -> EventSubscription {
        try change { (shared, _) throws(SubscriptionFault) in
            guard shared.listeners.count < DeviceFeed.maximumListeners else { throw .tooMany }
            return shared.listeners.addForEvents(disconnect: disconnect)
        }
    }

    /// Connects a device that nobody reads from: what is delivered to it goes into its history alone. It stays connected
    /// until the world is reset.
    ///
    /// - Returns: Whether there is such a device.
    func connect(_ token: DeviceToken, in environment: APNSEnvironment) -> Bool {
        change { shared, real in
            guard let (_, events) = shared.world.subscribe(token, in: environment, real: real) else { return false }
            shared.publish(events, real)
            return true
        }
    }

    /// The connection of a listener is gone. A second call changes nothing.
    func unsubscribe(_ id: UInt64) { change { shared, real in shared.remove(id, real) } }

    func sendHeartbeats() { change { shared, _ in shared.listeners.sendHeartbeats() } }

    func endListeners() { change { shared, _ in shared.listeners.endAll() } }
}

/// For the control API and the clock.
extension GatewayState {
    func now() -> Int64 { read { world, real in world.now(real: real) } }

    /// Does what the passing of time does.
    func expireStored() {
        change { shared, real in
            guard shared.world.now(real: real) >= shared.world.nextChange else { return }
            let expired = shared.world.expireStored(real: real)
            shared.publish(expired, real)
            shared.tellEndedFaults(real)
        }
    }

    func setClock(_ mode: WorldClock.Mode?, to now: Int64?) {
        change { shared, real in
            let mode = mode ?? shared.world.clock.mode
            let expired = shared.world.setClock(mode, to: now, real: real)
            shared.publish(expired, real)
            shared.tellEndedFaults(real)
            let moved = shared.world.now(real: real)
            shared.tell(.clock(mode, now: moved), real)
        }
        tellClockMoved()
    }

    func advanceClock(by milliseconds: Int64) {
        change { shared, real in
            let expired = shared.world.advanceClock(by: milliseconds, real: real)
            shared.publish(expired, real)
            shared.tellEndedFaults(real)
            let mode = shared.world.clock.mode
            let moved = shared.world.now(real: real)
            shared.tell(.clock(mode, now: moved), real)
        }
        tellClockMoved()
    }

    func clock() -> (mode: WorldClock.Mode, now: Int64) {
        read { world, real in (world.clock.mode, world.now(real: real)) }
    }

    func add(_ rule: FaultRule) throws(RegistrationFault) -> ActiveFault {
        try change { (shared, real) throws(RegistrationFault) in
            let fault = try shared.world.add(rule, real: real)
            shared.tellEndedFaults(real)
            shared.tell(.fault(.added, fault), real)
            return fault
        }
    }

    /// - Returns: Whether there was such a rule.
    func removeFault(_ id: String) -> Bool {
        let isRemoved = change { shared, real in
            guard let fault = shared.world.removeFault(id) else { return false }
            shared.tell(.fault(.removed, fault), real)
            return true
        }
        if isRemoved { faultsRemoved.withLock { $0 }?(id) }
        return isRemoved
    }

    func removeFaults() {
        change { shared, real in
            for fault in shared.world.removeFaults() { shared.tell(.fault(.removed, fault), real) }
        }
        faultsRemoved.withLock { $0 }?(nil)
    }

    func register(_ registration: DeviceRegistration) throws(RegistrationFault) -> Device {
        try change { (shared, real) throws(RegistrationFault) in
            let device = try shared.world.register(registration, real: real)
            shared.tell(.device(.registered, device), real)
            return device
        }
    }

    func register(_ app: RegisteredApp) throws(RegistrationFault) {
        try change { (shared, real) throws(RegistrationFault) in
            try shared.world.register(app)
            shared.tell(.app(app), real)
        }
    }

    func register(_ key: ProviderKey) throws(RegistrationFault) {
        try change { (shared, real) throws(RegistrationFault) in
            try shared.world.register(key)
            shared.tell(.key(key), real)
        }
    }

    /// Nil when there is no such device.
    func patch(_ token: DeviceToken, in environment: APNSEnvironment, _ patch: DevicePatch) -> Device? {
        change { shared, real in
            let patched = shared.world.patch(token, in: environment, patch, real: real)
            return shared.tell(.changed, patched, real)
        }
    }

    /// The same with the channels that the device is to subscribe to; nil leaves them as they are. Where it may not
    /// subscribe to one of them, nothing changes.
    func patch(
        _ token: DeviceToken, in environment: APNSEnvironment, _ patch: DevicePatch, channels: [String]?
    ) throws(RegistrationFault) -> Device? {
        guard let channels else { return self.patch(token, in: environment, patch) }
        return try change { (shared, real) throws(RegistrationFault) in
            _ = try shared.world.channelsFor(token, in: environment, channels)
            guard let patched = shared.world.patch(token, in: environment, patch, real: real) else { return nil }
            shared.publish(patched.events, real)
            let subscribed = try shared.world.subscribe(token, in: environment, to: channels, real: real)
            return shared.tell(.changed, subscribed, real)
        }
    }

    /// Nil when there is no such device.
    func uninstall(_ token: DeviceToken, in environment: APNSEnvironment) -> Device? {
        change { shared, real in
            let uninstalled = shared.world.uninstall(token, in: environment, real: real)
            return shared.tell(.uninstalled, uninstalled, real)
        }
    }

    func deleteNotifications() {
        change { shared, real in
            shared.world.deleteNotifications()
            shared.tell(.journalEmptied, real)
        }
    }

    /// Everything back to the state at start. The devices' listeners are disconnected.
    func reset() {
        change { shared, real in
            shared.world.reset(real: real)
            shared.listeners.endDevices()
            shared.tell(.reset, real)
        }
        tellClockMoved(isReset: true)
    }
}

extension GatewayState.Shared {
    /// Tells the listeners what happened to notifications.
    fileprivate mutating func publish(_ events: [DeliveryEvent], _ real: Int64) {
        guard !events.isEmpty, listeners.count > 0 else { return }
        for event in events {
            tell(.life(event), real)
            guard event.stage == .delivered, listeners.hearsDeliveries else { continue }
            cutOff(listeners.deliver(event.delivery), real)
        }
    }

    fileprivate mutating func tell(_ event: @autoclosure () -> GatewayEvent, _ real: Int64) {
        guard listeners.hearsEvents else { return }
        cutOff(listeners.tell(event()), real)
    }

    fileprivate mutating func tell(
        _ change: GatewayEvent.DeviceChange, _ result: (device: Device, events: [DeliveryEvent])?, _ real: Int64
    ) -> Device? {
        guard let (device, events) = result else { return nil }
        tell(.device(change, device), real)
        publish(events, real)
        return device
    }

    /// Says which fault rules came to their end by themselves.
    fileprivate mutating func tellEndedFaults(_ real: Int64) {
        guard world.hasEndedFaults else { return }
        for fault in world.takeEndedFaults() { tell(.fault(.ended, fault), real) }
    }

    private mutating func cutOff(_ ids: [UInt64], _ real: Int64) {
        for id in ids {
            if let disconnect = listeners.disconnect(id) { disconnects.append(disconnect) }
            remove(id, real)
        }
    }

    fileprivate mutating func remove(_ id: UInt64, _ real: Int64) {
        guard let (token, environment) = listeners.remove(id) else { return }
        world.unsubscribe(token, in: environment, real: real)
    }
}
