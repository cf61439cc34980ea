import PayloadJSON

/// How many fields and values of a match an entry has, and in which it differs.
///
/// A scan compares thousands of entries and shows five of them. So it only counts, which makes no text; the differences are
/// described for those that are shown.
struct MatchComparison: Sendable {
    /// How many fields and values of the match agree.
    private(set) var agreements = 0
    private(set) var differences = 0
    /// The first differences, at most `NearMiss.maximumDifferences`; none where they are only counted.
    private(set) var described: [NearMiss.Difference] = []
    private let describesDifferences: Bool

    init(_ entry: JournalEntry, _ match: NotificationMatch, describesDifferences: Bool = false) {
        self.describesDifferences = describesDifferences
        for field in NotificationMatch.Field.allCases {
            guard let requirement = match[field] else { continue }
            let values = entry.values(of: field)
            if match.isMet(field, by: values) {
                addAgreement()
            } else if isDescribing {
                addDifference(MatchComparison.difference(field, requirement, values))
            } else {
                addDifference()
            }
        }
        if let payload = match.payload { compare(entry, payload) }
    }

    private mutating func compare(_ entry: JournalEntry, _ payload: PayloadMatch) {
        let field = NotificationMatch.payloadKey
        if entry.omittedBytes == 0, let document = try? JSONDocument(entry.payload) {
            payload.compare(document, .root, at: field, into: &self)
        } else if isDescribing {
            let found = JSONWriter.quoted("\(entry.payloadBytes) bytes that are not JSON")
            addDifference(NearMiss.Difference(field: field, wanted: payload.json, found: found))
        } else {
            addDifference()
        }
    }

    private static func difference(
        _ field: NotificationMatch.Field, _ requirement: NotificationMatch.Requirement, _ values: [String]
    ) -> NearMiss.Difference {
        let found = values.map { field.json($0) }
        return NearMiss.Difference(
            field: field.rawValue, wanted: requirement.json(field),
            found: field == .life ? "[\(found.joined(separator: ","))]" : found.first ?? "null")
    }

    /// Whether the next difference is described.
    var isDescribing: Bool { describesDifferences && described.count < NearMiss.maximumDifferences }

    mutating func addAgreement() { agreements += 1 }

    /// - Parameter difference: Nil where it is only counted.
    mutating func addDifference(_ difference: NearMiss.Difference? = nil) {
        differences += 1
        if let difference { described.append(difference) }
    }
}
