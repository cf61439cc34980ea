/// The hint in a push, or why there is none.
public struct HintReading: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case hint(Hint)
        case nothing(PushIgnoreCause)
    }

    public var outcome: Outcome
    public var issues: [PushIssue]

    init(_ outcome: Outcome, _ issues: [PushIssue]) {
        self.outcome = outcome
        self.issues = issues
    }
}
