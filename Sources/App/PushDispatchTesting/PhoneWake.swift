import Foundation
import PushDispatch

/// The callbacks of one push, until all are answered or their time is up.
///
/// Unchecked, because the lock protects `state`.
final class PhoneWake: @unchecked Sendable {
    fileprivate enum Phase {
        case open(waiting: CheckedContinuation<Void, Never>?)
        /// All callbacks are answered, or their time is up.
        case over
        /// The report is made. Later problems go to `late`.
        case reported
    }

    fileprivate struct State {
        var phase = Phase.open(waiting: nil)
        var missing: Set<EntryPoint>
        var answers: [PhoneAnswer] = []
        var problems: [PhoneProblem] = []
        var isShown = false
    }

    private let lock = NSLock()
    private var state: State
    private let clock: PhoneClock
    private let began: DispatchMoment
    private let late: @Sendable (PhoneProblem) -> Void

    /// - Parameter late: Called with the problems of answers that come after `take()`.
    init(_ callbacks: [EntryPoint], clock: PhoneClock, late: @escaping @Sendable (PhoneProblem) -> Void) {
        state = State(missing: Set(callbacks))
        self.clock = clock
        self.late = late
        began = clock.now()
    }

    /// What the report needs, once `wait()` has returned.
    func take() -> (answers: [PhoneAnswer], problems: [PhoneProblem], isShown: Bool) {
        lock.withLock {
            state.phase = .reported
            return (state.answers, state.problems, state.isShown)
        }
    }

    func show() { lock.withLock { state.isShown = true } }

    /// The app does not have this callback.
    func lacks(_ entryPoint: EntryPoint, _ problem: PhoneProblem? = nil) {
        update { state in
            state.missing.remove(entryPoint)
            if let problem { state.problems.append(problem) }
            return state.missing.isEmpty
        }
    }

    /// A completion handler was called.
    func answer(_ entryPoint: EntryPoint, _ result: PushResult?) {
        let milliseconds = clock.now().milliseconds(since: began)
        let with = result.map { " with \($0.rawValue)" } ?? ""
        var lateProblem: PhoneProblem?
        update { state in
            if let problem = state.problem(of: entryPoint, with, afterMilliseconds: milliseconds) {
                if case .reported = state.phase { lateProblem = problem } else { state.problems.append(problem) }
                return false
            }
            state.answers.append(PhoneAnswer(entryPoint: entryPoint, result: result, milliseconds: milliseconds))
            return state.missing.isEmpty
        }
        if let lateProblem { late(lateProblem) }
    }

    /// The system stops the app.
    func timeIsUp(afterMilliseconds milliseconds: Int64) {
        update { state in
            state.problems += state.missing.sorted { $0.rawValue < $1.rawValue }.map { entryPoint in
                PhoneProblem(
                    .neverAnswered, entryPoint,
                    """
                    the completion handler was not called within \(milliseconds / 1_000) seconds; call it in every case, \
                    also after a failure
                    """)
            }
            return true
        }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = lock.withLock {
                guard case .open = state.phase else { return true }
                state.phase = .open(waiting: continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// - Parameter change: Returns whether nothing is left to wait for.
    private func update(_ change: (inout State) -> Bool) {
        let waiting = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            guard change(&state), case .open(let waiting) = state.phase else { return nil }
            state.phase = .over
            return waiting
        }
        waiting?.resume()
    }
}

extension PhoneWake.State {
    /// Takes a call of a completion handler off the missing ones.
    ///
    /// - Returns: What is wrong with it; nil if nothing is.
    fileprivate mutating func problem(
        of entryPoint: EntryPoint, _ with: String, afterMilliseconds milliseconds: Int64
    ) -> PhoneProblem? {
        guard missing.remove(entryPoint) != nil else {
            return PhoneProblem(
                .answeredTwice, entryPoint, "the completion handler was called again\(with); call it once")
        }
        if case .open = phase { return nil }
        return PhoneProblem(
            .answeredLate, entryPoint,
            "the completion handler was called\(with) after \(milliseconds) ms, when the time was up")
    }
}
