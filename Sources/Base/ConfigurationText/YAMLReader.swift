import APNSModel

/// Reads values from YAML nodes. It collects errors and continues, so that one run reports all of them.
package struct YAMLReader {
    package let file: String
    package private(set) var errors: [ConfigurationError] = []
    /// How many errors there were beside those.
    package private(set) var omitted = 0
    private let maximumErrors: Int

    /// - Parameter maximumErrors: Further errors are only counted.
    package init(file: String, maximumErrors: Int = .max) {
        self.file = file
        self.maximumErrors = maximumErrors
    }

    package mutating func report(_ message: String, at node: YAMLNode, _ key: String?) {
        guard hasRoom() else { return }
        errors.append(
            ConfigurationError(file: file, line: node.mark?.line, column: node.mark?.column, key: key, message))
    }

    /// Counts an error that there is no room for.
    private mutating func hasRoom() -> Bool {
        guard errors.count >= maximumErrors else { return true }
        omitted += 1
        return false
    }

    package mutating func report(_ message: String, line: Int, column: Int, _ key: String?) {
        guard hasRoom() else { return }
        errors.append(ConfigurationError(file: file, line: line, column: column, key: key, message))
    }

    /// The members of a mapping in their order. Another node is an error and has none.
    ///
    /// - Parameter known: The allowed keys; nil for any.
    package mutating func members(
        of node: YAMLNode, _ key: String?, known: [String]? = nil
    ) -> [(name: String, key: String, node: YAMLNode)] {
        guard let mapping = node.mapping else {
            report("\(node.shown) is given where a mapping of keys to values is expected", at: node, key)
            return []
        }
        var members: [(name: String, key: String, node: YAMLNode)] = []
        for (name, value) in mapping {
            guard let text = name.text else {
                report("\(name.shown) is given where a key is expected", at: name, key)
                continue
            }
            let path = key.map { "\($0).\(text)" } ?? text
            guard let known else {
                members.append((text, path, value))
                continue
            }
            if !known.contains(text) {
                guard hasRoom() else { continue }
                let meant = Suggestion.best(for: text, among: known).map { "did you mean \($0)?" }
                report("there is no such key; \(meant ?? "expected \(known.joined(separator: ", "))")", at: name, path)
            } else if members.contains(where: { $0.name == text }) {
                // The parser of YAML refuses this; that of JSON does not.
                report("this key occurs twice; keep one of them", at: name, path)
            } else {
                members.append((text, path, value))
            }
        }
        return members
    }

    package mutating func string(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = node.text, !node.isNothing else {
            report("\(node.shown) is given where a string is expected", at: node, key)
            return nil
        }
        return text
    }

    /// A list of strings, or one string, which is a list with one element.
    package mutating func strings(_ node: YAMLNode, _ key: String) -> [(text: String, key: String, node: YAMLNode)] {
        guard let sequence = node.sequence else {
            guard !node.isMapping else {
                report("\(node.shown) is given where a list of strings is expected", at: node, key)
                return []
            }
            return string(node, key).map { [($0, key, node)] } ?? []
        }
        return sequence.enumerated().compactMap { index, element in
            let key = "\(key)[\(index)]"
            return string(element, key).map { ($0, key, element) }
        }
    }

    package mutating func list(_ node: YAMLNode, _ key: String) -> [(key: String, node: YAMLNode)] {
        guard let sequence = node.sequence else {
            report("\(node.shown) is given where a list is expected", at: node, key)
            return []
        }
        return sequence.enumerated().map { ("\(key)[\($0)]", $1) }
    }

    package mutating func boolean(_ node: YAMLNode, _ key: String) -> Bool? {
        switch node.text?.lowercased() {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default:
            report("\(node.shown) is given where true or false is expected", at: node, key)
            return nil
        }
    }

    package mutating func count(_ node: YAMLNode, _ key: String) -> Int? {
        guard let count = node.text.flatMap({ Int($0) }), count >= 0 else {
            report("\(node.shown) is given where a number from 0 is expected", at: node, key)
            return nil
        }
        return count
    }

    /// A whole number in a range.
    package mutating func number(_ node: YAMLNode, _ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let number = node.text.flatMap({ Int64($0) }), range.contains(number) else {
            let bounds =
                range.upperBound == .max
                ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
            report("\(node.shown) is given where a whole number \(bounds) is expected", at: node, key)
            return nil
        }
        return number
    }

    /// One of several words.
    package mutating func word<Value>(_ node: YAMLNode, _ key: String, _ values: [(word: String, value: Value)])
        -> Value?
    {
        guard let text = string(node, key) else { return nil }
        if let found = values.first(where: { $0.word == text }) { return found.value }
        let words = values.map(\.word)
        let meant = Suggestion.best(for: text, among: words).map { "; did you mean \($0)?" } ?? ""
        report("\(node.shown) is none of \(words.joined(separator: ", "))\(meant)", at: node, key)
        return nil
    }
}
