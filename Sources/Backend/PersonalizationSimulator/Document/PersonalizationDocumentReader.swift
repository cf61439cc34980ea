import ConfigurationText
import ServiceHost

/// Builds a configuration from the members of a document.
struct PersonalizationDocumentReader: ServiceDocumentReader {
    var reader: YAMLReader
    var configuration: ServiceConfiguration
    /// The number of the last decision, for its id.
    var decisionCount = 0
    var valueCount = 0
    static let maximumValues = 2_000_000

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
        case "faults": configuration.faults += faults(node, key)
        default: break
        }
    }

    // MARK: Small values

    mutating func members(of node: YAMLNode, _ key: String?, _ place: DocumentKey.Place) -> [Member] {
        members(of: node, key, known: DocumentKey.names(in: place))
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
}
