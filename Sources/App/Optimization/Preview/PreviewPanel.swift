import Foundation

/// What a preview panel shows: audiences with their experiences. A value; the views draw it.
///
/// Source: docs/reference/personalization.md 16.
public struct PreviewPanel: Hashable, Sendable {
    public enum AudienceState: String, Hashable, Sendable, CaseIterable {
        /// Overridden: the person is shown as one of the audience.
        case on
        /// Overridden: the person is shown as not one of the audience.
        case off
        /// As the service says.
        case `default`
    }

    public struct Audience: Hashable, Sendable, Identifiable {
        /// Empty for all visitors.
        public var id: String
        public var name: String
        public var details: String?
        public var state: AudienceState
        /// Whether the person really belongs to it. True for all visitors.
        public var isQualified: Bool
        public var experiences: [Experience]

        /// Whether experiences without an audience stand here, which cannot be switched.
        public var isAllVisitors: Bool { id.isEmpty }

        /// Whether the person counts as one of the audience now.
        public var isActive: Bool {
            switch state {
            case .on: true
            case .off: false
            case .default: isQualified
            }
        }
    }

    public struct Experience: Hashable, Sendable, Identifiable {
        public var id: String
        public var name: String
        public var kind: ExperienceEntry.Kind?
        /// The first is the baseline.
        public var variants: [Variant]
        /// The variant that is shown now; nil if the experience is not selected.
        public var shownIndex: Int?
        /// The service's choice; nil if it has made none.
        public var selectedIndex: Int?
        public var isOverridden: Bool
    }

    public struct Variant: Hashable, Sendable, Identifiable {
        public var index: Int
        /// The share in whole percent; nil if none is given.
        public var percent: Int?

        public var id: Int { index }
    }

    public static let allVisitors = "All Visitors"

    /// All visitors first, then those that the person counts as one of, then by name.
    public var audiences: [Audience]

    /// - Parameters:
    ///   - selections: The service's.
    ///   - qualified: The audiences that the person really belongs to.
    public init(
        _ definitions: PreviewDefinitions, selections: [ExperienceSelection]?, qualified: [String],
        overrides: PreviewOverrides
    ) {
        let qualified = Set(qualified)
        let real = Dictionary(
            (selections ?? []).map { ($0.experienceID, $0.variantIndex) }, uniquingKeysWith: { first, _ in first })
        func experience(_ entry: ExperienceEntry) -> Experience {
            let variant = overrides.variants[entry.experienceID]
            let selected = real[entry.experienceID]
            return Experience(
                id: entry.experienceID, name: entry.name.inPanel, kind: entry.kind,
                variants: PreviewPanel.variants(of: entry),
                shownIndex: variant?.index ?? selected, selectedIndex: selected, isOverridden: variant != nil)
        }
        func audience(_ id: String, _ name: String, _ details: String?) -> Audience {
            let override = overrides.audiences[id]
            let state = override.map { $0.isQualified ? AudienceState.on : .off } ?? .default
            return Audience(
                id: id, name: (name.isEmpty ? id : name).inPanel, details: details?.inPanel, state: state,
                isQualified: override?.wasQualified ?? qualified.contains(id), experiences: [])
        }
        var all = Audience(
            id: "", name: PreviewPanel.allVisitors, details: nil, state: .default, isQualified: true, experiences: [])
        var found: [String: Audience] = [:]
        for entry in definitions.audiences where found[entry.audienceID] == nil {
            found[entry.audienceID] = audience(entry.audienceID, entry.name, entry.details)
        }
        var known: Set<String> = []
        for entry in definitions.experiences where known.insert(entry.experienceID).inserted {
            guard let owner = entry.audience else {
                all.experiences.append(experience(entry))
                continue
            }
            found[owner.audienceID, default: audience(owner.audienceID, owner.name, owner.details)]
                .experiences.append(experience(entry))
        }
        audiences = ([all].filter { !$0.experiences.isEmpty } + found.values).sorted(by: PreviewPanel.precedes)
        for index in audiences.indices {
            audiences[index].experiences.sort { PreviewPanel.precedes(($0.name, $0.id), ($1.name, $1.id)) }
        }
    }

    /// At most this many variants of an experience are listed.
    static let maximumVariants = 1_000

    private static func variants(of entry: ExperienceEntry) -> [Variant] {
        var count = 1
        for case .entryReplacement(let replacement) in entry.configuration.components {
            count = max(count, replacement.variants.count + 1)
        }
        for case .inlineVariable(let variable) in entry.configuration.components {
            count = max(count, variable.variants.count + 1)
        }
        let shares = entry.configuration.distribution
        return (0..<min(max(count, shares.count), maximumVariants)).map { index in
            Variant(index: index, percent: shares.indices.contains(index) ? percent(shares[index]) : nil)
        }
    }

    /// A share outside 0 to 1 counts as the nearest one inside.
    private static func percent(_ share: Double) -> Int { Int((min(max(0, share), 1) * 100).rounded()) }

    private static func precedes(_ left: Audience, _ right: Audience) -> Bool {
        if left.isAllVisitors != right.isAllVisitors { return left.isAllVisitors }
        if left.isActive != right.isActive { return left.isActive }
        return precedes((left.name, left.id), (right.name, right.id))
    }

    private static func precedes(_ left: (name: String, id: String), _ right: (name: String, id: String)) -> Bool {
        let (leftName, rightName) = (left.name.lowercased(), right.name.lowercased())
        return leftName == rightName ? left.id < right.id : leftName < rightName
    }

    /// The audiences and experiences whose name or id contains the text, in any case. An audience that contains it keeps all
    /// its experiences; an empty text finds everything.
    public func search(_ text: String) -> [Audience] {
        let text = text.trimmed
        guard !text.isEmpty else { return audiences }
        func contains(_ name: String, _ id: String) -> Bool {
            [name, id].contains { $0.range(of: text, options: .caseInsensitive) != nil }
        }
        return audiences.compactMap { audience in
            if contains(audience.name, audience.id) { return audience }
            var part = audience
            part.experiences = audience.experiences.filter { contains($0.name, $0.id) }
            return part.experiences.isEmpty ? nil : part
        }
    }
}

extension String {
    /// A name from outside as one line of characters that can be seen. Of a long one the beginning; a character that is
    /// hidden or changes the direction of the text is replaced.
    fileprivate var inPanel: String {
        let limit = 200
        var line = UnicodeScalarView()
        for scalar in unicodeScalars.prefix(limit) { line.append(scalar.isSeen ? scalar : "\u{fffd}") }
        return String(line) + (unicodeScalars.dropFirst(limit).isEmpty ? "" : "…")
    }

    /// Without white space at both ends.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

extension Unicode.Scalar {
    /// Joiners count: emoji and words of some languages are made with them.
    fileprivate var isSeen: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
        case .format: self == "\u{200c}" || self == "\u{200d}"
        default: true
        }
    }
}
