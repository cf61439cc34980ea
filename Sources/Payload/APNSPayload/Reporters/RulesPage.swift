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
    /// - Parameter width: The columns of the terminal; the requirement of a rule continues below itself, or is below the rest
    ///   where the terminal is narrow. Nil for one line each.
    public static func list(_ rules: [Rule] = Rule.all, width: Int? = nil) -> String {
        let columns = Columns(rules, width: width)
        return rules.map { columns.row($0.id, $0.severity.rawValue, $0.layer.rawValue, $0.summary) }.joined()
    }

    /// The header of `list`, without its last line end.
    public static func header(of rules: [Rule] = Rule.all, width: Int? = nil) -> String {
        String(Columns(rules, width: width).row("RULE", "LEVEL", "LAYER", "REQUIREMENT").dropLast())
    }

    private struct Columns {
        private let idWidth: Int
        private let width: Int?

        init(_ rules: [Rule], width: Int?) {
            idWidth = rules.map(\.id.count).max() ?? 0
            self.width = width
        }

        /// The columns before the summary.
        private var start: Int { idWidth + 21 }
        private static let narrowestSummary = 24

        func row(_ id: String, _ severity: String, _ layer: String, _ summary: String) -> String {
            if let width, width < start + Columns.narrowestSummary {
                return narrowRow(id, severity, layer, summary, width)
            }
            let lines = WrappedText.lines(of: summary, width: width.map { $0 - start })
            return pad(id, to: idWidth) + "  " + pad(severity, to: 7) + "  " + pad(layer, to: 8) + "  "
                + lines.joined(separator: "\n" + String(repeating: " ", count: start)) + "\n"
        }

        /// A row with the summary in lines of its own, and severity and layer too where the id leaves them no space.
        private func narrowRow(
            _ id: String, _ severity: String, _ layer: String, _ summary: String, _ width: Int
        ) -> String {
            let level = severity + "  " + layer
            let first = id.count + 2 + level.count <= width ? id + "  " + level : id + "\n  " + level
            let lines = WrappedText.lines(of: summary, width: width - 2)
            return first + lines.map { "\n  " + $0 }.joined() + "\n"
        }
    }

    /// The page that `apns rules ID` prints.
    ///
    /// - Parameter width: The columns of the terminal, which sentences are wrapped to. Nil for one line each. The source and an
    ///   example have one line in any case.
    public static func text(for rule: Rule, width: Int? = nil) -> String {
        func wrapped(_ text: String) -> String { WrappedText.lines(of: text, width: width).joined(separator: "\n") }
        return """
            \(wrapped("\(rule.id) (\(facts(of: rule)))"))

            \(wrapped(rule.summary))

            \(wrapped(rule.rationale))

            Source: \(rule.source)

            Passes:
            \(rule.passes.map { "  " + line(for: $0) + "\n" }.joined())
            Fails:
            \(rule.fails.map { "  " + line(for: $0) + "\n" }.joined())\
            \(contracts(of: rule).map { "\n" + wrapped("\($0).") + "\n" }.joined())
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
