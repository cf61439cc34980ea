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
        var differences: [Difference] = []
        var agreements = 0
        for field in NotificationMatch.Field.allCases {
            guard let requirement = match[field] else { continue }
            let values = entry.values(of: field)
            if requirement.isMet(by: values, field) {
                agreements += 1
            } else {
                let found = values.map { field.json($0) }
                differences.append(
                    Difference(
                        field: field.rawValue, wanted: requirement.json(field),
                        found: field == .life ? "[\(found.joined(separator: ","))]" : found.first ?? "null"))
            }
        }
        if let payload = match.payload {
            if entry.omittedBytes == 0, let document = try? JSONDocument(entry.payload) {
                let before = differences.count
                let count = payload.compare(document, .root, at: NotificationMatch.payloadKey, into: &differences)
                agreements += count - (differences.count - before)
            } else {
                differences.append(
                    Difference(
                        field: NotificationMatch.payloadKey, wanted: payload.json,
                        found: JSONWriter.quoted("\(entry.payloadBytes) bytes that are not JSON")))
            }
        }
        guard !differences.isEmpty else { return nil }
        sequence = entry.sequence
        uniqueID = entry.uniqueID
        self.agreements = agreements
        self.differences = Array(differences.prefix(NearMiss.maximumDifferences))
    }

    package var description: String {
        differences.isEmpty
            ? uniqueID : "\(uniqueID): \(differences.map(\.description).joined(separator: "; "))"
    }

    /// Fewer differences are nearer; with as many, more agreements; with as many of those, the newer one.
    package func isNearer(than other: NearMiss) -> Bool {
        if differences.count != other.differences.count { return differences.count < other.differences.count }
        if agreements != other.agreements { return agreements > other.agreements }
        return sequence > other.sequence
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
            guard let entry = journal[sequence] else { continue }
            if let since, entry.received < since { continue }
            body(entry)
        }
    }
}

/// A comparison of the journal with a match. It reads the journal in parts, newest first, so that the world's lock can be
/// released between two parts.
package struct MatchSearch: Sendable {
    private let match: NotificationMatch
    private let since: Int64?
    private var matched = 0
    private var newest: [String] = []
    private var misses: [NearMiss] = []

    package init(_ match: NotificationMatch, since: Int64?) {
        self.match = match
        self.since = since
    }

    /// - Parameter range: The numbers of entries, all below those of the part before.
    package mutating func read(_ world: borrowing World, _ range: Range<UInt64>) {
        world.forEachEntry(in: range, since: since) { add($0) }
    }

    private mutating func add(_ entry: JournalEntry) {
        guard let miss = NearMiss(entry, match) else {
            matched += 1
            if newest.count < World.maximumShown { newest.append(entry.uniqueID) }
            return
        }
        guard miss.agreements > 0 || misses.isEmpty else { return }
        if misses.count == World.maximumShown, let last = misses.last, !miss.isNearer(than: last) { return }
        misses.insert(miss, at: misses.firstIndex { miss.isNearer(than: $0) } ?? misses.endIndex)
        if misses.count > World.maximumShown { misses.removeLast() }
    }

    /// What was found so far.
    package var result: MatchResult { MatchResult(matched: matched, newest: newest, nearMisses: misses) }
}
