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
    /// Nil where the world is in memory alone.
    package let storeQueue: StoreQueue?
    // Strong, so that a request that still holds a removed world has its delegate. The delegate does not hold the world.
    private let delegate: any LiveWorldDelegate
    private let state: Mutex<WorldState>
    private let port = Mutex<Int?>(nil)

    package init(
        _ world: consuming World, environment: APNSEnvironment, name: WorldName = .standard,
        storeQueue: StoreQueue? = nil, recorder: Recorder? = nil, delegate: any LiveWorldDelegate
    ) {
        self.name = name
        self.environment = environment
        self.storeQueue = storeQueue
        self.delegate = delegate
        state = Mutex(
            WorldState(
                world: world, outbox: storeQueue == nil ? nil : Outbox(),
                recorder: recorder.map { WorldRecorder(recorder: $0, world: name) }))
    }

    /// The port that only senders of this world use; nil for none.
    package var ownPort: Int? {
        get { port.withLock { $0 } }
        set { port.withLock { $0 = newValue } }
    }

    /// Stores what the world begins with, and reports to the delegate when something is due first.
    func start() { change { _, _ in } }

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

    /// Reads or changes the state, and does not do what follows from a change. For the steps of the store: each of them
    /// would schedule another write, without end.
    func withState<Result: Sendable>(_ body: (inout WorldState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }

    /// Changes the world, and does what follows after the lock is released.
    func change<Result: Sendable, Failure>(
        _ body: (inout WorldState, _ real: Int64) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let real = WallClock.milliseconds
        let (result, effects) = try state.withLock {
            (state) throws(Failure) -> (Result, WorldState.Effects) in
            let result = try body(&state, real)
            return (result, state.takeEffects(real))
        }
        for action in effects.actions { action() }
        if let due = effects.due { delegate.nextDue(in: due, of: self) }
        if effects.mustStore { storeQueue?.perform { self.store(in: $0) } }
        return result
    }

    func reportClockChange(by milliseconds: Int64, isReset: Bool = false) {
        delegate.clockChanged(ClockChange(by: milliseconds, at: .now, isReset: isReset), in: self)
    }

    func reportFaultRulesRemoved(_ id: String?) { delegate.faultRulesRemoved(id, in: self) }
}
