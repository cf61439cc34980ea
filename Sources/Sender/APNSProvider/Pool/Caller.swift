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
    /// The event loop of the provider that the task runs on, so that resuming it there needs no other thread.
    let loop: Int?
    private let state = Mutex(State.idle)

    init(id: UInt64, loop: Int? = nil) {
        self.id = id
        self.loop = loop
    }

    /// Starts to wait. A task that is cancelled already resumes at once and submits nothing.
    ///
    /// - Parameter submit: Posts the submission. Called under the lock, so that a cancellation is posted after it.
    /// - Returns: Whether it was submitted.
    func wait(_ continuation: UnsafeContinuation<APNSOutcome, Never>, submit: () -> Void) -> Bool {
        let wasCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .waiting(continuation)
            submit()
            return false
        }
        if wasCancelled {
            continuation.resume(returning: .unsent(Caller.cancelledBeforeSubmission))
        }
        return !wasCancelled
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
