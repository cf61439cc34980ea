import Yams

/// Reads YAML into nodes with their places.
package enum YAMLText {
    /// The most bytes that are read; a configuration is much shorter.
    package static let maximumBytes = 1024 * 1024
    /// The limit for nested lists and mappings. The parser recurses, so deeper nesting could overflow the stack.
    private static let maximumNesting = 100
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// - Returns: Nil for an empty document.
    package static func read(_ bytes: [UInt8], name: String) throws(ConfigurationError) -> YAMLNode? {
        guard bytes.count <= maximumBytes else {
            throw ConfigurationError(file: name, "it has more than \(maximumBytes) bytes, too many for a configuration")
        }
        // Some editors begin a file with a byte order mark, and show none: columns are counted behind it.
        let content = bytes.dropFirst(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0)
        guard let text = String(validating: content, as: UTF8.self) else {
            throw ConfigurationError(file: name, "it is not UTF-8; save it as UTF-8")
        }
        guard !isNestedTooDeep(bytes) else {
            throw ConfigurationError(file: name, "it nests deeper than \(maximumNesting) levels")
        }
        do {
            return try Yams.compose(yaml: text).map(YAMLNode.init)
        } catch let error as YamlError {
            throw configurationError(error, name)
        } catch {
            throw ConfigurationError(file: name, "it is not YAML: \(error)")
        }
    }

    /// An upper bound of the nesting: it also counts brackets in strings, and each two columns of indentation.
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

    private static func configurationError(_ error: YamlError, _ name: String) -> ConfigurationError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ConfigurationError(file: name, line: mark.line, column: mark.column, "it is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            ConfigurationError(
                file: name, line: context.mark.line, column: context.mark.column,
                "a key occurs twice here: \(keys.sorted().joined(separator: ", ")); keep one of them")
        case .reader(let problem, _, _, _): ConfigurationError(file: name, "it is not YAML: \(problem)")
        default: ConfigurationError(file: name, "it is not YAML: \(error)")
        }
    }
}
