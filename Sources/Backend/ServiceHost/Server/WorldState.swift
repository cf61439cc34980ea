import Foundation
import Synchronization

/// The world behind a lock, its store, and the clients that follow its events.
///
/// A request is answered when its changes are stored, under the same lock, so that no answer and no event tells of
/// something that a restart would not know.
package final class WorldState<World: SimulatedWorld>: Sendable {
    private struct State {
        var world: World
        var subscribers = ServiceSubscribers()
        /// Why the last write failed. Nothing is changed before the store can be written again.
        var failure: String?
    }

    private let state: Mutex<State>
    private let store: (any ServiceStore)?

    private static var heartbeat: Duration { .seconds(15) }

    /// - Parameter store: That of the world, which notes its changes; what it has noted so far is written.
    package init(_ world: World, _ store: (any ServiceStore)?) throws {
        var world = world
        if let store { try store.write(world.stored(world.takeChanges())) }
        state = Mutex(State(world: world))
        self.store = store
    }

    private static var real: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    package func answer(_ request: ServiceRequest) -> ServiceOutcome {
        let real = WorldState.real
        return state.withLock { state in
            guard state.world.mayChange(request) else { return state.world.answer(request, real: real) }
            if let why = whyNotStored(&state) { return World.notStored(request, why) }
            let outcome = state.world.answer(request, real: real)
            guard store != nil || state.subscribers.count > 0 else { return outcome }
            let changes = state.world.takeChanges()
            do {
                try store?.write(state.world.stored(changes))
            } catch {
                state.failure = "\(error)"
                recover(&state)
                return World.notStored(request, "\(error)")
            }
            if state.subscribers.count > 0 {
                state.subscribers.send(state.world.news(of: changes, real: real))
            }
            return outcome
        }
    }

    /// Why nothing can be changed; nil if the store can be written.
    private func whyNotStored(_ state: inout State) -> String? {
        guard state.failure != nil, let store else { return nil }
        do {
            try store.probe()
        } catch {
            return "\(error)"
        }
        recover(&state)
        return state.failure
    }

    /// The world is ahead of its store, so it is loaded again.
    private func recover(_ state: inout State) {
        guard let store else { return }
        do {
            try state.world.reload(from: store)
            // The next request tries the store before anything else if it still cannot be written.
            if (try? store.probe()) != nil { state.failure = nil }
        } catch {
            state.failure = "\(error)"
        }
        state.subscribers.send(state.world.newsOfReplacement(real: WorldState.real))
    }

    package func read<Result>(_ body: (World) throws -> Result) rethrows -> Result {
        let world = state.withLock { $0.world }
        return try body(world)
    }

    // MARK: Events

    /// - Returns: Nil if too many clients follow already.
    package func subscribe() -> ServiceStream? {
        let (events, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let subscriber = ServiceSubscribers.Subscriber(continuation)
        subscriber.send(ServerSentEvents.connected)
        let id: Int? = state.withLock { state in
            guard let id = state.subscribers.add(subscriber) else { return nil }
            state.world.streams = state.subscribers.count
            if store == nil, state.subscribers.count == 1 { state.world.track(.new) }
            return id
        }
        guard let id else { return nil }
        let beats = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: WorldState.heartbeat)
                subscriber.send(ServerSentEvents.heartbeat)
            }
        }
        return ServiceStream(
            events, onWritten: { subscriber.written($0) }, onStart: { subscriber.onDisconnect($0) }
        ) { [self] in
            beats.cancel()
            subscriber.end()
            state.withLock { state in
                state.subscribers.remove(id)
                state.world.streams = state.subscribers.count
                if store == nil, state.subscribers.count == 0 { state.world.track(.off) }
            }
        }
    }

    package func endStreams() { state.withLock { $0.subscribers.end() } }
}
