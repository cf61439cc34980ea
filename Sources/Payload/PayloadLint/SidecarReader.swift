package import ConfigurationText

/// Reads the file beside a payload file that lists the rules to ignore in it.
package enum SidecarReader {
    package static func read(
        _ bytes: [UInt8], name: String
    ) -> (suppression: Suppression, errors: [ConfigurationError]) {
        let root: YAMLNode?
        do throws(ConfigurationError) {
            root = try YAMLText.read(bytes, name: name)
        } catch {
            return (Suppression(entries: []), [error])
        }
        guard let root, !root.isNothing else { return (Suppression(entries: []), []) }
        var reader = YAMLReader(file: name)
        var entries: [Suppression.Entry] = []
        let lines = LineStarts(bytes)
        for (_, key, node) in reader.members(of: root, nil, known: ["ignore"]) {
            for (key, element) in reader.list(node, key) {
                guard let rule = rule(element, key, &reader) else { continue }
                entries.append(Suppression.Entry(rule: rule.text, range: lines.range(of: rule.text, at: rule.node)))
            }
        }
        return (Suppression(entries: entries), reader.errors)
    }

    /// A rule id, or a mapping of `rule` and `reason`.
    private static func rule(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> (
        text: String, node: YAMLNode
    )? {
        guard node.isMapping else { return reader.string(node, key).map { ($0, node) } }
        let members = reader.members(of: node, key, known: ["rule", "reason"])
        guard let rule = members.first(where: { $0.name == "rule" }) else {
            reader.report("the key rule is missing, which names the rule to ignore", at: node, key)
            return nil
        }
        return reader.string(rule.node, rule.key).map { ($0, rule.node) }
    }

    /// Converts places in a YAML text into byte ranges.
    private struct LineStarts {
        private let bytes: [UInt8]
        private let starts: [Int]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        }

        func range(of text: String, at node: YAMLNode) -> Range<Int> {
            guard let mark = node.mark, starts.indices.contains(mark.line - 1) else { return 0..<0 }
            // Columns count characters. This treats them as bytes, because ids, and nearly always the text before them,
            // are ASCII.
            let start = min(starts[mark.line - 1] + mark.column - 1, bytes.count)
            return start..<min(start + text.utf8.count, bytes.count)
        }
    }
}
