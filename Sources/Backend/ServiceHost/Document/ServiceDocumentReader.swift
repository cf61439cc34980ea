package import ConfigurationText

/// Builds a service's configuration from the members of a YAML document, with the bounds that all services have.
///
/// An invalid value is reported with its place and left out, and the rest is still read.
package protocol ServiceDocumentReader {
    var reader: YAMLReader { get set }
    /// The values so far; each occurrence of an alias counts.
    var valueCount: Int { get set }
    /// Anchors can make a document that does not fit into memory from a few lines.
    static var maximumValues: Int { get }
}

extension ServiceDocumentReader {
    package typealias Member = (name: String, key: String, node: YAMLNode)

    /// The members of a mapping; other names than the known ones are reported.
    package mutating func members(of node: YAMLNode, _ key: String?, known: [String]) -> [Member] {
        guard counts(node, key ?? "") else { return [] }
        return reader.members(of: node, key, known: known)
    }

    /// At most `limit` elements; more are reported and left out.
    package mutating func list(_ node: YAMLNode, _ key: String, limit: Int) -> [(key: String, node: YAMLNode)] {
        let elements = reader.list(node, key)
        guard elements.count > limit else { return elements }
        reader.report("there are \(elements.count) entries; at most \(limit) are allowed", at: node, key)
        return Array(elements.prefix(limit))
    }

    /// A string of 1 to 255 bytes.
    package mutating func name(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = reader.string(node, key) else { return nil }
        guard (1...WireLimits.name).contains(text.utf8.count) else {
            reader.report("a name has 1 to \(WireLimits.name) bytes", at: node, key)
            return nil
        }
        return text
    }

    /// The name under a required key of a mapping.
    package mutating func requiredName(
        _ name: String, _ members: [Member], _ node: YAMLNode, _ key: String
    ) -> String? {
        guard let member = members.first(where: { $0.name == name }) else {
            if node.isMapping { reader.report("the key \(name) is missing", at: node, key) }
            return nil
        }
        return self.name(member.node, member.key)
    }

    /// A string of at most 4,096 bytes.
    package mutating func value(_ node: YAMLNode, _ key: String) -> String? {
        guard counts(node, key), let text = reader.string(node, key) else { return nil }
        guard text.utf8.count <= WireLimits.value else {
            reader.report("a value has at most \(WireLimits.value) bytes", at: node, key)
            return nil
        }
        return text
    }

    /// A whole number from 1.
    package mutating func limit(_ node: YAMLNode, _ key: String, upTo maximum: Int64) -> Int? {
        reader.number(node, key, in: 1...maximum).map { Int($0) }
    }

    /// A value that an authorization header can hold. Messages never show it, because it is a secret.
    package mutating func token(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = reader.string(node, key) else { return nil }
        guard (1...1_000).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            reader.report("a token has 1 to 1000 ASCII characters without spaces", at: node, key)
            return nil
        }
        return text
    }

    package mutating func faults<Path>(_ node: YAMLNode, _ key: String) -> [PathFault<Path>] {
        var faults: [PathFault<Path>] = []
        for (key, node) in list(node, key, limit: PathFaults<Path>.maximumRules) {
            guard counts(node, key), let value = reader.json(node, key, depth: 4) else { continue }
            do throws(ControlProblem) {
                faults.append(try PathFault(json: value))
            } catch {
                reader.report(error.detail, at: node, key)
            }
        }
        return faults
    }

    /// Counts a value; false, after one report, if there are too many.
    package mutating func counts(_ node: YAMLNode, _ key: String) -> Bool {
        valueCount += 1
        if valueCount == Self.maximumValues + 1 {
            reader.report(
                "with its anchors the document has more than \(Self.maximumValues) values; use fewer aliases", at: node,
                key)
        }
        return valueCount <= Self.maximumValues
    }
}
