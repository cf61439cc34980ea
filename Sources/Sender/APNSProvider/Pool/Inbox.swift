import APNSModel
import Synchronization

/// Messages from any task to the provider's event loop: locked and bounded. The loop takes all of them once a turn and is
/// woken only when the inbox was empty.
final class Inbox: Sendable {
    enum Message {
        case submit(Submission)
        case cancel(Submission)
    }

    private struct State {
        var messages: [Message] = []
        /// Submissions that were admitted and have no outcome yet.
        var pending = 0
        /// Submissions that wait until fewer are pending.
        var waiting = SubmissionQueue()
        /// The deadlines of those that wait.
        var deadlines = DeadlineWheel()
        var isClosed = false

        mutating func post(_ message: Message) -> Posted {
            messages.append(message)
            return messages.count == 1 ? .wake : .queued
        }

        /// Takes a submission from those that wait.
        mutating func remove(_ submission: Submission) {
            waiting.remove(submission)
            submission.stopWaiting()
        }
    }

    enum Posted {
        /// The caller has to wake the event loop.
        case wake
        case queued
        case closed
        /// Too many submissions wait already.
        case full
    }

    private let limit: Int
    private let waitingLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The maximum of submissions without an outcome.
    ///   - waitingLimit: The maximum of submissions that wait to be admitted.
    init(limit: Int, waitingLimit: Int) {
        self.limit = limit
        self.waitingLimit = waitingLimit
    }

    /// Admits a submission, or keeps it waiting while `limit` others are pending.
    func submit(_ submission: Submission) -> Posted {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            guard state.pending >= limit else {
                state.pending += 1
                return state.post(.submit(submission))
            }
            guard state.waiting.count < waitingLimit else { return .full }
            submission.isWaiting = true
            state.waiting.append(submission)
            state.deadlines.add(submission)
            return .queued
        }
    }

    /// - Returns: Whether the submission was not admitted yet. Otherwise the event loop cancels it.
    func cancel(_ submission: Submission) -> (wasWaiting: Bool, posted: Posted) {
        state.withLock { state in
            guard submission.isWaiting else { return (false, state.post(.cancel(submission))) }
            state.remove(submission)
            return (true, .queued)
        }
    }

    /// Removes the submissions whose deadline has passed before they were admitted.
    ///
    /// - Returns: Their callers.
    func expire(at now: MonotonicTime) -> [Caller] {
        state.withLock { state in
            state.deadlines.takeDue(at: now).compactMap { node in
                guard let submission = node as? Submission else { return nil }
                state.remove(submission)
                return submission.caller
            }
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
            while state.pending < limit, let submission = state.waiting.popFirst() {
                submission.stopWaiting()
                state.pending += 1
                state.messages.append(.submit(submission))
            }
            return !state.messages.isEmpty
        }
    }

    /// Admits nothing from now on. Submissions that were admitted can still be cancelled.
    ///
    /// - Returns: The callers of the submissions that were not admitted.
    func close() -> [Caller] {
        state.withLock { state in
            state.isClosed = true
            return state.waiting.removeAll().compactMap { submission in
                submission.stopWaiting()
                return submission.caller
            }
        }
    }

    /// Submissions that were looked at so far to cancel or expire others.
    var visited: Int { state.withLock { $0.waiting.visited + $0.deadlines.visited } }
}

extension Submission {
    fileprivate func stopWaiting() {
        isWaiting = false
        leaveRing()
    }

    /// Nil for a notification of a bulk send.
    fileprivate var caller: Caller? {
        if case .single(let caller) = recipient { caller } else { nil }
    }
}
