import PayloadJSON

/// A notification that does not match, with every field in which it differs.
package struct NearMiss: Hashable, Sendable, CustomStringConvertible {
    package struct Difference: Hashable, Sendable, CustomStringConvertible {
        /// Such as `apns-priority`, or `payload/aps/badge` for a value in the payload.
        package let field: String
        /// JSON as in a match: null for absent, true for present, an array for one of several.
        package let wanted: String
        /// JSON; null for absent. A long one is cut and ends with an ellipsis.
        package let found: String

        static let maximumBytes = 1000

        init(field: String, wanted: String, found: String) {
            self.field = field
            self.wanted = Difference.shortened(wanted)
            self.found = Difference.shortened(found)
        }

        private static func shortened(_ json: String) -> String {
            guard json.utf8.count > maximumBytes else { return json }
            return JSONWriter.quoted(json.prefix(maximumBytes / 4) + "…")
        }

        package var description: String {
            "\(field): wanted \(wanted == "null" ? "nothing" : wanted), found \(found == "null" ? "nothing" : found)"
        }
    }

    /// The entry's number in the journal.
    package let sequence: UInt64
    package let uniqueID: String
    /// How many fields and values of the match agree.
    package let agreements: Int
    /// At most `maximumDifferences`.
    package let differences: [Difference]

    static let maximumDifferences = 32

    /// Nil if the notification matches.
    package init?(_ entry: JournalEntry, _ match: NotificationMatch) {
        let comparison = MatchComparison(entry, match, describesDifferences: true)
        guard comparison.differences > 0 else { return nil }
        sequence = entry.sequence
        uniqueID = entry.uniqueID
        agreements = comparison.agreements
        differences = comparison.described
    }

    package var description: String {
        differences.isEmpty
            ? uniqueID : "\(uniqueID): \(differences.map(\.description).joined(separator: "; "))"
    }
}

/// Which entries of the journal match, and which come near.
package struct MatchResult: Hashable, Sendable {
    package let matched: Int
    /// The `apns-unique-id`s of the newest matches, at most `World.maximumShown`.
    package let newest: [String]
    /// The nearest first, at most `World.maximumShown`.
    package let nearMisses: [NearMiss]
}

extension World {
    package static let maximumShown = 5

    /// Compares the whole journal with a match.
    ///
    /// - Parameter since: Only requests received at this time or later, in milliseconds since 1970; nil for all.
    package func result(of match: NotificationMatch, since: Int64? = nil) -> MatchResult {
        var search = MatchSearch(match, since: since)
        search.read(self, journal.sequences)
        return search.result
    }

    /// The numbers of the entries that match.
    package func sequences(of match: NotificationMatch, since: Int64? = nil) -> Set<UInt64> {
        var sequences: Set<UInt64> = []
        forEachEntry(in: journal.sequences, since: since) {
            if match.isMet(by: $0) { sequences.insert($0.sequence) }
        }
        return sequences
    }

    /// Newest first.
    func forEachEntry(in range: Range<UInt64>, since: Int64?, _ body: (JournalEntry) -> Void) {
        for sequence in range.reversed() {
            guard let received = journal.read(sequence, { $0.received }), received >= since ?? .min else { continue }
            if let entry = journal[sequence] { body(entry) }
        }
    }
}
