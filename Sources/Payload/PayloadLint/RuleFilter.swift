package import APNSModel
package import APNSPayload

/// Which rules a list shows.
package struct RuleFilter: Hashable, Sendable {
    private let layer: Layer?
    private let severity: Severity?
    private let pushType: PushType?
    private let words: [Substring]

    /// - Parameter words: Separated by spaces; their case does not matter.
    package init(layer: Layer? = nil, severity: Severity? = nil, pushType: PushType? = nil, words: String? = nil) {
        self.layer = layer
        self.severity = severity
        self.pushType = pushType
        self.words = (words ?? "").lowercased().split(separator: " ")
    }

    package func admits(_ rule: Rule) -> Bool {
        guard layer == nil || layer == rule.layer, severity == nil || severity == rule.severity else { return false }
        if let pushType, rule.pushTypes.isDisjoint(with: PushTypes(of: pushType)) { return false }
        guard !words.isEmpty else { return true }
        let text = "\(rule.id) \(rule.summary) \(rule.rationale) \(rule.refusal?.code ?? "")".lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}
