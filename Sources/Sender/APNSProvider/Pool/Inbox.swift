import APNSModel
import DequeModule
import Synchronization

/// Messages from any task to the provider's event loop: locked and bounded. The loop takes all of them once a turn and is
/// woken only when the inbox was empty.
final class Inbox: Sendable {
    enum Message {
        case submit(Caller, Submission)
        case cancel(UInt64)
    }

    private struct State {
        var messages: [Message] = []
        /// Submissions that were admitted and have no outcome yet.
        var pending = 0
        /// Submissions that wait until fewer are pending.
        var waiting: Deque<Message> = []
        var isClosed = false
    }

    enum Posted {
        /// The caller has to wake the event loop.
        case wake
        case queued
        case closed
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Admits a submission, or keeps it waiting while `limit` others are pending.
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

    /// - Returns: The caller, if its submission was not admitted yet. Otherwise the event loop cancels it.
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

    /// Removes the submissions whose deadline has passed before they were admitted.
    ///
    /// - Returns: Their callers.
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

    /// Takes all messages. The memory of `spare` is reused for the next ones, so that a turn allocates nothing.
    func take(reusing spare: inout [Message]) {
        spare.removeAll(keepingCapacity: true)
        state.withLock { swap(&$0.messages, &spare) }
    }

    /// `count` submissions got their outcomes, so as many waiting ones are admitted.
    ///
    /// - Returns: Whether the inbox has messages, so that the event loop has to take them.
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

    /// Admits nothing from now on.
    ///
    /// - Returns: The callers of the submissions that were not admitted.
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
