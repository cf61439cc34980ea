import PayloadJSON

/// Which keys of the table a payload has, and where: found in one pass, so that no rule has to look for them again.
struct KeyIndex: Sendable {
    /// The keys that are there, whatever their values, and the facts about the payload.
    private(set) var found: KeySet = []
    /// Those of the keys that are null.
    private var nulls: KeySet = []
    /// The value of each key that is there; anything for the others.
    private var values = [JSONIndex](repeating: .root, count: KnownKey.allCases.count)

    private static let tables: [PayloadKey.Container: JSONKeyTable] = Dictionary(
        uniqueKeysWithValues: [.root, .aps, .alert, .sound, .titleText, .bodyText].map { container in
            (container, JSONKeyTable(PayloadKey.all(in: container).map { ($0.name, $0.key.rawValue) }))
        })

    /// The value of a key, also a null; of a repeated key the last, as most readers have it.
    subscript(key: KnownKey) -> JSONIndex? { found.contains(key) ? values[Int(key.rawValue)] : nil }

    func isNull(_ key: KnownKey) -> Bool { nulls.contains(key) }

    mutating func read(_ document: borrowing JSONDocument) {
        found = KeySet([], .always)
        nulls = []
        if document.containsNull { found.insert(.nullMember) }
        if document.repeatsKey { found.insert(.repeatedKey) }
        guard document.kind(of: .root) == .object else {
            found.insert(.rootOfOtherKind)
            return
        }
        scan(.root, .root, of: document, unknown: .customInRoot)
        guard let aps = self[.aps] else {
            found.insert(.noAPS)
            return
        }
        guard document.kind(of: aps) == .object else {
            found.insert(.apsOfOtherKind)
            return
        }
        scan(aps, .aps, of: document, unknown: .unknownInAPS)
        scan(.alert, .alert, of: document, unknown: .unknownInAlert)
        scan(.alertTitle, .titleText, of: document, unknown: .unknownInAlert)
        scan(.alertBody, .bodyText, of: document, unknown: .unknownInAlert)
        scan(.sound, .sound, of: document, unknown: .unknownInSound)
    }

    private mutating func scan(
        _ key: KnownKey, _ container: PayloadKey.Container, of document: borrowing JSONDocument, unknown: PayloadFacts
    ) {
        guard let object = self[key] else { return }
        scan(object, container, of: document, unknown: unknown)
    }

    private mutating func scan(
        _ object: JSONIndex, _ container: PayloadKey.Container, of document: borrowing JSONDocument,
        unknown: PayloadFacts
    ) {
        guard let table = KeyIndex.tables[container] else { return }
        for member in document.members(of: object) {
            guard let id = document.find(member.key, in: table), let key = KnownKey(rawValue: id) else {
                found.insert(unknown)
                continue
            }
            found.insert(key)
            values[Int(id)] = member.value
            if document.kind(of: member.value) == .null { nulls.insert(key) } else { nulls.remove(key) }
        }
    }
}
