package import ConfigurationText
package import PushDispatch

extension YAMLReader {
    /// A value of a document as JSON. Plain scalars become numbers, Booleans and null where they look like one.
    ///
    /// - Parameter depth: How many levels there may be; deeper ones are reported. Of a mapping or list the first 100 are taken.
    ///   Without bounds, anchors can make a few lines stand for a tree that does not fit into memory.
    package mutating func json(_ node: YAMLNode, _ key: String, depth: Int) -> JSONValue? {
        guard depth > 0 else {
            report("the value has too many levels", at: node, key)
            return nil
        }
        if node.isMapping {
            var values: [String: JSONValue] = [:]
            for (name, key, node) in members(of: node, key).prefix(YAMLReader.maximumMembers) {
                values[name] = json(node, key, depth: depth - 1) ?? .null
            }
            return .object(values)
        }
        if let elements = node.sequence {
            return .array(
                elements.prefix(YAMLReader.maximumMembers).map { json($0, key, depth: depth - 1) ?? .null })
        }
        guard let text = node.text, !node.isNothing else { return .null }
        guard node.isPlain else { return .string(text) }
        switch text {
        case "true": return true
        case "false": return false
        default: break
        }
        if let integer = Int64(text), !text.hasPrefix("+") { return .integer(integer) }
        if text.contains("."), let number = Double(text), number.isFinite { return .number(number) }
        return .string(text)
    }

    private static let maximumMembers = 100
}
