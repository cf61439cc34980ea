import Foundation
import PushDispatch

/// The callbacks of one push, until all are answered or their time is up.
///
/// Unchecked, because the lock protects `state`.
final class PhoneWake: @unchecked Sendable {
    private struct State {
        var missing: Set<EntryPoint>
        var answers: [PhoneAnswer] = []
        var problems: [PhoneProblem] = []
        var isShown = false
        var isOver = false
        /// Whether the report was made.
        var isTaken = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let lock = NSLock()
    private var state: State
    private let clock: PhoneClock
    private let began: DispatchMoment
    /// Where answers go that come when nobody waits any more.
    private let late: @Sendable (PhoneProblem) -> Void

    init(_ callbacks: [EntryPoint], clock: PhoneClock, late: @escaping @Sendable (PhoneProblem) -> Void) {
        state = State(missing: Set(callbacks))
        self.clock = clock
        self.late = late
        began = clock.now()
    }

    /// What came of it; what comes later goes elsewhere.
    func take() -> (answers: [PhoneAnswer], problems: [PhoneProblem], isShown: Bool) {
        lock.withLock {
            state.isTaken = true
            return (state.answers, state.problems, state.isShown)
        }
    }

    func show() { lock.withLock { state.isShown = true } }

    /// The app does not have this callback.
    func lacks(_ entryPoint: EntryPoint, _ problem: PhoneProblem? = nil) {
        finish { state in
            state.missing.remove(entryPoint)
            if let problem { state.problems.append(problem) }
            return state.missing.isEmpty
        }
    }

    /// A completion handler was called.
    func answer(_ entryPoint: EntryPoint, _ result: PushResult?) {
        let milliseconds = clock.now().milliseconds(since: began)
        let told = result.map { " with \($0.rawValue)" } ?? ""
        var tooLate: PhoneProblem?
        finish { state in
            var problem: PhoneProblem?
            if state.missing.remove(entryPoint) == nil {
                problem = PhoneProblem(
                    .answeredTwice, entryPoint, "the completion handler was called again\(told); call it once")
            } else if state.isOver {
                problem = PhoneProblem(
                    .answeredLate, entryPoint,
                    "the completion handler was called\(told) after \(milliseconds) ms, when the time was up")
            }
            if let problem {
                if state.isTaken { tooLate = problem } else { state.problems.append(problem) }
                return false
            }
            state.answers.append(PhoneAnswer(entryPoint: entryPoint, result: result, milliseconds: milliseconds))
            return state.missing.isEmpty
        }
        if let tooLate { late(tooLate) }
    }

    /// The system takes the time away.
    func timeIsUp(afterMilliseconds milliseconds: Int64) {
        finish { state in
            state.problems += state.missing.sorted { $0.rawValue < $1.rawValue }.map { entryPoint in
                PhoneProblem(
                    .neverAnswered, entryPoint,
                    """
                    the completion handler was not called within \(milliseconds / 1_000) seconds; call it in every case, \
                    also where something fails
                    """)
            }
            return true
        }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = lock.withLock {
                if !state.isOver { state.waiting = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    private func finish(_ decide: (inout State) -> Bool) {
        let waiting = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            guard decide(&state) else { return nil }
            state.isOver = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
