/// A set of known keys and of facts about a payload: what a payload contains, or what a rule looks at.
///
/// A rule that looks at `[.alertTitle, .alertBody]` runs if one of these keys is present. `.nullMember` is a fact, and
/// `KeySet([.relevanceScore], .nullMember)` contains a key and a fact.
package struct KeySet: Hashable, Sendable {
    private(set) var keys: UInt64 = 0
    private(set) var facts: PayloadFacts = []

    package init(_ keys: [KnownKey], _ facts: PayloadFacts = []) {
        self.facts = facts
        for key in keys { insert(key) }
    }

    /// The fact of every payload that is JSON. For a rule that reports missing keys.
    package static let everything = KeySet([], .always)
    package static let rootOfOtherKind = KeySet([], .rootOfOtherKind)
    package static let apsOfOtherKind = KeySet([], .apsOfOtherKind)
    package static let noAPS = KeySet([], .noAPS)
    package static let unknownInAPS = KeySet([], .unknownInAPS)
    package static let unknownInAlert = KeySet([], .unknownInAlert)
    package static let unknownInSound = KeySet([], .unknownInSound)
    package static let customInRoot = KeySet([], .customInRoot)
    package static let suspiciousInRoot = KeySet([], .suspiciousInRoot)
    package static let repeatedKey = KeySet([], .repeatedKey)
    package static let nullMember = KeySet([], .nullMember)
    package static let hint = KeySet([], .hint)
    package static let hintOtherKey = KeySet([], .hintOtherKey)
    package static let hintWrongRecord = KeySet([], .hintWrongRecord)
    package static let testType = KeySet([], .testType)
    package static let personalized = KeySet([], .personalized)
    package static let personalization = KeySet([], .personalization)
    package static let entryUpdate = KeySet([], .entryUpdate)
    package static let otherType = KeySet([], .otherType)

    package mutating func insert(_ key: KnownKey) { keys |= 1 << key.rawValue }
    mutating func insert(bits: UInt64) { keys |= bits }
    package mutating func insert(_ facts: PayloadFacts) { self.facts.formUnion(facts) }
    package func contains(_ key: KnownKey) -> Bool { keys & 1 << key.rawValue != 0 }
    package func contains(_ facts: PayloadFacts) -> Bool { self.facts.isSuperset(of: facts) }

    /// Whether the two have a key or a fact in common.
    package func intersects(_ other: KeySet) -> Bool {
        keys & other.keys | UInt64(facts.rawValue & other.facts.rawValue) != 0
    }

    package func union(_ other: KeySet) -> KeySet {
        var union = self
        union.keys |= other.keys
        union.facts.formUnion(other.facts)
        return union
    }
}

extension KeySet: ExpressibleByArrayLiteral {
    package init(arrayLiteral keys: KnownKey...) { self.init(keys, []) }
}

/// Facts about a payload beyond its keys. They select the rules to run, so a fact may be reported for a payload without
/// need, but must never be missing.
package struct PayloadFacts: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// True of every payload that is JSON.
    package static let always = PayloadFacts(rawValue: 1 << 0)
    /// The payload is not an object.
    package static let rootOfOtherKind = PayloadFacts(rawValue: 1 << 1)
    /// `aps` is present and not an object; it may be null.
    package static let apsOfOtherKind = PayloadFacts(rawValue: 1 << 2)
    /// The payload is an object without the key `aps`.
    package static let noAPS = PayloadFacts(rawValue: 1 << 3)
    /// `aps` has an unknown key.
    package static let unknownInAPS = PayloadFacts(rawValue: 1 << 4)
    /// The object `alert`, or an object for its title or body, has an unknown key.
    package static let unknownInAlert = PayloadFacts(rawValue: 1 << 5)
    /// The object `sound` has an unknown key.
    package static let unknownInSound = PayloadFacts(rawValue: 1 << 6)
    /// The root has an unknown key: the app's own, or a mistake.
    package static let customInRoot = PayloadFacts(rawValue: 1 << 7)
    /// An object somewhere in the payload has a key more than once.
    package static let repeatedKey = PayloadFacts(rawValue: 1 << 8)
    /// There is a null somewhere in the payload.
    package static let nullMember = PayloadFacts(rawValue: 1 << 9)
    /// The root has one of the keys of `SuspiciousRootKey`.
    package static let suspiciousInRoot = PayloadFacts(rawValue: 1 << 10)
    /// `type` is that of a hint about records.
    package static let hint = PayloadFacts(rawValue: 1 << 11)
    /// The hint has a key that hints of its type do not have.
    package static let hintOtherKey = PayloadFacts(rawValue: 1 << 12)
    /// The hint names no record, or has an id without the form of one.
    package static let hintWrongRecord = PayloadFacts(rawValue: 1 << 13)
    /// `type` is that of the visible check of a set-up.
    package static let testType = PayloadFacts(rawValue: 1 << 14)
    /// `type` is that of a personalized push.
    package static let personalized = PayloadFacts(rawValue: 1 << 15)
    /// `type` is that of an entry update.
    package static let entryUpdate = PayloadFacts(rawValue: 1 << 16)
    /// `type` has another value.
    package static let otherType = PayloadFacts(rawValue: 1 << 17)
    /// The root has the key `personalization`.
    package static let personalization = PayloadFacts(rawValue: 1 << 18)
}
