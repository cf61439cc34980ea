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
            throw configurationError(error, text, name)
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

    private static func configurationError(_ error: YamlError, _ text: String, _ name: String) -> ConfigurationError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ConfigurationError(file: name, line: mark.line, column: mark.column, "it is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            ConfigurationError(
                file: name, line: lineOfRepetition(of: context.mark, in: text), column: context.mark.column,
                "a key occurs twice here: \(keys.sorted().joined(separator: ", ")); keep one of them")
        case .reader(let problem, _, _, _): ConfigurationError(file: name, "it is not YAML: \(problem)")
        default: ConfigurationError(file: name, "it is not YAML: \(error)")
        }
    }

    /// The line of the second of two equal keys, of which the parser names the first: the next line with this key in the same
    /// column. That of the first where there is none, as in `{a: 1, a: 2}`.
    private static func lineOfRepetition(of first: Mark, in text: String) -> Int {
        let (indentation, lines) = (first.column - 1, text.split(omittingEmptySubsequences: false) { $0.isNewline })
        guard indentation >= 0, lines.indices.contains(first.line - 1),
            let wanted = key(in: lines[first.line - 1], after: indentation)
        else { return first.line }
        for (index, line) in lines.enumerated().dropFirst(first.line) {
            // The mapping ends where a line is less indented, unless that is a comment.
            switch line.unicodeScalars.prefix(indentation).first(where: { $0 != " " }) {
            case nil: if key(in: line, after: indentation) == wanted { return index + 1 }
            case "#": continue
            default: return first.line
            }
        }
        return first.line
    }

    /// What a line has before its first colon, from a column on; nil for a line without one.
    private static func key(in line: Substring, after indentation: Int) -> String? {
        let rest = String(line.unicodeScalars.dropFirst(indentation)) + " "
        guard let colon = rest.firstRange(of: ": ") else { return nil }
        var key = rest[..<colon.lowerBound]
        while key.last == " " { key.removeLast() }
        return String(key)
    }
}
