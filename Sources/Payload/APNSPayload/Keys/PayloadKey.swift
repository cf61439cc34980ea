/// A row of the table of keys: what a payload may carry, where, and with which values.
///
/// Rules on types and ranges, the JSON schema and the documentation are made from these rows. Source: docs/reference/apns.md
/// 6.3 to 6.8, which restates the pages that `source` names.
package struct PayloadKey: Sendable {
    /// The object that a key stands in.
    package enum Container: Hashable, Sendable {
        case root, aps, alert, sound
        /// The objects that may stand for title and body in the alert of a Live Activity.
        case titleText, bodyText
    }

    /// Kinds of values. `one` is the number 1 written as an integer.
    package struct Types: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let string = Types(rawValue: 1 << 0)
        package static let integer = Types(rawValue: 1 << 1)
        /// Any number, also an integer.
        package static let number = Types(rawValue: 1 << 2)
        package static let one = Types(rawValue: 1 << 3)
        package static let `true` = Types(rawValue: 1 << 4)
        package static let object = Types(rawValue: 1 << 5)
        package static let strings = Types(rawValue: 1 << 6)
        package static let null = Types(rawValue: 1 << 7)
        /// What a device may read as the number 1: `true`, `1.0`, `1e0`.
        package static let likeOne = Types(rawValue: 1 << 8)
    }

    /// What the text or number means, where the type does not say it.
    package enum Form: Hashable, Sendable {
        /// Whole seconds since 1970-01-01 UTC, not milliseconds.
        case unixSeconds
        case base64
    }

    /// How a row is known (docs/reference/apns.md 0.1).
    package enum Evidence: String, Hashable, Sendable {
        case documented = "D"
        case observed = "O"
        case ofClients = "C"
        case inferred = "I"
        case wellKnown = "M"
        /// Not Apple's: a key of the hint contract of this package.
        case hintContract = "contract"
    }

    package let key: KnownKey
    package let name: String
    package let container: Container
    /// What the device honours.
    package let types: Types
    /// What it may honour all the same; no error.
    package let tolerated: Types
    /// The same as `types` in a Live Activity, where that differs.
    package let typesInLiveActivity: Types?
    /// Of a number.
    package let range: ClosedRange<Double>?
    /// Where the range does not hold.
    package let unboundedIn: PushTypes
    /// Of a string; empty for any.
    package let values: [String]
    package let form: Form?
    /// The push types whose payloads have it. A payload without a push type may have every key.
    package let pushTypes: PushTypes
    /// Has no effect without this one.
    package let needs: KnownKey?
    /// Must not stand beside this one.
    package let excludes: KnownKey?
    package let evidence: Evidence
    /// Where a wrong type or value hurts.
    package let layer: Layer
    /// The first system that reads it; nil where it was always there.
    package let since: String?
    /// Why not to use it any more; nil for a key that is in use.
    package let deprecation: String?
    /// What it is for, in one sentence.
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

    /// The rows of one object, in the order of the table.
    package static func all(in container: Container) -> [PayloadKey] { all.filter { $0.container == container } }
}
