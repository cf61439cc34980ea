package import APNSModel
import APNSTransport
package import GatewayCore
import GatewayJSON
package import Synchronization
import SystemFiles

/// The only owner of the world. Each call decides under the lock; what has to be done on sockets comes back or is done
/// after the lock is released.
package final class LiveWorld: Sendable {
    package struct Shared {
        package var world: World
        package var subscribers = Subscribers()
        /// Those who wait for what they expect of the journal.
        package var waiters: [UInt64: Waiter] = [:]
        /// Whether one of them waits for something that happens after the verdict.
        package var looksAtLife = false
        package var lastWaiter: UInt64 = 0
        /// What waits for the store; nil where there is none, or the world is removed.
        package var outbox: Outbox?
        /// Takes what was judged; nil where nothing is recorded.
        package let recorder: WorldRecorder?
        /// When the shell was last told that something is due, by the world's clock; `Int64.max` for never.
        package var alarm = Int64.max
        /// Whether the gateway stops or the world is removed, so that nobody is to begin to listen.
        package var isEnded = false
        /// What is to be done once the lock is released, such as closing the connections of listeners that have fallen too
        /// far behind.
        package var afterwards: [@Sendable () -> Void] = []
    }

    package let name: WorldName
    package let environment: APNSEnvironment
    package let webhooks = Webhooks()
    package let shared: Mutex<Shared>
    /// Nil where everything is in memory alone.
    package let storeQueue: StoreQueue?
    private let port = Mutex<Int?>(nil)
    private let clockChanged = Mutex<(@Sendable (ClockChange) -> Void)?>(nil)
    private let due = Mutex<(@Sendable (_ milliseconds: Int64) -> Void)?>(nil)
    private let faultsRemoved = Mutex<(@Sendable (_ id: String?) -> Void)?>(nil)

    package init(
        _ world: consuming World, environment: APNSEnvironment, name: WorldName = .standard,
        storeQueue: StoreQueue? = nil, recorder: Recorder? = nil
    ) {
        self.name = name
        self.environment = environment
        self.storeQueue = storeQueue
        shared = Mutex(
            Shared(
                world: world, outbox: storeQueue == nil ? nil : Outbox(),
                recorder: recorder.map { WorldRecorder(recorder: $0, world: name) }))
    }

    /// The port that only senders of this world use; nil for none.
    package var ownPort: Int? {
        get { port.withLock { $0 } }
        set { port.withLock { $0 = newValue } }
    }

    /// - Parameter tell: Called when the world's time has jumped, so that what waits for it is looked at again.
    package func onClockMoved(_ tell: @escaping @Sendable (ClockChange) -> Void) { clockChanged.withLock { $0 = tell } }

    /// - Parameter tell: Called when somebody has removed a fault rule, or all of them, so that what they keep up ends.
    package func onFaultsRemoved(_ tell: @escaping @Sendable (_ id: String?) -> Void) {
        faultsRemoved.withLock { $0 = tell }
    }

    /// - Parameter tell: Called when something is due by the passing of time sooner than was told before, with how long
    ///   that is; nil ends it. Whoever is told calls `passTime` then.
    package func onDue(_ tell: (@Sendable (_ milliseconds: Int64) -> Void)?) {
        due.withLock { $0 = tell }
        change { shared, _ in shared.alarm = .max }
    }

    package func tellClockMoved(by milliseconds: Int64, isReset: Bool = false) {
        clockChanged.withLock { $0 }?(ClockChange(by: milliseconds, at: .now, isReset: isReset))
    }

    package func tellFaultsRemoved(_ id: String?) { faultsRemoved.withLock { $0 }?(id) }

    /// Looks at the world, and at nothing else.
    package func read<Result: Sendable>(_ body: (borrowing World, _ real: Int64) -> Result) -> Result {
        let real = WallClock.milliseconds
        return shared.withLock { body($0.world, real) }
    }

    package func change<Result: Sendable, Failure>(
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
        if isToStore { storeQueue?.perform { self.store(in: $0) } }
        return result
    }
}

/// For senders.
extension LiveWorld {
    package func open(_ connection: inout GatewayConnection, _ certificate: ClientCertificate?)
        -> GatewayConnection.Opening
    {
        let real = WallClock.milliseconds
        return shared.withLock {
            connection.opened(certificate: certificate, settings: $0.world.settings, at: $0.world.now(real: real))
        }
    }

    /// A connection has come.
    ///
    /// - Returns: The world's time until which a fault rule keeps its TLS from beginning; nil for none.
    package func connects() -> Int64? {
        change { shared, real in
            guard let (fault, until) = shared.world.connects(real: real) else { return nil }
            shared.tell(.fault(.connectionHeld, fault), real)
            shared.tellEndedFaults(real)
            return until
        }
    }

    package func idle(_ connection: inout GatewayConnection, for silence: Int64) -> GoAway? {
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
    package func judge(
        _ requests: [CompleteRequest], on connection: inout GatewayConnection,
        kept: (@Sendable (_ isStored: Bool) -> Void)? = nil
    ) -> [Judgement?] {
        change { shared, real in
            if let kept { shared.whenStored(kept) }
            var judgements: [Judgement?] = []
            judgements.reserveCapacity(requests.count)
            for request in requests {
                guard request.stream <= connection.lastTaken else {
                    judgements.append(nil)
                    continue
                }
                if shared.outbox?.failure != nil {
                    shared.outbox?.failure?.refused += 1
                    judgements.append(shared.world.refuseUnstored(request, on: connection))
                    continue
                }
                let judgement = shared.world.judge(
                    request, on: &connection, real: real, tellsAll: shared.hearsEverything)
                if shared.hearsVerdicts, let entry = shared.world.notification(judgement.sequence) {
                    shared.record(entry, real)
                    shared.tell(.judged(entry), real)
                    shared.show(entry, real)
                }
                shared.publish(judgement.events, real)
                judgements.append(judgement)
            }
            shared.world.answered(judgements, to: requests, at: .now)
            shared.tellEndedFaults(real)
            return judgements
        }
    }
}

/// For the control API, which sends too.
extension LiveWorld {
    /// Judges a request for which no credentials are asked. What a fault rule does to answers and connections is left out,
    /// since there is no connection; what it does to the notification happens.
    ///
    /// - Returns: Nil when the journal has let it go already.
    package func send(_ request: CompleteRequest) -> JournalEntry? {
        var connection = GatewayConnection(environment: environment, role: .control)
        guard let judgement = judge([request], on: &connection).first ?? nil else { return nil }
        return read { world, _ in world.notification(judgement.sequence) }
    }
}

extension LiveWorld {
    /// An answer that a fault rule held back has gone out.
    package func answered(_ verdict: Verdict, after duration: Duration) {
        change { shared, _ in shared.world.answered(verdict, after: duration) }
    }
}
