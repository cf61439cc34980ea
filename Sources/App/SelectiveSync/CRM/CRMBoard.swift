import Foundation

/// Holds the state of a `CRMSync`, and reports each change of its status. The parts report their events from their own actors,
/// in order, so the state is behind a lock and not in an actor.
///
/// Unchecked, because the lock protects the rest.
final class CRMBoard: @unchecked Sendable {
    private let lock = NSLock()
    private var state = CRMState()
    private var readers: [Int: AsyncStream<CRMStatus>.Continuation] = [:]
    private var lastReader = 0

    var status: CRMStatus { lock.withLock { state.status } }

    func read<Value>(_ look: (CRMState) -> Value) -> Value { lock.withLock { look(state) } }

    /// Changes the state. `change` must not call back.
    @discardableResult
    func update<Value>(_ change: (inout CRMState) -> Value) -> Value {
        lock.withLock {
            let before = state.status
            let value = change(&state)
            let after = state.status
            // Inside the lock, so that the newest status is always the last one. A buffer never calls back.
            if before != after { for reader in readers.values { reader.yield(after) } }
            return value
        }
    }

    /// The status now and after each change. A slow reader misses intermediate values, but never the last one.
    func statuses() -> AsyncStream<CRMStatus> {
        let (stream, continuation) = AsyncStream.makeStream(of: CRMStatus.self, bufferingPolicy: .bufferingNewest(1))
        let number = lock.withLock {
            lastReader += 1
            readers[lastReader] = continuation
            continuation.yield(state.status)
            return lastReader
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func remove(_ number: Int) {
        // Released outside the lock: its end may call back.
        let reader = lock.withLock { readers.removeValue(forKey: number) }
        _ = reader
    }
}
