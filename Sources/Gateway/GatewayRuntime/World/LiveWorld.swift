package import APNSModel
import APNSTransport
package import GatewayCore
import GatewayJSON
import Synchronization
import SystemFiles

/// A world in use, and the only owner of its state.
///
/// Each call decides under one lock. What has to be done outside of the world is returned to the caller, or done by the
/// delegate after the lock is released.
package final class LiveWorld: Sendable {
    package let name: WorldName
    package let environment: APNSEnvironment
    package let webhooks = Webhooks()
    /// What clients of the control API must send for this world; nil for nothing of its own. A secret.
    package let token: String?
    /// Nil where the world is in memory alone.
    package let storeQueue: StoreQueue?
    /// Nil for a world whose memory is not limited.
    let memory: MemoryBudget?
    // Strong, so that a request that still holds a removed world has its delegate. The delegate does not hold the world.
    private let delegate: any LiveWorldDelegate
    private let state: Mutex<WorldState>
    /// Held while a reset, a restore or a reload after a failed write makes and exchanges the whole world: a reset and a reload take
    /// the start that the world has then.
    let exchange = Mutex(())
    private let port = Mutex<Int?>(nil)
    private let lastUse: Atomic<Int64>
    private let givenUp = Atomic(false)

    package init(
        _ world: consuming World, environment: APNSEnvironment, name: WorldName = .standard,
        storeQueue: StoreQueue? = nil, recorder: Recorder? = nil, memory: MemoryBudget? = nil,
        delegate: any LiveWorldDelegate
    ) {
        self.name = name
        self.environment = environment
        self.storeQueue = storeQueue
        self.memory = memory
        token = world.start.setup.token
        self.delegate = delegate
        let held = world.held.total
        state = Mutex(
            WorldState(
                world: world, outbox: storeQueue == nil ? nil : Outbox(),
                recorder: recorder.map { WorldRecorder(recorder: $0, world: name) }, queued: memory?.queued,
                countedBytes: held))
        memory?.add(held)
        lastUse = Atomic(WallClock.milliseconds)
    }

    deinit { memory?.add(-withState { $0.countedBytes }) }

    /// The port that only senders of this world use; nil for none.
    package var ownPort: Int? {
        get { port.withLock { $0 } }
        set { port.withLock { $0 = newValue } }
    }

    /// Stores what the world begins with, and reports to the delegate when something is due first.
    ///
    /// It makes no room: `Worlds` calls it under its lock, and making room takes that lock for the list of all worlds.
    ///
    /// - Parameter stored: Called once on the queue of the store, if there is one, before everything else that waits for it.
    func start(stored: (@Sendable (_ isStored: Bool) -> Void)? = nil) {
        changeWithoutMakingRoom { state, _ in
            guard let stored else { return }
            state.whenStored(stored)
        }
    }

    /// The gateway stops: due times are not reported any more.
    package func stopTimer() {
        withState { $0.reportsDue = false }
        delegate.nextDue(in: nil, of: self)
    }

    /// Reads the world.
    package func read<Result: Sendable>(_ body: (borrowing World, _ real: Int64) -> Result) -> Result {
        let real = WallClock.milliseconds
        return state.withLock { body($0.world, real) }
    }

    /// Reads the journal in parts, newest first. The lock is released between two parts, so that senders go on meanwhile.
    package func readJournal(_ body: (borrowing World, _ part: Range<UInt64>) -> Void) {
        readJournal(read { world, _ in world.journalSequences }, body)
    }

    private func readJournal(_ sequences: Range<UInt64>, _ body: (borrowing World, _ part: Range<UInt64>) -> Void) {
        for part in JournalParts(sequences) {
            read { world, _ in body(world, part) }
        }
    }

    /// One page of the journal, newest first.
    package func notifications(_ query: NotificationQuery) -> NotificationPage {
        var search = NotificationSearch(query)
        let sequences = search.begin(read { world, _ in world.journalSequences })
        readJournal(sequences) { search.read($0, $1) }
        return search.page
    }

    /// Reads or changes the state, and does not do what follows from a change. For the steps of the store: each of them
    /// would schedule another write, without end.
    func withState<Result: Sendable>(_ body: (inout WorldState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }

    /// Changes the world, and does what follows after the lock is released. If the gateway then holds more than its limit
    /// of memory, room is made before this returns.
    func change<Result: Sendable, Failure>(
        _ body: (inout WorldState, _ real: Int64) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = try changeWithoutMakingRoom(body)
        memory?.makeRoomIfNeeded()
        return result
    }

    func changeWithoutMakingRoom<Result: Sendable, Failure>(
        _ body: (inout WorldState, _ real: Int64) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let real = WallClock.milliseconds
        let isFull = memory?.isFull ?? false
        let (result, effects) = try state.withLock {
            (state) throws(Failure) -> (Result, WorldState.Effects) in
            state.world.moment = real
            state.world.isMemoryFull = isFull
            let result = try body(&state, real)
            return (result, state.takeEffects(real))
        }
        if effects.heldBytes != 0 { memory?.add(effects.heldBytes) }
        for action in effects.actions { action() }
        if let due = effects.due { delegate.nextDue(in: due, of: self) }
        if effects.mustStore { storeQueue?.perform { self.store(in: $0) } }
        return result
    }

    /// Whether it could not be stored at its first use: it does not exist, and refuses what those ask of it that still
    /// hold it. The next use makes another world of its name.
    package var isGivenUp: Bool { givenUp.load(ordering: .acquiring) }

    func giveUp() {
        givenUp.store(true, ordering: .releasing)
        endSubscriptions()
    }

    /// A sender or a client of the control API uses the world now.
    package func noteUse() { lastUse.store(WallClock.milliseconds, ordering: .relaxed) }

    /// Whether a client listens or waits.
    var isInUse: Bool { withState { $0.subscribers.clientCount > 0 || !$0.waiters.isEmpty } }

    /// For how long nobody has used it, in milliseconds; 0 while a client listens or waits.
    package func idleTime(at real: Int64 = WallClock.milliseconds) -> Int64 {
        isInUse ? 0 : max(0, real - lastUse.load(ordering: .relaxed))
    }

    func reportClockChange(by milliseconds: Int64, isReset: Bool = false) {
        delegate.clockChanged(ClockChange(by: milliseconds, at: .now, isReset: isReset), in: self)
    }

    func reportFaultRulesRemoved(_ id: String?) { delegate.faultRulesRemoved(id, in: self) }
}
