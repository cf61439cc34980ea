import Synchronization

/// Passes the results of a bulk send from the event loop to their reader, in batches.
final class BulkOutput: Sendable {
    private struct State {
        var results: [APNSSendResult] = []
        var reader: CheckedContinuation<Void, Never>?
        /// Results that have arrived.
        var arrived = 0
        /// How many there are in all, once the source has ended.
        var total: Int?
        /// The reader is gone.
        var isAbandoned = false
        var error: (any Error)?

        var isFinished: Bool { arrived == total }

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    private let state = Mutex(State())
    /// Results that the reader has used up. The event loop uses it for the window, where a value slightly out of date does
    /// no harm.
    private let used = Atomic(0)
    private let hasReader = Atomic(false)
    private let trace: BulkTrace?
    /// How many notifications were taken from the source.
    private let taken = Atomic(0)

    init(trace: BulkTrace? = nil) { self.trace = trace }

    var readCount: Int { used.load(ordering: .relaxed) }

    /// Results that have arrived and are not used up.
    var count: Int { state.withLock { $0.arrived } - readCount }

    var takenCount: Int { taken.load(ordering: .relaxed) }

    func took(_ count: Int) { taken.store(count, ordering: .relaxed) }

    /// There is a reader. A second one stops the process: each result would reach only one of the two.
    func startReading() {
        guard !hasReader.exchange(true, ordering: .relaxed) else { BulkOutput.stopAtSecondReader() }
    }

    private static func stopAtSecondReader() -> Never {
        fatalError(
            """
            the results of a bulk send can be read once, and they have a reader already. Read them in one loop and \
            pass on what other code needs, or call send(all:) again to send the notifications another time
            """)
    }

    /// Moves the results of `batch` to the reader and leaves it empty.
    ///
    /// - Returns: Whether they are the last ones.
    func append(_ batch: inout [APNSSendResult]) -> Bool {
        trace?.count(batch)
        let (reader, isLast) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            state.arrived += batch.count
            if state.isAbandoned { return (nil, state.isFinished) }
            // Swapped where possible: no result is copied, and the loop gets the reader's memory back.
            if state.results.isEmpty { swap(&state.results, &batch) } else { state.results += batch }
            return (state.takeReader(), state.isFinished)
        }
        batch.removeAll(keepingCapacity: true)
        reader?.resume()
        if isLast { trace?.end() }
        return isLast
    }

    /// The source has ended, after `total` notifications.
    ///
    /// - Returns: Whether all results have arrived.
    func end(after total: Int, _ error: (any Error)?) -> Bool {
        trace?.sourceFailed(error)
        let (reader, isFinished) = state.withLock { state in
            state.total = total
            state.error = error
            return (state.isFinished ? state.takeReader() : nil, state.isFinished)
        }
        reader?.resume()
        if isFinished { trace?.end() }
        return isFinished
    }

    /// Frees the results that nobody has read, and those that are still to come.
    func abandon() {
        let unread = state.withLock { state in
            state.isAbandoned = true
            defer { state.results = [] }
            return state.results
        }
        withExtendedLifetime(unread) {}  // freed after the lock
    }

    /// The reader has used up `count` results.
    func read(_ count: Int) { used.add(count, ordering: .relaxed) }

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
                    // Two copies of the iterator.
                    if state.reader != nil { BulkOutput.stopAtSecondReader() }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}
