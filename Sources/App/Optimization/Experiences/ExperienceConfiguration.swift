public import PushDispatch

/// The field `nt_config` of an experience.
public struct ExperienceConfiguration: Hashable, Sendable {
    /// The share of each variant, from 0 to 1; the first is the baseline's.
    public var distribution: [Double] = []
    /// The share of people who take part, from 0 to 1.
    public var traffic: Double = 0
    public var components: [ExperienceComponent] = []
    /// Whether a person keeps the variant once given.
    public var isSticky = false

    public init() {}

    static func read(_ members: [String: JSONValue], _ issues: inout IssueList) -> ExperienceConfiguration {
        var reader = ObjectReader(members, at: "fields.nt_config")
        reader.issues = issues
        var configuration = ExperienceConfiguration()
        for (index, element) in reader.list("distribution").enumerated() {
            if let share = element.double {
                configuration.distribution.append(share)
            } else {
                reader.note("distribution[\(index)]", "is \(element.kindInWords) instead of a number, and counts as 0")
                configuration.distribution.append(0)
            }
        }
        configuration.traffic = reader.number("traffic") ?? 0
        for (index, element) in reader.list("components").enumerated() {
            if let component = ExperienceComponent(element) {
                configuration.components.append(component)
            } else {
                reader.note("components[\(index)]", "has no baseline of its kind, and is left out")
            }
        }
        configuration.isSticky = reader.flag("sticky")
        issues = reader.issues
        return configuration
    }
}

/// What an experience replaces.
public enum ExperienceComponent: Hashable, Sendable {
    case entryReplacement(EntryReplacement)
    case inlineVariable(InlineVariable)
    /// A kind that this library does not know.
    case unknown(kind: String)

    static let entryReplacementKind = "EntryReplacement"

    /// Nil if it is not an object with a baseline of its kind.
    init?(_ value: JSONValue) {
        guard let members = value.object else { return nil }
        switch members["type"] {
        case nil, .null?, "EntryReplacement"?:
            guard let replacement = EntryReplacement(members) else { return nil }
            self = .entryReplacement(replacement)
        case "InlineVariable"?:
            guard let variable = InlineVariable(members) else { return nil }
            self = .inlineVariable(variable)
        case let kind?: self = .unknown(kind: kind.string ?? kind.kindInWords)
        }
    }
}

/// One entry in place of another.
public struct EntryReplacement: Hashable, Sendable {
    public struct Variant: Hashable, Sendable {
        /// Empty for a variant that shows nothing.
        public var id: String
        public var isHidden: Bool
    }

    public var baseline: Variant
    /// The first has the index 1. Nil stands for an element that names no entry.
    public var variants: [Variant?]

    init?(_ members: [String: JSONValue]) {
        guard let baseline = members["baseline"].flatMap(EntryReplacement.variant) else { return nil }
        self.baseline = baseline
        variants = (members["variants"]?.array ?? []).map(EntryReplacement.variant)
    }

    private static func variant(_ value: JSONValue) -> Variant? {
        guard let members = value.object, let id = members["id"]?.string else { return nil }
        return Variant(id: id, isHidden: members["hidden"]?.flag ?? false)
    }
}

/// A value that differs between variants.
public struct InlineVariable: Hashable, Sendable {
    public var key: String
    /// `Boolean`, `Number`, `Object` or `String`.
    public var valueType: String
    public var baseline: JSONValue
    public var variants: [JSONValue]

    init?(_ members: [String: JSONValue]) {
        guard let key = members["key"]?.string, let baseline = members["baseline"]?.object else { return nil }
        self.key = key
        valueType = members["valueType"]?.string ?? ""
        self.baseline = baseline["value"] ?? .null
        variants = (members["variants"]?.array ?? []).map { $0.object?["value"] ?? .null }
    }
}
