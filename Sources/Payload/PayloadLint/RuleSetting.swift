package import APNSPayload

/// What a configuration says about a rule.
package enum RuleSetting: Hashable, Sendable {
    case off
    /// With the severity that the rule has by itself.
    case on
    case severity(Severity)

    static let words: [(word: String, value: RuleSetting)] = [
        ("off", .off), ("note", .severity(.note)), ("warning", .severity(.warning)), ("error", .severity(.error)),
        ("on", .on),
    ]
}
