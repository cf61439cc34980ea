import APNSModel

/// How often each reason and each error occurred, for the end of a run. A gateway chooses its reasons, so only a number of
/// different ones is kept; the others are counted together.
struct CauseCounts: Hashable, Sendable {
    enum Outcome: String, Hashable, Sendable, CaseIterable {
        case refused, unsent, unknown
    }

    private var counts: [Outcome: [String: Int]] = [:]
    private var others: [Outcome: Int] = [:]

    /// The most causes that are kept of each outcome. APNs documents about 30 reasons.
    static let maximum = 64
    /// The most causes that are shown of each outcome.
    private static let shown = 12

    mutating func count(_ cause: String, _ outcome: Outcome) {
        let known = counts[outcome]?[cause]
        guard known != nil || counts[outcome, default: [:]].count < CauseCounts.maximum else {
            others[outcome, default: 0] += 1
            return
        }
        counts[outcome, default: [:]][cause] = (known ?? 0) + 1
    }

    /// A line for each outcome that occurred, with the most frequent causes first: `refused: 3 BadDeviceToken, 1 Unregistered`.
    var lines: [String] {
        Outcome.allCases.compactMap { outcome in
            let sorted = counts[outcome, default: [:]].sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            guard !sorted.isEmpty else { return nil }
            var parts = sorted.prefix(CauseCounts.shown).map {
                "\($0.value) \(PlainText.safe(ShownText.cut($0.key, to: 80)))"
            }
            let rest = sorted.dropFirst(CauseCounts.shown).reduce(others[outcome, default: 0]) { $0 + $1.value }
            if rest > 0 { parts.append("\(rest) others") }
            return "\(outcome.rawValue): \(parts.joined(separator: ", "))"
        }
    }
}
