/// The severity of a finding. Ordered from note to error.
public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// APNs refuses the notification, or the device certainly ignores the wrong part.
    case error
    /// The notification may be delayed, dropped or misread.
    case warning
    /// Information only.
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
