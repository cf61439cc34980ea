/// How bad it is to break a rule. Ordered from a note to an error.
public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// APNs refuses the notification, or the device surely ignores what is wrong.
    case error
    /// It may be delayed, dropped or misread.
    case warning
    /// Worth knowing.
    case note

    public static func < (left: Severity, right: Severity) -> Bool { left.weight < right.weight }

    private var weight: Int {
        switch self {
        case .error: 2
        case .warning: 1
        case .note: 0
        }
    }
}
