import APNSPayload

/// Colours what `apns rules` prints for a terminal.
struct RuleColours {
    private let style: Style

    init(_ style: Style) { self.style = style }

    /// The list with its severities in colour.
    ///
    /// - Parameter rules: The rules of the list in its order. Further lines of a rule begin with a space.
    func list(_ text: String, of rules: [Rule]) -> String {
        guard style.isColoured else { return text }
        var rest = rules[...]
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let rule = rest.first, line == rule.id || line.hasPrefix(rule.id + " ") else { return String(line) }
            rest.removeFirst()
            // On a narrow terminal the severity is in the next line.
            guard line != rule.id else { return style.strong(rule.id) }
            let columns = line.dropFirst(rule.id.count)
            let start = columns.firstIndex { $0 != " " } ?? columns.endIndex
            let word = rule.severity.rawValue
            guard columns[start...].hasPrefix(word) else { return String(line) }
            return style.strong(rule.id) + columns[..<start] + style.severity(rule.severity)
                + columns[start...].dropFirst(word.count)
        }.joined(separator: "\n")
    }

    /// The page of a rule with its title and its headings in bold.
    func page(_ text: String, of rule: Rule) -> String {
        guard style.isColoured else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { number, line in
            let line = String(line)
            if number == 0 {
                let facts = line.dropFirst(rule.id.count)
                return style.strong(rule.id)
                    + String(facts).replacing(
                        rule.severity.rawValue, with: style.severity(rule.severity), maxReplacements: 1)
            }
            return line == "Passes:" || line == "Fails:" ? style.strong(line) : line
        }.joined(separator: "\n")
    }
}
