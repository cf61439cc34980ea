/// An entry of the table of keys: a key that a payload may contain, where, and with which values.
///
/// The rules about types and ranges, the JSON schema and the documentation use these entries. Source:
/// docs/reference/apns.md 6.3 to 6.8, which restates the pages that `source` names.
package struct PayloadKey: Sendable {
    /// The object that contains a key.
    package enum Container: Hashable, Sendable {
        case root, aps, alert, sound
        /// The objects that the title and body of a Live Activity's alert can be.
        case titleText, bodyText
    }

    /// Types of values. `one` is the number 1 written as an integer.
    package struct Types: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let string = Types(rawValue: 1 << 0)
        package static let integer = Types(rawValue: 1 << 1)
        /// Any number, including an integer.
        package static let number = Types(rawValue: 1 << 2)
        package static let one = Types(rawValue: 1 << 3)
        package static let `true` = Types(rawValue: 1 << 4)
        package static let object = Types(rawValue: 1 << 5)
        package static let strings = Types(rawValue: 1 << 6)
        package static let null = Types(rawValue: 1 << 7)
        /// What a device may read as the number 1: `true`, `1.0`, `1e0`.
        package static let likeOne = Types(rawValue: 1 << 8)
    }

    /// The meaning of a string or number beyond its type.
    package enum Form: Hashable, Sendable {
        /// Whole seconds since 1970-01-01 UTC, not milliseconds.
        case unixSeconds
        case base64
    }

    /// The evidence for an entry (docs/reference/apns.md 0.1).
    package enum Evidence: String, Hashable, Sendable {
        case documented = "D"
        case observed = "O"
        case ofClients = "C"
        case inferred = "I"
        /// A key of the hint contract of this package, not of Apple.
        case hintContract = "contract"
    }

    package let key: KnownKey
    package let name: String
    package let container: Container
    /// The types that the device accepts.
    package let types: Types
    /// The types that it probably accepts as well; not an error.
    package let tolerated: Types
    /// The types in a Live Activity, if they differ from `types`.
    package let typesInLiveActivity: Types?
    /// The valid range of a number.
    package let range: ClosedRange<Double>?
    /// The push types in which the range does not apply.
    package let unboundedIn: PushTypes
    /// The valid strings; empty for any string.
    package let values: [String]
    package let form: Form?
    /// The push types whose payloads may have the key. A payload without a push type may have every key.
    package let pushTypes: PushTypes
    /// The key without which this one has no effect.
    package let needs: KnownKey?
    /// The key that must not occur together with this one.
    package let excludes: KnownKey?
    package let evidence: Evidence
    /// Where a wrong type or value has an effect.
    package let layer: Layer
    /// The first system that supports it; nil if all do.
    package let since: String?
    /// Why it is deprecated; nil if it is not.
    package let deprecation: String?
    /// Its purpose, in one sentence.
    package let meaning: String
    package let source: String

    init(
        _ key: KnownKey, _ name: String, in container: Container, _ types: Types, tolerated: Types = [],
        typesInLiveActivity: Types? = nil, range: ClosedRange<Double>? = nil, unboundedIn: PushTypes = [],
        values: [String] = [], form: Form? = nil, pushTypes: PushTypes, needs: KnownKey? = nil,
        excludes: KnownKey? = nil, evidence: Evidence = .documented, layer: Layer = .device, since: String? = nil,
        deprecation: String? = nil, source: String = RuleSource.generatingPayloads, _ meaning: String
    ) {
        self.key = key
        self.name = name
        self.container = container
        self.types = types
        self.tolerated = tolerated
        self.typesInLiveActivity = typesInLiveActivity
        self.range = range
        self.unboundedIn = unboundedIn
        self.values = values
        self.form = form
        self.pushTypes = pushTypes
        self.needs = needs
        self.excludes = excludes
        self.evidence = evidence
        self.layer = layer
        self.since = since
        self.deprecation = deprecation
        self.meaning = meaning
        self.source = source
    }

    /// The entries of one object, in the order of the table.
    package static func all(in container: Container) -> [PayloadKey] { all.filter { $0.container == container } }
}
