/// What a core decides, for the dispatcher to act on.
extension DispatchCore {
    package enum OnReceive: Hashable, Sendable {
        case ignore(PushIgnoreCause)
        case dropDuplicate
        /// Wait for the run. Its deadline is earlier than before if that of the duplicate is.
        case join(Timing)
        case fetchAgain(Timing)
        case start(Start)
        case settle(Settlement, DispatchEvent.StopCause)
    }

    package struct Reception: Hashable, Sendable {
        package let call: CallID
        package let issues: [PushIssue]
        package let decision: OnReceive
    }

    /// When the dispatcher calls `timeRanOut`, and when it answers the calls.
    package struct Timing: Hashable, Sendable {
        package let run: RunID
        package let stopAt: DispatchMoment
        package let deadline: DispatchMoment
    }

    package struct Start: Hashable, Sendable {
        package let hint: Hint
        package let timing: Timing
    }

    /// The handler has returned or is stopped. The dispatcher keeps what is unfinished and then calls `kept(_:)`.
    package struct Settlement: Hashable, Sendable {
        package let timing: Timing
        package let keep: Hint?
        /// The run that waited for this one.
        package let next: Start?
    }

    package struct Answers: Hashable, Sendable {
        package let calls: [CallID]
        /// False if the pending store has not answered yet.
        package let isKept: Bool
        package let result: PushResult
        package let arrived: DispatchMoment
    }
}
