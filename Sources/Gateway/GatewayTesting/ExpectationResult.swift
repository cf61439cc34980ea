import GatewayCore

/// Whether the gateway received what was expected, and what came near it.
public struct ExpectationResult: Hashable, Sendable, CustomStringConvertible {
    /// A notification that is not as expected, with every field in which it differs.
    public struct NearMiss: Hashable, Sendable, CustomStringConvertible {
        /// One field, with the wanted and the found JSON; `null` for absent.
        public struct Difference: Hashable, Sendable {
            /// A key of the envelope, or a path in the payload such as `payload/aps/badge`.
            public let field: String
            public let wanted: String
            public let found: String
        }

        public let uniqueID: String
        public let differences: [Difference]

        public var description: String {
            let lines = differences.map { difference in
                let (wanted, found) = (NearMiss.words(difference.wanted), NearMiss.words(difference.found))
                return "    \(difference.field): wanted \(wanted), found \(found)"
            }
            return "  \(uniqueID)\n\(lines.joined(separator: "\n"))"
        }

        private static func words(_ json: String) -> String { json == "null" ? "nothing" : json }
    }

    public let isMet: Bool
    /// How many notifications match.
    public let matched: Int
    public let expected: ExpectedNotification
    public let count: NotificationCount
    /// The notifications that come nearest, the nearest first.
    public let nearMisses: [NearMiss]
    /// How many notifications the gateway has in its journal.
    public let total: Int

    init(_ expected: ExpectedNotification, _ count: NotificationCount, _ result: MatchResult, total: Int) {
        self.expected = expected
        self.count = count
        self.total = total
        matched = result.matched
        isMet = count.count.isMet(by: result.matched)
        nearMisses = result.nearMisses.map { miss in
            NearMiss(
                uniqueID: miss.uniqueID,
                differences: miss.differences.map {
                    NearMiss.Difference(field: $0.field, wanted: $0.wanted, found: $0.found)
                })
        }
    }

    /// What was expected and what was received; field by field if it is not met.
    public var description: String {
        var text = "wanted \(count) \(expected); the gateway got \(matched) of \(total)"
        guard !isMet else { return text }
        if !nearMisses.isEmpty {
            text += ". Nearest to it:\n" + nearMisses.map(\.description).joined(separator: "\n")
        }
        return text
    }
}

/// The gateway did not receive what a test requires.
public struct ExpectationNotMet: Error, Hashable, Sendable, CustomStringConvertible {
    public let result: ExpectationResult

    public var description: String { result.description }
}
