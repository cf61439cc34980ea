import Yams

/// A YAML text as a tree whose values know their lines.
package enum YAMLText {
    /// The longest text that is read; a configuration is much shorter.
    package static let maximumBytes = 1024 * 1024
    /// How deep lists and mappings may be nested: the tree is built by recursion.
    private static let maximumNesting = 100

    /// - Returns: Nil for a text that holds nothing.
    package static func read(_ bytes: [UInt8], name: String) throws(ConfigurationFault) -> YAMLNode? {
        guard bytes.count <= maximumBytes else {
            throw ConfigurationFault(file: name, "it has more than \(maximumBytes) bytes, so it is no configuration")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationFault(file: name, "it is not UTF-8; save it as UTF-8")
        }
        guard !isNestedTooDeep(bytes) else {
            throw ConfigurationFault(file: name, "it nests deeper than \(maximumNesting) levels")
        }
        do {
            return try Yams.compose(yaml: text).map(YAMLNode.init)
        } catch let error as YamlError {
            throw fault(error, name)
        } catch {
            throw ConfigurationFault(file: name, "it is not YAML: \(error)")
        }
    }

    /// Counts on the safe side: brackets in strings count as well, and so does every two columns of indentation.
    private static func isNestedTooDeep(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        var isIndentation = true
        var columns = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(depth - 1, 0)
            default: break
            }
            if byte == UInt8(ascii: "\n") {
                (isIndentation, columns) = (true, 0)
            } else if isIndentation, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") {
                columns += 1
            } else {
                isIndentation = false
            }
            if depth + columns / 2 > maximumNesting { return true }
        }
        return false
    }

    private static func fault(_ error: YamlError, _ name: String) -> ConfigurationFault {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ConfigurationFault(file: name, line: mark.line, column: mark.column, "it is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            ConfigurationFault(
                file: name, line: context.mark.line, column: context.mark.column,
                "a key stands here twice: \(keys.sorted().joined(separator: ", ")); keep one of them")
        case .reader(let problem, _, _, _): ConfigurationFault(file: name, "it is not YAML: \(problem)")
        default: ConfigurationFault(file: name, "it is not YAML: \(error)")
        }
    }
}
