package import APNSPayload

/// The setting of a configuration for a rule.
package enum RuleSetting: Hashable, Sendable {
    case off
    /// On, with the default severity of the rule.
    case on
    case severity(Severity)

    static let words: [(word: String, value: RuleSetting)] = [
        ("off", .off), ("note", .severity(.note)), ("warning", .severity(.warning)), ("error", .severity(.error)),
        ("on", .on),
    ]
}
