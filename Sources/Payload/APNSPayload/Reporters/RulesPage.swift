import APNSModel
import PayloadJSON

/// The documentation of the rules, generated from the rules.
public enum RulesPage {
    /// The page `docs/rules.md`.
    public static func markdown(_ rules: [Rule] = Rule.all) -> String {
        var page = """
            # Rules

            What the validator checks, in the order of its checks. This page is generated from the rules; a test fails
            when it is stale.

            | rule | severity | layer | requirement |
            |---|---|---|---|

            """
        for rule in rules {
            page +=
                "| [`\(rule.id)`](#\(rule.id)) | \(rule.severity.rawValue) | \(rule.layer.rawValue) | \(rule.summary) |\n"
        }
        for rule in rules {
            page += "\n## \(rule.id)\n\n**\(facts(of: rule))** \(rule.summary)\n\n\(rule.rationale)\n\n"
            page += "Source: \(linked(rule.source))\n"
            for (title, examples) in [("Passes", rule.passes), ("Fails", rule.fails)] {
                page += "\n\(title):\n\n```\n\(examples.map { line(for: $0) + "\n" }.joined())```\n"
            }
            for contract in contracts(of: rule) { page += "\n\(contract).\n" }
        }
        return page
    }

    /// The list that `apns rules` prints: one line for each rule, in columns.
    ///
    /// - Parameter width: The columns of the terminal; the requirement of a rule continues below itself. Nil for one line each.
    public static func list(_ rules: [Rule] = Rule.all, width: Int? = nil) -> String {
        let columns = Columns(rules, width: width)
        return rules.map { columns.row($0.id, $0.severity.rawValue, $0.layer.rawValue, $0.summary) }.joined()
    }

    /// The header of `list`, without its line end.
    public static func header(of rules: [Rule] = Rule.all) -> String {
        String(Columns(rules, width: nil).row("RULE", "LEVEL", "LAYER", "REQUIREMENT").dropLast())
    }

    private struct Columns {
        private let idWidth: Int
        private let summaryWidth: Int?

        init(_ rules: [Rule], width: Int?) {
            let idWidth = rules.map(\.id.count).max() ?? 0
            self.idWidth = idWidth
            summaryWidth = width.map { max($0 - idWidth - 21, 24) }
        }

        func row(_ id: String, _ severity: String, _ layer: String, _ summary: String) -> String {
            let lines = summaryWidth.map { wrapped(summary, to: $0) } ?? [summary]
            return pad(id, to: idWidth) + "  " + pad(severity, to: 7) + "  " + pad(layer, to: 8) + "  "
                + lines.joined(separator: "\n" + String(repeating: " ", count: idWidth + 21)) + "\n"
        }
    }

    /// The lines of a text, broken at spaces. A longer word has a line of its own.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + [line]
    }

    /// The page that `apns rules ID` prints.
    public static func text(for rule: Rule) -> String {
        """
        \(rule.id) (\(facts(of: rule)))

        \(rule.summary)

        \(rule.rationale)

        Source: \(rule.source)

        Passes:
        \(rule.passes.map { "  " + line(for: $0) + "\n" }.joined())
        Fails:
        \(rule.fails.map { "  " + line(for: $0) + "\n" }.joined())\
        \(contracts(of: rule).map { "\n\($0).\n" }.joined())
        """
    }

    /// The contracts that the examples of a rule use.
    private static func contracts(of rule: Rule) -> [ApplicationContract] {
        (rule.passes + rule.fails).flatMap(\.contracts).reduce(into: []) { contracts, contract in
            if !contracts.contains(contract) { contracts.append(contract) }
        }
    }

    private static func facts(of rule: Rule) -> String {
        let refusal = rule.refusal.map { ", APNs answers \($0.code)" } ?? ""
        return "\(rule.severity.rawValue), layer \(rule.layer.rawValue)\(refusal)"
    }

    private static func linked(_ source: String) -> String { source.hasPrefix("https://") ? "<\(source)>" : source }

    /// An example with its headers, on one line. A long payload is shortened.
    static func line(for example: Example) -> String {
        let count = example.payload.utf8.count
        var payload = count == 0 ? "(no bytes)" : TerminalText.safe(example.payload)
        if count > 200 { payload = "\(payload.prefix(16))…\(payload.suffix(4)) (\(count) bytes)" }
        var headers = example.headers
        if let now = example.now { headers.append("at \(now)") }
        headers += example.contracts.map { "contract \($0.name)" }
        if let kind = example.kind, kind != .notification { headers.append("from \(kind.inWords)") }
        var line = headers.isEmpty ? payload : "\(payload)   \(TerminalText.safe(headers.joined(separator: ", ")))"
        if let fixed = example.fixed { line += "   --fix: \(TerminalText.safe(fixed))" }
        return line
    }

    private static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }
}

extension Envelope.Kind {
    fileprivate var inWords: String {
        switch self {
        case .payload: "a bare payload"
        case .apns: "a simulator file"
        case .envelope: "an envelope"
        case .notification: "a notification"
        }
    }
}
