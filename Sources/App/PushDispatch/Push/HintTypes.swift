/// The types of hint that an app handles.
public struct HintTypes: Hashable, Sendable {
    private var byName: [String: HintType] = [:]

    /// A later type replaces an earlier one with the same name.
    public init(_ types: [HintType]) {
        for type in types { register(type) }
    }

    /// `ACCOUNT_UPDATE`, `INTERACTION` and `TEST`.
    public static let standard = HintTypes([.accountUpdate, .interaction, .test])

    /// Adds a type, or replaces the one with the same name.
    public mutating func register(_ type: HintType) { byName[type.name] = type }

    /// All types, ordered by name.
    public var all: [HintType] { byName.values.sorted { $0.name < $1.name } }

    public subscript(name: String) -> HintType? { byName[name] }

    /// Reads a push by the tolerant rules of docs/reference/selective-sync.md 1.2: an invalid id is left out, an
    /// invalid push has no hint.
    public func read(_ push: Push) -> HintReading {
        var issues = push.issues
        guard let type = push["type"] else {
            // A payload that cannot be read has an issue already.
            if issues.isEmpty { issues.append(PushIssue(.missingKey, at: "/type", "is missing; expected a string")) }
            return HintReading(.nothing(.missingType), issues)
        }
        guard let name = type.string else {
            issues.append(PushIssue(.wrongKind, at: "/type", "is \(type.kindInWords); expected a string"))
            return HintReading(.nothing(.missingType), issues)
        }
        guard let definition = byName[name] else {
            issues.append(PushIssue(.unknownType, at: "/type", "\"\(PushIssue.shown(name))\" is not registered"))
            return HintReading(.nothing(.unknownType), issues)
        }
        switch definition.content {
        case .nothing: return HintReading(.nothing(.noRecords), issues)
        case .one(let object, let key): return read(push, as: definition, object, key, isArray: false, issues)
        case .many(let object, let key): return read(push, as: definition, object, key, isArray: true, issues)
        }
    }

    private func read(
        _ push: Push, as type: HintType, _ object: String, _ key: String, isArray: Bool, _ earlier: [PushIssue]
    ) -> HintReading {
        var issues = earlier
        let pointer = PushIssue.pointer("", key)
        guard let value = push[key] else {
            issues.append(PushIssue(.missingKey, at: pointer, "is missing; \(type.name) requires it"))
            return HintReading(.nothing(.missingKey), issues)
        }
        guard let elements = isArray ? value.array : value.string.map({ [.string($0)] }) else {
            let expected = isArray ? "an array of strings" : "a string"
            issues.append(PushIssue(.wrongKind, at: pointer, "is \(value.kindInWords); expected \(expected)"))
            return HintReading(.nothing(.missingKey), issues)
        }
        var seen: Set<RecordID> = []
        var records: [RecordID] = []
        for (index, element) in elements.enumerated() {
            let place = isArray ? PushIssue.pointer(pointer, String(index)) : pointer
            guard let id = HintTypes.id(element, at: place, &issues), seen.insert(id).inserted else { continue }
            records.append(id)
        }
        guard !records.isEmpty else { return HintReading(.nothing(.noRecords), issues) }
        let fields = changedFields(push, as: type, &issues)
        return HintReading(
            .hint(Hint(type: type.name, object: object, records: records, changedFields: fields)), issues)
    }

    private static func id(_ value: JSONValue, at pointer: String, _ issues: inout [PushIssue]) -> RecordID? {
        guard let text = value.string else {
            issues.append(PushIssue(.wrongKind, at: pointer, "is \(value.kindInWords); expected a record id"))
            return nil
        }
        do throws(RecordID.Problem) {
            let reading = try RecordID.read(text)
            if reading.isRepaired {
                issues.append(
                    PushIssue(.repairedID, at: pointer, "has wrong upper and lower case, corrected by its suffix"))
            }
            return reading.id
        } catch {
            issues.append(PushIssue(.invalidID, at: pointer, error.description))
            return nil
        }
    }

    private func changedFields(_ push: Push, as type: HintType, _ issues: inout [PushIssue]) -> [String] {
        guard let key = type.changedFieldsKey, let value = push[key], value != .null else { return [] }
        guard let text = value.string else {
            issues.append(
                PushIssue(.wrongKind, at: PushIssue.pointer("", key), "is \(value.kindInWords); expected a string"))
            return []
        }
        var fields: [String] = []
        var seen: Set<String> = []
        for token in text.utf8.split(separator: UInt8(ascii: ",")) {
            let name = HintTypes.trimmed(Substring(token))
            let field = type.fieldNames[name] ?? name
            if !name.isEmpty, seen.insert(field).inserted { fields.append(field) }
        }
        return fields
    }

    /// The token without the white space around it. Most tokens are ASCII, where comparing bytes is faster.
    private static func trimmed(_ token: Substring) -> String {
        let plain = 0x21..<0x80 as Range<UInt8>
        let front = Substring(token.utf8.drop { $0 == UInt8(ascii: " ") })
        guard let first = front.utf8.first, let last = front.utf8.last else { return "" }
        if plain.contains(first), plain.contains(last) { return String(front) }
        return String(front.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
