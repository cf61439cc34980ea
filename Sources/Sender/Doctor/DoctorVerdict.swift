/// What a check says of what it saw.
package enum DoctorVerdict: Hashable, Sendable {
    /// - Parameter message: What was seen, in a sentence without a secret.
    case pass(_ message: String)
    /// It works, and may fail later or elsewhere.
    ///
    /// - Parameter next: The next step; nil for that of the check.
    case warn(_ message: String, next: String? = nil)
    case fail(_ message: String, next: String? = nil)
    /// What was seen does not answer the question of the check.
    ///
    /// - Parameter message: Why.
    case skip(_ message: String, next: String? = nil)
}

/// How a check ended; the words of `--json`.
package enum DoctorState: String, Hashable, Sendable, CaseIterable {
    case pass, warn, fail, skip
}
