import APNSModel
import DequeModule
import Synchronization

/// The way from any task to the provider's event loop: locked, emptied once a turn, and bounded. The loop is woken only
/// when the inbox was empty.
final class Inbox: Sendable {
    enum Message {
        /// Its ticket is single.
        case submit(Caller, Submission)
        case cancel(UInt64)
    }

    private struct State {
        var messages: [Message] = []
        /// Submissions that were let in and are not resolved.
        var pending = 0
        /// Callers that wait until fewer are pending.
        var waiting: Deque<Message> = []
        var isClosed = false
    }

    enum Posted { case wake, queued, closed }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Lets a submission in, or has its caller wait for room.
    func submit(_ message: Message) -> Posted {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            guard state.pending < limit else {
                state.waiting.append(message)
                return .queued
            }
            state.pending += 1
            state.messages.append(message)
            return state.messages.count == 1 ? .wake : .queued
        }
    }

    /// - Returns: The caller itself when it still waited for room, and whether the loop has to be woken.
    func cancel(_ id: UInt64) -> (waited: Caller?, posted: Posted) {
        state.withLock { state in
            for (index, message) in state.waiting.enumerated() {
                guard case .submit(let caller, _) = message, caller.id == id else { continue }
                state.waiting.remove(at: index)
                return (caller, .queued)
            }
            guard !state.isClosed else { return (nil, .closed) }
            state.messages.append(.cancel(id))
            return (nil, state.messages.count == 1 ? .wake : .queued)
        }
    }

    /// Callers whose deadline has come while they waited for room.
    func expire(at now: MonotonicTime) -> [Caller] {
        state.withLock { state in
            var expired: [Caller] = []
            state.waiting.removeAll { message in
                guard case .submit(let caller, let submission) = message, submission.deadline <= now else {
                    return false
                }
                expired.append(caller)
                return true
            }
            return expired
        }
    }

    /// Takes all messages. The memory of `spare` is used for the next ones.
    func take(reusing spare: inout [Message]) {
        spare.removeAll(keepingCapacity: true)
        state.withLock { swap(&$0.messages, &spare) }
    }

    /// `count` submissions were resolved, so as many callers may come in.
    ///
    /// - Returns: Whether messages wait now, so that the loop has to look again.
    func resolved(_ count: Int) -> Bool {
        guard count > 0 else { return false }
        return state.withLock { state in
            state.pending -= count
            while state.pending < limit, let message = state.waiting.popFirst() {
                state.pending += 1
                state.messages.append(message)
            }
            return !state.messages.isEmpty
        }
    }

    /// Lets nobody in any more.
    ///
    /// - Returns: Who still waited for room.
    func close() -> [Caller] {
        state.withLock { state in
            state.isClosed = true
            defer { state.waiting.removeAll() }
            return state.waiting.compactMap { message in
                if case .submit(let caller, _) = message { caller } else { nil }
            }
        }
    }
}

/// Who waits for the outcome of one `send`.
final class Caller: Sendable {
    private enum State {
        case idle
        /// Unsafe, because the states here see to it already that it is resumed once, and the check of a second guard was a
        /// twentieth of the instructions of a send.
        case waiting(UnsafeContinuation<APNSOutcome, Never>)
        case cancelled
        case done
    }

    let id: UInt64
    /// Whether it runs on the provider's event loop, so that waking it costs no change of threads.
    let isOnLoop: Bool
    private let state = Mutex(State.idle)

    init(id: UInt64, isOnLoop: Bool = false) {
        self.id = id
        self.isOnLoop = isOnLoop
    }

    /// Begins to wait, and submits while no cancellation can come between.
    ///
    /// - Parameter submit: Posts the submission.
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
    /// - Parameter post: Posts the cancellation of a submission that was made.
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
        .cancelled, "the task was cancelled before it was sent", isSafeToRetry: true)
}
