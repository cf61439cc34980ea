import APNSModel

/// How many requests a world has judged since its start, by outcome. Emptying the journal does not change it.
package struct RequestCounts: Hashable, Sendable, Codable {
    package private(set) var accepted = 0
    package private(set) var unprocessed = 0
    /// Refusals by the code of their reason; all beyond the first `maximumReasons` reasons count as `otherReasons`.
    package private(set) var refused: [String: Int] = [:]
    /// How many accepted requests got no answer because of a fault rule, so that their senders cannot know.
    package private(set) var unanswered = 0

    /// A fault rule refuses with any word, so the number of reasons needs a limit.
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
