import APNSModel
package import APNSPayload

/// Every rule that a configuration may name.
package enum RuleCatalog {
    package static let all: [Rule] = Rule.all + LintRule.all

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    package static func named(_ id: String) -> Rule? { byID[id] }

    /// The advice for an unknown rule id.
    package static func advice(for id: String) -> String {
        Suggestion.best(for: id, among: all.map(\.id)).map { "did you mean \($0)?" }
            ?? "`apns rules` lists all rules"
    }
}
