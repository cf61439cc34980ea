import Synchronization

/// The task that waits for the outcome of one `send`.
final class Caller: Sendable {
    private enum State {
        case idle
        /// Unsafe, because these states already ensure that it is resumed exactly once, and the check of a
        /// `CheckedContinuation` took a twentieth of the instructions of a send.
        case waiting(UnsafeContinuation<APNSOutcome, Never>)
        case cancelled
        case done
    }

    let id: UInt64
    /// Whether the task runs on the provider's event loop, so that resuming it needs no other thread.
    let isOnLoop: Bool
    private let state = Mutex(State.idle)

    init(id: UInt64, isOnLoop: Bool = false) {
        self.id = id
        self.isOnLoop = isOnLoop
    }

    /// Starts to wait. A task that is cancelled already resumes at once and submits nothing.
    ///
    /// - Parameter submit: Posts the submission. Called under the lock, so that a cancellation is posted after it.
    func wait(_ continuation: UnsafeContinuation<APNSOutcome, Never>, submit: () -> Void) {
        let wasCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .waiting(continuation)
            submit()
            return false
        }
        if wasCancelled {
            continuation.resume(returning: .unsent(Caller.cancelledBeforeSubmission))
        }
    }

    /// The task was cancelled.
    ///
    /// - Parameter post: Posts the cancellation; called only if the submission was posted and has no outcome yet.
    func cancel(post: () -> Void) {
        let isSubmitted = state.withLock { state in
            switch state {
            case .idle:
                state = .cancelled
                return false
            case .waiting: return true
            case .cancelled, .done: return false
            }
        }
        if isSubmitted { post() }
    }

    func resolve(_ outcome: APNSOutcome) {
        let continuation: UnsafeContinuation<APNSOutcome, Never>? = state.withLock { state in
            guard case .waiting(let continuation) = state else { return nil }
            state = .done
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    static let cancelledBeforeSubmission = APNSSendError(
        .cancelled, "the task was cancelled before the notification was sent", isSafeToRetry: true)
}
