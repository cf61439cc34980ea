import Synchronization

/// Passes the results of a bulk send from the event loop to their reader, in batches.
final class BulkOutput: Sendable {
    private struct State {
        var results: [APNSSendResult] = []
        var reader: CheckedContinuation<Void, Never>?
        var isFinished = false
        var error: (any Error)?

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    private let state = Mutex(State())
    /// Results that are not read yet. The event loop uses it for the window, where a value slightly out of date does no
    /// harm.
    private let unread = Atomic(0)

    var count: Int { unread.load(ordering: .relaxed) }

    /// Moves the results of `batch` to the reader and leaves it empty.
    func append(_ batch: inout [APNSSendResult]) {
        unread.add(batch.count, ordering: .relaxed)
        let reader = state.withLock { state in
            // Swapped where possible: no result is copied, and the loop gets the reader's memory back.
            if state.results.isEmpty { swap(&state.results, &batch) } else { state.results += batch }
            return state.takeReader()
        }
        batch.removeAll(keepingCapacity: true)
        reader?.resume()
    }

    func finish(_ error: (any Error)?) {
        let reader = state.withLock { state in
            state.isFinished = true
            state.error = error
            return state.takeReader()
        }
        reader?.resume()
    }

    /// The reader has used up `count` results.
    func read(_ count: Int) { unread.subtract(count, ordering: .relaxed) }

    enum Next {
        case results([APNSSendResult])
        case end((any Error)?)
    }

    /// All results that have arrived. Waits for at least one, or for the end.
    func next(isolation: isolated (any Actor)?) async -> Next {
        while true {
            let next: Next? = state.withLock { state in
                if !state.results.isEmpty {
                    var taken: [APNSSendResult] = []
                    swap(&taken, &state.results)
                    return .results(taken)
                }
                return state.isFinished ? .end(state.error) : nil
            }
            if let next { return next }
            await withCheckedContinuation(isolation: isolation) { continuation in
                let isReady = state.withLock { state in
                    if !state.results.isEmpty || state.isFinished { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}
