import Foundation
import ServiceHost
import Synchronization

/// The world behind a lock, its store, and the clients that follow its events.
///
/// A request is answered when its changes are stored, under the same lock, so that no answer and no event tells of
/// something that a restart would not know.
final class ServiceState: Sendable {
    private struct State {
        var world: ServiceWorld
        var subscribers = ServiceSubscribers()
        /// Why the last write failed. Nothing is answered before the store can be written again.
        var failure: String?
    }

    private let state: Mutex<State>
    private let store: (any ServiceStore)?
    private let documents: ServiceDocuments

    private static let heartbeat = Duration.seconds(15)

    /// - Parameter store: That of the world, which notes its changes; what it has noted so far is written.
    init(_ world: ServiceWorld, _ store: (any ServiceStore)?) throws {
        var world = world
        let documents = ServiceDocuments()
        if let store { try store.write(documents.stored(world.takeChanges(), world)) }
        self.documents = documents
        state = Mutex(State(world: world))
        self.store = store
    }

    private static var real: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    func answer(_ request: ServiceRequest) -> ServiceWorld.Outcome {
        let real = ServiceState.real
        return state.withLock { state in
            guard ServiceWorld.mayChange(request) else { return state.world.answer(request, real: real) }
            if let why = whyNotStored(&state) { return ServiceWorld.notStored(request, why) }
            let outcome = state.world.answer(request, real: real)
            guard store != nil || state.subscribers.count > 0 else { return outcome }
            let changes = state.world.takeChanges()
            do {
                try store?.write(documents.stored(changes, state.world))
            } catch {
                state.failure = "\(error)"
                recover(&state)
                return ServiceWorld.notStored(request, "\(error)")
            }
            if state.subscribers.count > 0 {
                state.subscribers.send(ServiceNews.events(of: changes, in: state.world, real: real))
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
        state.subscribers.send(ServiceNews.replaced(in: state.world, real: ServiceState.real))
    }

    func read<Result>(_ body: (ServiceWorld) throws -> Result) rethrows -> Result {
        let world = state.withLock { $0.world }
        return try body(world)
    }

    // MARK: Events

    /// - Returns: Nil if too many clients follow already.
    func subscribe() -> ServiceStream? {
        let (events, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let subscriber = ServiceSubscribers.Subscriber(continuation)
        subscriber.send(ServiceNews.connected)
        let id: Int? = state.withLock { state in
            guard let id = state.subscribers.add(subscriber) else { return nil }
            state.world.streams = state.subscribers.count
            if store == nil, state.subscribers.count == 1 { state.world.track(.new) }
            return id
        }
        guard let id else { return nil }
        let beats = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: ServiceState.heartbeat)
                subscriber.send(ServiceNews.heartbeat)
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

    func endStreams() { state.withLock { $0.subscribers.end() } }
}
