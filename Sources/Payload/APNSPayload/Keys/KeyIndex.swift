import PayloadJSON

/// The known keys of a payload and their values, found in one pass, so that no rule has to search for them.
struct KeyIndex: Sendable {
    /// The keys that are present, whatever their values, and the facts about the payload.
    private(set) var found: KeySet = []
    /// What was found in the objects that were searched.
    private var scan = JSONKeyScan()
    /// The value of each key in `found`; an arbitrary value for the others.
    private var values = [JSONIndex](repeating: .root, count: 64)
    /// The objects that were searched.
    private var scanned: [JSONIndex] = []
    private let tables = Tables()

    /// The names to look for in each object. Each index has its own: threads that check at the same time would wait for each
    /// other to count the references to a common one, twice for each payload.
    private final class Tables: Sendable {
        let root = JSONKeyTable(
            Tables.names(.root) + [("payload", KeyIndex.payloadID), ("payload-base64", KeyIndex.payloadID)]
                + [("personalization", KeyIndex.personalizationID)]
                + SuspiciousRootKey.all.map { (name: $0, id: KeyIndex.suspiciousID) })
        let aps = JSONKeyTable(Tables.names(.aps))
        let alert = JSONKeyTable(Tables.names(.alert))
        let sound = JSONKeyTable(Tables.names(.sound))
        let titleText = JSONKeyTable(Tables.names(.titleText))
        let bodyText = JSONKeyTable(Tables.names(.bodyText))
        /// The documented values of each key that has some.
        let words = PayloadKey.all.map { row in
            row.values.isEmpty ? nil : JSONKeyTable(row.values.map { (name: $0, id: 0) })
        }

        init() {}

        private static func names(_ container: PayloadKey.Container) -> [(name: String, id: UInt8)] {
            PayloadKey.all(in: container).map { ($0.name, $0.key.rawValue) }
        }
    }

    /// The id of the keys that make an object without `aps` an envelope. In a payload they are the app's own keys.
    private static let payloadID: UInt8 = 63
    private static let payloadBit: UInt64 = 1 << 63
    /// The id of all the keys in `SuspiciousRootKey`.
    private static let suspiciousID: UInt8 = 62
    private static let suspiciousBit: UInt64 = 1 << 62
    /// The id of the key that a personalized push has beside its type.
    private static let personalizationID: UInt8 = 61
    private static let personalizationBit: UInt64 = 1 << 61
    /// The ids that are not known keys.
    private static let ownBits = payloadBit | suspiciousBit | personalizationBit

    /// Whether the JSON is an envelope or a simulator file, and not a bare payload.
    private(set) var isWrapped = false

    /// The value of a key, also a null; the last value of a repeated key, as in most JSON readers.
    subscript(key: KnownKey) -> JSONIndex? { found.contains(key) ? values[Int(key.rawValue)] : nil }

    /// Whether a string is one of the documented values of a key.
    func isWord(_ value: JSONIndex, of key: KnownKey, in document: borrowing JSONDocument) -> Bool {
        tables.words[Int(key.rawValue)].map { document.find(value, in: $0) != nil } ?? false
    }

    /// The forms of the values of these keys.
    var forms: JSONForms { scan.forms }

    func isNull(_ key: KnownKey) -> Bool { scan.nulls & 1 << UInt64(key.rawValue) != 0 }

    /// - Parameter endsAtWrapped: Whether nothing but `isWrapped` is needed of an envelope or a simulator file.
    mutating func read(_ document: borrowing JSONDocument, endsAtWrapped: Bool = false) {
        found = .everything
        scan = JSONKeyScan()
        isWrapped = false
        scanned.removeAll(keepingCapacity: true)
        if document.containsNull { found.insert(.nullMember) }
        if document.isObject(.root) {
            readObjects(of: document, endsAtWrapped)
            if isWrapped, endsAtWrapped { return }
        } else {
            found.insert(.rootOfOtherKind)
        }
        if !found.contains(.repeatedKey), document.repeatsKey(inObjectsBut: scanned) { found.insert(.repeatedKey) }
    }

    private mutating func readObjects(of document: borrowing JSONDocument, _ endsAtWrapped: Bool) {
        // A copy, so that the tables are not retained and released for each object.
        let tables = tables
        document.scan(.root, for: tables.root, into: &values, adding: &scan)
        isWrapped =
            scan.found & KeyIndex.payloadBit != 0 && scan.found & 1 << UInt64(KnownKey.aps.rawValue) == 0
            || scan.found & 1 << UInt64(KnownKey.simulatorTargetBundle.rawValue) != 0
        if isWrapped, endsAtWrapped { return }
        if scan.found & KeyIndex.suspiciousBit != 0 { found.insert(.suspiciousInRoot) }
        if scan.found & KeyIndex.personalizationBit != 0 { found.insert(.personalization) }
        if scan.found & KeyIndex.ownBits != 0 {
            scan.hasOthers = true
            scan.found &= ~KeyIndex.ownBits
            scan.nulls &= ~KeyIndex.ownBits
            scan.forms.remove(KeyIndex.ownBits)
        }
        takeScan(of: .root, others: .customInRoot)
        // Before the keys of `aps` are in `found`.
        if let type = self[.type], !isNull(.type) { found.insert(facts(ofType: type, in: document)) }
        guard let aps = self[.aps] else {
            found.insert(.noAPS)
            return
        }
        guard document.isObject(aps) else {
            found.insert(.apsOfOtherKind)
            return
        }
        document.scan(aps, for: tables.aps, into: &values, adding: &scan)
        takeScan(of: aps, others: .unknownInAPS)
        look(into: .alert, of: document, for: tables.alert, others: .unknownInAlert)
        look(into: .alertTitle, of: document, for: tables.titleText, others: .unknownInAlert)
        look(into: .alertBody, of: document, for: tables.bodyText, others: .unknownInAlert)
        look(into: .sound, of: document, for: tables.sound, others: .unknownInSound)
    }

    private mutating func look(
        into key: KnownKey, of document: borrowing JSONDocument, for table: JSONKeyTable, others: PayloadFacts
    ) {
        guard let object = self[key], document.isObject(object) else { return }
        document.scan(object, for: table, into: &values, adding: &scan)
        takeScan(of: object, others: others)
    }

    /// Takes what was found in one more object.
    private mutating func takeScan(of object: JSONIndex, others: PayloadFacts) {
        found.insert(bits: scan.found)
        if scan.hasOthers { found.insert(others) }
        if scan.repeatsKey { found.insert(.repeatedKey) }
        scanned.append(object)
    }
}
