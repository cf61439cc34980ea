import APNSPayload
import ConfigurationText

/// Reads application contracts from a configuration.
enum ContractReader {
    private static let keys = ["name", "match", "keys", "other-keys", "forbidden", "visibility", "max-bytes"]

    /// A contract; nil and an error if its name or `match` is missing.
    static func contract(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> ApplicationContract? {
        var contract = ApplicationContract(name: "", match: .everything)
        var match: ApplicationContract.Match?
        let members = reader.members(of: node, key, known: keys)
        for (name, path, node) in members {
            switch name {
            case "name": contract.name = reader.string(node, path) ?? ""
            case "match": match = self.match(node, path, &reader)
            case "keys":
                contract.keys = reader.members(of: node, path).compactMap {
                    self.key($0.name, $0.node, $0.key, &reader)
                }
            case "other-keys": contract.allowsOtherKeys = reader.boolean(node, path) ?? true
            case "forbidden": contract.forbiddenKeys = forbidden(node, path, &reader)
            case "visibility":
                let words = ApplicationContract.Visibility.allCases.map { ($0.rawValue, $0) }
                contract.visibility = reader.word(node, path, words) ?? .any
            case "max-bytes": contract.maximumBytes = reader.count(node, path)
            default: break
            }
        }
        guard node.isMapping else { return nil }
        for wanted in ["name", "match"] where !members.contains(where: { $0.name == wanted }) {
            let what = wanted == "name" ? "is the name for messages" : "selects the payloads that it applies to"
            reader.report("the key \(wanted) is missing, which \(what)", at: node, key)
        }
        guard !contract.name.isEmpty, let match else { return nil }
        contract.match = match
        return contract
    }

    /// `everything`, or a mapping of `key` and `value`.
    private static func match(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> ApplicationContract.Match?
    {
        guard node.isMapping else { return reader.word(node, key, [("everything", .everything)]) }
        var (name, value): (String?, String?)
        for (member, path, node) in reader.members(of: node, key, known: ["key", "value"]) {
            if member == "key" { name = reader.string(node, path) } else { value = reader.string(node, path) }
        }
        guard let name else {
            reader.report("the key key is missing, which names the custom key to compare", at: node, key)
            return nil
        }
        return value.map { .value($0, ofKey: name) } ?? .key(name)
    }

    private static func forbidden(
        _ node: YAMLNode, _ key: String, _ reader: inout YAMLReader
    ) -> [ApplicationContract.ForbiddenKey] {
        guard node.isMapping else {
            return reader.strings(node, key).map { ApplicationContract.ForbiddenKey($0.text) }
        }
        return reader.members(of: node, key).map { name, path, node in
            ApplicationContract.ForbiddenKey(name, reason: node.isNothing ? nil : reader.string(node, path))
        }
    }

    private static func key(
        _ name: String, _ node: YAMLNode, _ key: String, _ reader: inout YAMLReader
    ) -> ContractKey? {
        var isRequired = true
        if let required = node["required"] {
            isRequired = reader.boolean(required, key + ".required") ?? true
        }
        return value(node, key, &reader, known: ["required"]).map { ContractKey(name, $0, isRequired: isRequired) }
    }
}

// MARK: - Values

extension ContractReader {
    /// The keys that a value may have beside its type.
    private static let facets: [String: [String]] = [
        "any": [], "boolean": [], "object": [], "array": ["items", "min-items", "max-items"],
        "string": ["format", "pattern", "enum", "schemes", "min-length", "max-length"],
        "integer": ["minimum", "maximum"], "number": ["minimum", "maximum"],
    ]
    private static let types = ["any", "string", "integer", "number", "boolean", "object", "array"]

    /// The name of a type, or a mapping of `type` and other keys.
    private static func value(
        _ node: YAMLNode, _ key: String, _ reader: inout YAMLReader, known: [String] = []
    ) -> ContractValue? {
        let typeNode = node["type"]
        guard let type = type(typeNode ?? node, typeNode == nil ? key : key + ".type", &reader) else { return nil }
        guard node.isMapping else { return value(ofType: type, [:], key, &reader) }
        let allowed = ["type"] + (facets[type] ?? []) + known
        let members = reader.members(of: node, key, known: allowed)
        return value(
            ofType: type, Dictionary(members.map { ($0.name, $0.node) }) { $1 }, key, &reader)
    }

    private static func type(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> String? {
        guard !node.isMapping else {
            reader.report("the key type is missing; it is one of \(types.joined(separator: ", "))", at: node, key)
            return nil
        }
        return reader.word(node, key, types.map { ($0, $0) })
    }

    private static func value(
        ofType type: String, _ facets: [String: YAMLNode], _ key: String, _ reader: inout YAMLReader
    ) -> ContractValue? {
        switch type {
        case "string":
            let length = range(facets, "min-length", "max-length", key, &reader)
            return .string(format(facets, key, &reader), length: length)
        case "integer":
            let (least, most) = (
                integer(facets, "minimum", key, &reader), integer(facets, "maximum", key, &reader)
            )
            guard least != nil || most != nil else { return .integer() }
            return .integer(closed(least ?? .min, most ?? .max, facets["maximum"] ?? facets["minimum"], key, &reader))
        case "number":
            let (least, most) = (number(facets, "minimum", key, &reader), number(facets, "maximum", key, &reader))
            guard least != nil || most != nil else { return .number() }
            let end = facets["maximum"] ?? facets["minimum"]
            return .number(closed(least ?? -.infinity, most ?? .infinity, end, key, &reader))
        case "boolean": return .boolean
        case "object": return .object
        case "array":
            let element = facets["items"].map { value($0, key + ".items", &reader) ?? .any } ?? .any
            return .array(of: element, count: range(facets, "min-items", "max-items", key, &reader))
        default: return .any
        }
    }

    private static func format(
        _ facets: [String: YAMLNode], _ key: String, _ reader: inout YAMLReader
    ) -> ContractFormat {
        let given = ["format", "pattern", "enum"].filter { facets[$0] != nil }
        if given.count > 1, let node = facets[given[1]] {
            reader.report("\(given.joined(separator: " and ")) exclude each other; keep one", at: node, key)
        }
        if let schemes = facets["schemes"], facets["format"]?.text != "url" {
            reader.report("schemes is allowed with format url only", at: schemes, key + ".schemes")
        }
        if let node = facets["enum"] {
            let texts = reader.list(node, key + ".enum").compactMap { reader.string($0.node, $0.key) }
            return .oneOf(texts)
        }
        if let node = facets["pattern"] { return pattern(node, key + ".pattern", &reader) }
        guard let node = facets["format"] else { return .any }
        let schemes = facets["schemes"].map { reader.strings($0, key + ".schemes").map { $0.text.lowercased() } }
        let formats: [(String, ContractFormat)] = [
            ("record-id", .recordID), ("uuid", .uuid), ("date", .date), ("date-time", .dateTime),
            ("url", .url(schemes: schemes ?? [])), ("hex", .hex), ("base64", .base64), ("any", .any),
        ]
        return reader.word(node, key + ".format", formats) ?? .any
    }

    private static func pattern(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> ContractFormat {
        guard let text = reader.string(node, key) else { return .any }
        do throws(TextPatternError) {
            return .pattern(try TextPattern(text))
        } catch {
            reader.report("\(node.shown) is not a valid pattern: \(error)", at: node, key)
            return .any
        }
    }

    private static func range(
        _ facets: [String: YAMLNode], _ least: String, _ most: String, _ key: String, _ reader: inout YAMLReader
    ) -> ClosedRange<Int>? {
        let lower = facets[least].flatMap { reader.count($0, "\(key).\(least)") }
        let upper = facets[most].flatMap { reader.count($0, "\(key).\(most)") }
        guard lower != nil || upper != nil else { return nil }
        return closed(lower ?? 0, upper ?? .max, facets[most] ?? facets[least], key, &reader)
    }

    private static func closed<Bound>(
        _ least: Bound, _ most: Bound, _ node: YAMLNode?, _ key: String, _ reader: inout YAMLReader
    ) -> ClosedRange<Bound>? {
        guard least <= most else {
            if let node { reader.report("the minimum, \(least), is greater than the maximum, \(most)", at: node, key) }
            return nil
        }
        return least...most
    }

    private static func integer(
        _ facets: [String: YAMLNode], _ name: String, _ key: String, _ reader: inout YAMLReader
    ) -> Int64? {
        guard let node = facets[name] else { return nil }
        if let value = node.text.flatMap({ Int64($0) }) { return value }
        reader.report("\(node.shown) is given where an integer is expected", at: node, "\(key).\(name)")
        return nil
    }

    private static func number(
        _ facets: [String: YAMLNode], _ name: String, _ key: String, _ reader: inout YAMLReader
    ) -> Double? {
        guard let node = facets[name] else { return nil }
        if let value = node.text.flatMap({ Double($0) }), value.isFinite { return value }
        reader.report("\(node.shown) is given where a number is expected", at: node, "\(key).\(name)")
        return nil
    }
}
