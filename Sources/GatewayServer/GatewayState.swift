import APNSModel
import APNSTransport
import GatewayCore
import Synchronization

/// The only owner of the world. Each call decides under the lock; what has to be done on sockets comes back or is done
/// after the lock is released.
final class GatewayState: Sendable {
    struct Shared {
        var world: World
        var listeners = Listeners()
        /// Those who wait for what they expect of the journal.
        var waiters: [UInt64: Waiter] = [:]
        /// Whether one of them waits for something that happens after the verdict.
        var looksAtLife = false
        var lastWaiter: UInt64 = 0
        /// What waits for the store; nil where there is none, or the world is removed.
        var outbox: Outbox?
        /// Takes what was judged; nil where nothing is recorded.
        let recorder: WorldRecorder?
        /// When the shell was last told that something is due, by the world's clock; `Int64.max` for never.
        var alarm = Int64.max
        /// Whether the gateway stops or the world is removed, so that nobody is to begin to listen.
        var isEnded = false
        /// What is to be done once the lock is released, such as closing the connections of listeners that have fallen too
        /// far behind.
        var afterwards: [@Sendable () -> Void] = []
    }

    let name: WorldName
    let environment: APNSEnvironment
    let webhooks = Webhooks()
    let shared: Mutex<Shared>
    /// Nil where everything is in memory alone.
    let keeper: StoreKeeper?
    private let port = Mutex<Int?>(nil)
    private let clockMoved = Mutex<(@Sendable (ClockMove) -> Void)?>(nil)
    private let due = Mutex<(@Sendable (_ milliseconds: Int64) -> Void)?>(nil)
    private let faultsRemoved = Mutex<(@Sendable (_ id: String?) -> Void)?>(nil)

    init(
        _ world: consuming World, environment: APNSEnvironment, name: WorldName = .standard,
        keeper: StoreKeeper? = nil, recorder: Recorder? = nil
    ) {
        self.name = name
        self.environment = environment
        self.keeper = keeper
        shared = Mutex(
            Shared(
                world: world, outbox: keeper == nil ? nil : Outbox(),
                recorder: recorder.map { WorldRecorder(recorder: $0, world: name) }))
    }

    /// The port that only senders of this world use; nil for none.
    var ownPort: Int? {
        get { port.withLock { $0 } }
        set { port.withLock { $0 = newValue } }
    }

    /// - Parameter tell: Called when the world's time has jumped, so that what waits for it is looked at again.
    func onClockMoved(_ tell: @escaping @Sendable (ClockMove) -> Void) { clockMoved.withLock { $0 = tell } }

    /// - Parameter tell: Called when somebody has removed a fault rule, or all of them, so that what they keep up ends.
    func onFaultsRemoved(_ tell: @escaping @Sendable (_ id: String?) -> Void) { faultsRemoved.withLock { $0 = tell } }

    /// - Parameter tell: Called when something is due by the passing of time sooner than was told before, with how long
    ///   that is; nil ends it. Whoever is told calls `passTime` then.
    func onDue(_ tell: (@Sendable (_ milliseconds: Int64) -> Void)?) {
        due.withLock { $0 = tell }
        change { shared, _ in shared.alarm = .max }
    }

    private func tellClockMoved(by milliseconds: Int64, isReset: Bool = false) {
        clockMoved.withLock { $0 }?(ClockMove(by: milliseconds, at: .now, isReset: isReset))
    }

    /// Looks at the world, and at nothing else.
    func read<Result: Sendable>(_ body: (borrowing World, _ real: Int64) -> Result) -> Result {
        let real = WallClock.milliseconds
        return shared.withLock { body($0.world, real) }
    }

    func change<Result: Sendable, Failure>(
        _ body: (inout Shared, _ real: Int64) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let real = WallClock.milliseconds
        let (result, afterwards, isToStore, wait) = try shared.withLock {
            (shared) throws(Failure) -> (Result, [@Sendable () -> Void], Bool, Int64?) in
            let result = try body(&shared, real)
            let isToStore = shared.outbox?.schedule() ?? false
            let wait = shared.nextAlarm(real)
            guard !shared.afterwards.isEmpty else { return (result, [], isToStore, wait) }
            defer { shared.afterwards = [] }
            return (result, shared.afterwards, isToStore, wait)
        }
        for act in afterwards { act() }
        if let wait { due.withLock { $0 }?(wait) }
        if isToStore { keeper?.perform { self.store(in: $0) } }
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

    func idle(_ connection: inout GatewayConnection, for silence: Int64) -> GoAway? {
        let settings = read { world, _ in world.settings }
        return connection.idle(for: silence, settings: settings)
    }

    /// Judges the requests of one batch, which costs one lock for all of them.
    ///
    /// - Parameters:
    ///   - requests: Empty afterwards.
    ///   - kept: Called once, where there is a store: the judgements hold when it has told so, and before that nothing
    ///     may be done about them.
    /// - Returns: As many judgements as requests, in their order; nil for those that the connection takes no more.
    func judge(
        _ requests: inout [CompleteRequest], on connection: inout GatewayConnection,
        kept: (@Sendable (_ isKept: Bool) -> Void)? = nil
    ) -> [Judgement?] {
        change { shared, real in
            if let kept { shared.whenKept(kept) }
            var judgements: [Judgement?] = []
            judgements.reserveCapacity(requests.count)
            for request in requests {
                guard request.stream <= connection.lastTaken else {
                    judgements.append(nil)
                    continue
                }
                if shared.outbox?.failure != nil {
                    shared.outbox?.failure?.refused += 1
                    judgements.append(shared.world.refuseUnkept(request, on: connection))
                    continue
                }
                let judgement = shared.world.judge(request, on: &connection, real: real)
                if shared.hearsVerdicts, let entry = shared.world.notification(judgement.sequence) {
                    shared.record(entry, real)
                    shared.tell(.judged(entry), real)
                    shared.show(entry, real)
                }
                shared.publish(judgement.events, real)
                judgements.append(judgement)
            }
            shared.world.answered(judgements, to: requests, at: .now)
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

extension GatewayState {
    /// An answer that a fault rule held back has gone out.
    func answered(_ verdict: Verdict, after duration: Duration) {
        change { shared, _ in shared.world.answered(verdict, after: duration) }
    }
}

/// For listeners.
extension GatewayState {
    /// What keeps a listener from connecting.
    enum SubscriptionFault: Error {
        case noDevice
        /// There are too many, or the gateway stops.
        case tooMany
    }

    /// - Parameters:
    ///   - isPatient: Whether to wait for what is not settled yet.
    ///   - settled: Called once, perhaps before this returns, unless `stopWaiting` is never called.
    /// - Returns: What `stopWaiting` takes; nil where it is settled already.
    func wait(
        for expectation: JournalExpectation, isPatient: Bool,
        _ settled: @escaping @Sendable (JournalExpectation) -> Void
    ) throws(SubscriptionFault) -> UInt64? {
        try change { (shared, _) throws(SubscriptionFault) in
            guard shared.waiters.count < DeviceFeed.maximumListeners else { throw .tooMany }
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
    var waiterCount: Int { shared.withLock { $0.waiters.count } }

    /// Settles what waits as it is. A second call changes nothing.
    func stopWaiting(_ id: UInt64) { change { shared, _ in shared.settle(id) } }

    /// Adds a listener to events that never stops the gateway: what it has no room for is lost to it.
    ///
    /// - Parameters:
    ///   - names: The events that it wants; nil for all.
    ///   - lost: Called for each event that it had no room for.
    func subscribeToEvents(
        named names: Set<String>?, lost: @escaping @Sendable () -> Void
    ) -> EventSubscription {
        change { shared, _ in shared.listeners.addForEvents(named: names, lost: lost) }
    }

    /// - Parameter disconnect: Closes the listener's connection; called when it falls too far behind.
    func subscribe(
        _ token: DeviceToken, in environment: APNSEnvironment, after lastID: String?,
        disconnect: @escaping @Sendable () -> Void
    ) throws(SubscriptionFault) -> DeviceSubscription {
        try change { (shared, real) throws(SubscriptionFault) in
            guard shared.listeners.count < DeviceFeed.maximumListeners, !shared.isEnded else { throw .tooMany }
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
            guard shared.listeners.count < DeviceFeed.maximumListeners, !shared.isEnded else { throw .tooMany }
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

    /// Ends all that listen or wait, for good.
    func endListeners() {
        webhooks.removeAll(of: self)
        change { shared, _ in
            shared.isEnded = true
            shared.listeners.endAll()
            for id in shared.waiters.keys { shared.settle(id) }
        }
    }
}

/// For the control API and the clock.
extension GatewayState {
    func now() -> Int64 { read { world, real in world.now(real: real) } }

    /// Does what the passing of time does, where anything is due.
    func passTimeIfDue() {
        if read({ world, real in world.now(real: real) >= world.nextChange }) { passTime() }
    }

    /// Does what the passing of time does, and has the shell told of what is due next.
    func passTime() {
        change { shared, real in
            shared.alarm = .max
            guard shared.outbox?.failure == nil, shared.world.now(real: real) >= shared.world.nextChange else { return }
            let expired = shared.world.expireStored(real: real)
            shared.publish(expired, real)
            shared.tellEndedFaults(real)
        }
    }

    func setClock(_ mode: WorldClock.Mode?, to now: Int64?) {
        let distance = change { shared, real in
            let mode = mode ?? shared.world.clock.mode
            let before = shared.world.now(real: real)
            let expired = shared.world.setClock(mode, to: now, real: real)
            shared.alarm = .max
            shared.publish(expired, real)
            shared.tellEndedFaults(real)
            let moved = shared.world.now(real: real)
            shared.tell(.clock(mode, now: moved), real)
            return moved - before
        }
        tellClockMoved(by: distance)
    }

    func advanceClock(by milliseconds: Int64) {
        let distance = change { shared, real in
            let before = shared.world.now(real: real)
            let expired = shared.world.advanceClock(by: milliseconds, real: real)
            shared.alarm = .max
            shared.publish(expired, real)
            shared.tellEndedFaults(real)
            let mode = shared.world.clock.mode
            let moved = shared.world.now(real: real)
            shared.tell(.clock(mode, now: moved), real)
            return moved - before
        }
        tellClockMoved(by: distance)
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

    /// - Returns: Whether there was such a key that was not revoked yet.
    func revokeKey(_ keyID: String) -> Bool {
        change { shared, real in
            guard shared.world.revokeKey(keyID) else { return false }
            if let key = shared.world.registeredKeys.first(where: { $0.keyID == keyID }) {
                shared.tell(.key(key), real)
            }
            return true
        }
    }

    /// Changes how the world behaves, all at once.
    func changeSettings<Failure>(_ body: (inout WorldSettings) throws(Failure) -> Void) throws(Failure) {
        try change { (shared, real) throws(Failure) in
            var settings = shared.world.settings
            try body(&settings)
            shared.publish(shared.world.change(to: settings, real: real), real)
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
    func uninstall(
        _ token: DeviceToken, in environment: APNSEnvironment, noticedAfter noticed: Int64? = nil
    ) -> Device? {
        change { shared, real in
            let uninstalled = shared.world.uninstall(token, in: environment, noticedAfter: noticed, real: real)
            return shared.tell(.uninstalled, uninstalled, real)
        }
    }

    /// Gives the app a new device token, and its listeners that of the device to listen to now. Nil when there is no such
    /// device.
    func changeToken(
        of token: DeviceToken, in environment: APNSEnvironment, by change: TokenChange, noticedAfter noticed: Int64?
    ) throws(RegistrationFault) -> Device? {
        try self.change { (shared, real) throws(RegistrationFault) in
            let changed = try shared.world.changeToken(
                of: token, in: environment, by: change, noticedAfter: noticed, real: real)
            guard let (old, new, events) = changed else { return nil }
            shared.tell(.device(.uninstalled, old), real)
            shared.publish(events, real)
            shared.tell(.device(.registered, new), real)
            shared.listeners.move(token, in: environment, to: new.token)
            return new
        }
    }

    func deleteNotifications() {
        change { shared, real in
            shared.world.deleteNotifications()
            shared.lookAgain()
            shared.tell(.journalEmptied, real)
        }
    }

    /// Everything back to the state at start. The devices' listeners are disconnected.
    func reset() {
        change { shared, real in
            shared.world.reset(real: real)
            shared.alarm = .max
            shared.listeners.endDevices()
            shared.lookAgain()
            shared.tell(.reset, real)
        }
        webhooks.removeAdded(of: self)
        tellClockMoved(by: 0, isReset: true)
    }
}

extension GatewayState.Shared {
    /// In how many milliseconds something is due, where that is sooner than was said before. A clock that is set by hand
    /// passes no time, and a store that fails has what is due wait.
    fileprivate mutating func nextAlarm(_ real: Int64) -> Int64? {
        let next = world.nextChange
        guard next < alarm, world.clock.mode == .real, outbox?.failure == nil else { return nil }
        alarm = next
        let now = world.now(real: real)
        return next > now ? next - now : 0
    }

    /// Tells the listeners what happened to notifications.
    mutating func publish(_ events: [DeliveryEvent], _ real: Int64) {
        guard !events.isEmpty else { return }
        guard looksAtLife || listeners.hearsEvents else {
            guard listeners.hearsDeliveries else { return }
            for index in events.indices where events[index].stage == .delivered {
                send(.delivery(events[index].delivery), real)
            }
            return
        }
        for event in events {
            if looksAtLife { send(.life(event.delivery.sequence), real) }
            tell(.life(event), real)
            guard event.stage == .delivered, listeners.hearsDeliveries else { continue }
            send(.delivery(event.delivery), real)
        }
    }

    mutating func tell(_ event: @autoclosure () -> GatewayEvent, _ real: Int64) {
        guard listeners.hearsEvents else { return }
        send(.event(event()), real)
    }

    /// Whether somebody wants to know of each request that is judged.
    var hearsVerdicts: Bool { recorder != nil || listeners.hearsEvents || !waiters.isEmpty }

    mutating func record(_ entry: JournalEntry, _ real: Int64) {
        if recorder != nil { send(.record(entry), real) }
    }

    /// Where there is a store, what listeners are told waits for it.
    private mutating func send(_ item: Outbox.Item, _ real: Int64) {
        let publication = Outbox.Publication(item: item, lastListener: listeners.lastID, lastWaiter: lastWaiter)
        if outbox != nil { outbox?.publications.append(publication) } else { release(publication, real) }
    }

    mutating func release(_ publication: Outbox.Publication, _ real: Int64) {
        switch publication.item {
        case .delivery(let delivery): cutOff(listeners.deliver(delivery, upTo: publication.lastListener), real)
        case .event(let event): cutOff(listeners.tell(event, upTo: publication.lastListener), real)
        case .record(let entry): recorder?.add(entry)
        case .shown(let entry): show(entry, isNew: true, upTo: publication.lastWaiter)
        case .life(let sequence):
            guard let entry = world.notification(sequence) else { return }
            show(entry, isNew: false, upTo: publication.lastWaiter)
        }
    }

    /// Their connections are closed as well, so that the devices come back for what they have missed.
    mutating func endListenersOfDevices() {
        afterwards += listeners.endDevices()
    }

    mutating func tell(
        _ change: GatewayEvent.DeviceChange, _ result: (device: Device, events: [DeliveryEvent])?, _ real: Int64
    ) -> Device? {
        guard let (device, events) = result else { return nil }
        tell(.device(change, device), real)
        publish(events, real)
        return device
    }

    /// Says which fault rules came to their end by themselves.
    mutating func tellEndedFaults(_ real: Int64) {
        guard world.hasEndedFaults else { return }
        for fault in world.takeEndedFaults() { tell(.fault(.ended, fault), real) }
    }

    /// Has a new entry shown to those who wait.
    fileprivate mutating func show(_ entry: JournalEntry, _ real: Int64) {
        if !waiters.isEmpty { send(.shown(entry), real) }
    }

    /// Shows an entry to those who wait and came no later than `last`; one that is not new only to those that look at its
    /// life.
    private mutating func show(_ entry: JournalEntry, isNew: Bool, upTo last: UInt64) {
        for id in waiters.keys where isNew || waiters[id]?.expectation.match.looksAtLife == true {
            guard id <= last, waiters[id]?.expectation.look(at: entry) == true else { continue }
            if waiters[id]?.expectation.isSettled == true { settle(id) }
        }
    }

    /// The journal is another one.
    mutating func lookAgain() {
        for id in waiters.keys { waiters[id]?.expectation.look(at: world) }
    }

    fileprivate mutating func settle(_ id: UInt64) {
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        if waiters.isEmpty { looksAtLife = false }
        afterwards.append { waiter.settled(waiter.expectation) }
    }

    private mutating func cutOff(_ ids: [UInt64], _ real: Int64) {
        for id in ids {
            if let disconnect = listeners.disconnect(id) { afterwards.append(disconnect) }
            remove(id, real)
        }
    }

    mutating func remove(_ id: UInt64, _ real: Int64) {
        guard let (token, environment) = listeners.remove(id) else { return }
        world.unsubscribe(token, in: environment, real: real)
    }
}
