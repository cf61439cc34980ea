import GatewayJSON
import Synchronization

/// The changes that clients of the control API make at this moment, and whether further ones are taken.
final class ControlChanges: Sendable {
    private struct State {
        var isClosed = false
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// A change begins. Each call that does not throw is followed by one of `end()`.
    ///
    /// - Throws: Where no further change is taken.
    func begin() throws(Problem) {
        let isTaken = state.withLock { state in
            guard !state.isClosed else { return false }
            state.count += 1
            return true
        }
        guard isTaken else { throw .stopping }
    }

    func end() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Takes no further change, and returns when those that have begun have ended.
    func close() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                state.isClosed = true
                guard state.count > 0 else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
    }
}
