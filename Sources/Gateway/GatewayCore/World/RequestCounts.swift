import APNSModel

/// How many requests a world has had since its start, by what became of them. Emptying the journal leaves it as it is.
package struct RequestCounts: Hashable, Sendable, Codable {
    package private(set) var accepted = 0
    package private(set) var unprocessed = 0
    /// Refusals by the code of their reason; what is beyond `maximumReasons` different ones counts as `otherReasons`.
    package private(set) var refused: [String: Int] = [:]
    /// How many of those accepted a fault rule left without an answer: their senders cannot know.
    package private(set) var unanswered = 0

    /// A fault rule refuses with any word, so there might be any number.
    static let maximumReasons = 100
    package static let otherReasons = "other"

    package var total: Int { refused.values.reduce(accepted + unprocessed, +) }

    mutating func add(_ outcome: Verdict.Outcome, _ effect: FaultEffect?) {
        switch outcome {
        case .accepted:
            accepted += 1
            if effect?.withholdsAnswer ?? false { unanswered += 1 }
        case .refused(let reason, _):
            let isNamed = refused[reason.code] != nil || refused.count < RequestCounts.maximumReasons
            refused[isNamed ? reason.code : RequestCounts.otherReasons, default: 0] += 1
        case .unprocessed: unprocessed += 1
        }
    }
}
