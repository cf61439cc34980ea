import APNSModel
import Synchronization

/// Messages from any task to the provider's event loops: locked and bounded. A loop takes all of its messages once a turn and
/// is woken only when it had none.
final class Inbox: Sendable {
    enum Message {
        case submit(Submission)
        case cancel(Submission)
        /// From another event loop, whose connections cannot write it now.
        case move(Submission)
    }

    private struct State {
        /// For each event loop.
        var messages: [[Message]]
        /// Submissions that were admitted and have no outcome yet.
        var pending = 0
        /// Submissions that wait until fewer are pending.
        var waiting = SubmissionQueue()
        /// The deadlines of those that wait.
        var deadlines = DeadlineWheel()
        var isClosed = false

        mutating func post(_ message: Message, to loop: Int) -> Posted {
            State.append(message, to: &messages[loop]) ? .wake(loop) : .queued
        }

        /// - Returns: Whether it is the first one. A function, so that the list is looked up once.
        private static func append(_ message: Message, to list: inout [Message]) -> Bool {
            list.append(message)
            return list.count == 1
        }

        /// Takes a submission from those that wait.
        mutating func remove(_ submission: Submission) {
            waiting.remove(submission)
            submission.stopWaiting()
        }
    }

    enum Posted: Equatable {
        /// The caller has to wake this event loop.
        case wake(Int)
        case queued
        case closed
        /// Too many submissions wait already.
        case full
    }

    private let limit: Int
    private let waitingLimit: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: The maximum of submissions without an outcome.
    ///   - waitingLimit: The maximum of submissions that wait to be admitted.
    ///   - loops: The number of event loops.
    init(limit: Int, waitingLimit: Int, loops: Int = 1) {
        self.limit = limit
        self.waitingLimit = waitingLimit
        state = Mutex(State(messages: Array(repeating: [], count: loops)))
    }

    /// Admits a submission to an event loop, or keeps it waiting while `limit` others are pending.
    func submit(_ submission: Submission, to loop: Int = 0) -> Posted {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            guard state.pending >= limit else {
                state.pending += 1
                submission.loop = Int32(truncatingIfNeeded: loop)
                return state.post(.submit(submission), to: loop)
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
            guard submission.isWaiting else {
                return (false, state.post(.cancel(submission), to: Int(submission.loop)))
            }
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

    /// Passes submissions on to another event loop. What is cancelled from now on is cancelled there.
    func move(_ submissions: [Submission], to loop: Int) -> Posted {
        state.withLock { state in
            var posted = Posted.queued
            for submission in submissions {
                submission.loop = Int32(truncatingIfNeeded: loop)
                let first = state.post(.move(submission), to: loop)
                if posted == .queued { posted = first }
            }
            return posted
        }
    }

    /// The event loop that a submission is with.
    func loop(of submission: Submission) -> Int { state.withLock { _ in Int(submission.loop) } }

    /// Takes all messages of an event loop. The memory of `spare` is reused for the next ones, so that a turn allocates
    /// nothing.
    func take(_ loop: Int = 0, reusing spare: inout [Message]) {
        spare.removeAll(keepingCapacity: true)
        state.withLock { swap(&$0.messages[loop], &spare) }
    }

    /// `count` submissions got their outcomes from an event loop, so as many waiting ones are admitted to it.
    ///
    /// - Returns: Whether the event loop has messages to take.
    func resolved(_ count: Int, by loop: Int = 0) -> Bool {
        guard count > 0 else { return false }
        return state.withLock { state in
            state.pending -= count
            while state.pending < limit, let submission = state.waiting.popFirst() {
                submission.stopWaiting()
                state.pending += 1
                submission.loop = Int32(truncatingIfNeeded: loop)
                state.messages[loop].append(.submit(submission))
            }
            return !state.messages[loop].isEmpty
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

    /// Submissions that wait to be admitted.
    var waiting: Int { state.withLock { $0.waiting.count } }

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
