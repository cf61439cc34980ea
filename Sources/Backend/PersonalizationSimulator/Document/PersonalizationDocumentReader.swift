import ConfigurationText
import ServiceHost

/// Builds a configuration from the members of a document.
struct PersonalizationDocumentReader {
    typealias Member = (name: String, key: String, node: YAMLNode)

    var reader: YAMLReader
    var configuration: ServiceConfiguration
    /// The number of the last decision, for its id.
    var decisionCount = 0
    /// The values so far; each occurrence of an alias counts.
    private var valueCount = 0
    /// Anchors can make a document that does not fit into memory from a few lines.
    private static let maximumValues = 2_000_000

    init(reader: YAMLReader, seed: UInt64) {
        self.reader = reader
        configuration = ServiceConfiguration(seed: seed)
    }

    mutating func read(_ root: YAMLNode) {
        let members = members(of: root, nil, .document)
        // The seed comes first, because ids follow from it; items and data spaces come before the points that name them.
        let order = ["seed", "dataspaces", "app-source-id", "items"]
        for name in order { members.filter { $0.name == name }.forEach { take($0) } }
        for member in members where !order.contains(member.name) { take(member) }
    }

    private mutating func take(_ member: Member) {
        let (name, key, node) = member
        switch name {
        case "seed":
            guard let seed = reader.number(node, key, in: 0...Int64.max) else { return }
            configuration = ServiceConfiguration(seed: UInt64(seed))
        case "dataspaces":
            let names = reader.strings(node, key).compactMap { self.name($0.node, $0.key) }
            if names.count > ServiceLimits.dataSpaces {
                reader.report(
                    "there are \(names.count) data spaces; at most \(ServiceLimits.dataSpaces) are allowed", at: node,
                    key)
            } else if Set(names).count < names.count {
                reader.report("a data space is named twice", at: node, key)
            } else if names.isEmpty {
                reader.report("at least one data space is expected", at: node, key)
            } else {
                configuration.dataSpaces = names
            }
        case "app-source-id":
            guard let text = reader.string(node, key) else { return }
            guard UUIDText.isValid(text) else {
                reader.report("\(node.shown) is given where a UUID is expected", at: node, key)
                return
            }
            configuration.appSourceID = text
        case "access-token": configuration.accessToken = token(node, key) ?? configuration.accessToken
        case "reply":
            let words = ServiceConfiguration.ReplyForm.allCases.map { ($0.rawValue, $0) }
            configuration.replyForm = reader.word(node, key, words) ?? configuration.replyForm
        case "app-sources": appSources(node, key)
        case "limits": limits(node, key)
        case "items": items(node, key)
        case "points": points(node, key)
        case "individuals": individuals(node, key)
        case "faults": faults(node, key)
        default: break
        }
    }

    // MARK: Small values

    mutating func members(of node: YAMLNode, _ key: String?, _ place: DocumentKey.Place) -> [Member] {
        guard counts(node, key ?? "") else { return [] }
        return reader.members(of: node, key, known: DocumentKey.names(in: place))
    }

    /// At most `limit` elements; more are reported and left out.
    mutating func list(_ node: YAMLNode, _ key: String, limit: Int) -> [(key: String, node: YAMLNode)] {
        let elements = reader.list(node, key)
        guard elements.count > limit else { return elements }
        reader.report("there are \(elements.count) entries; at most \(limit) are allowed", at: node, key)
        return Array(elements.prefix(limit))
    }

    /// A string of 1 to 255 bytes.
    mutating func name(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = reader.string(node, key) else { return nil }
        guard (1...ServiceLimits.name).contains(text.utf8.count) else {
            reader.report("a name has 1 to \(ServiceLimits.name) bytes", at: node, key)
            return nil
        }
        return text
    }

    /// The name under a required key of a mapping.
    mutating func requiredName(_ name: String, _ members: [Member], _ node: YAMLNode, _ key: String) -> String? {
        guard let member = members.first(where: { $0.name == name }) else {
            if node.isMapping { reader.report("the key \(name) is missing", at: node, key) }
            return nil
        }
        return self.name(member.node, member.key)
    }

    /// Text values by name.
    mutating func texts(_ node: YAMLNode, _ key: String, limit: Int) -> [String: String] {
        var values: [String: String] = [:]
        for (name, key, node) in reader.members(of: node, key) {
            guard counts(node, key), let text = reader.string(node, key) else { continue }
            guard text.utf8.count <= ServiceLimits.value, (1...ServiceLimits.name).contains(name.utf8.count) else {
                reader.report(
                    "a name has at most \(ServiceLimits.name) bytes and a value at most \(ServiceLimits.value)",
                    at: node,
                    key)
                continue
            }
            guard values.count < limit else {
                reader.report("there are more than \(limit) values", at: node, key)
                break
            }
            values[name] = text
        }
        return values
    }

    /// A number written with a point or without.
    mutating func fraction(_ node: YAMLNode, _ key: String) -> Double? {
        guard let number = node.text.flatMap({ Double($0) }), (0...1).contains(number) else {
            reader.report("\(node.shown) is given where a number from 0 to 1 is expected", at: node, key)
            return nil
        }
        return number
    }

    /// A value that an authorization header can hold. Messages never show it, because it is a secret.
    private mutating func token(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = reader.string(node, key) else { return nil }
        guard (1...1_000).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            reader.report("a token has 1 to 1000 ASCII characters without spaces", at: node, key)
            return nil
        }
        return text
    }

    /// Counts a value; false, after one report, if there are too many.
    mutating func counts(_ node: YAMLNode, _ key: String) -> Bool {
        valueCount += 1
        if valueCount == PersonalizationDocumentReader.maximumValues + 1 {
            reader.report(
                "with its anchors the document has more than \(PersonalizationDocumentReader.maximumValues) values; "
                    + "use fewer aliases", at: node, key)
        }
        return valueCount <= PersonalizationDocumentReader.maximumValues
    }
}
