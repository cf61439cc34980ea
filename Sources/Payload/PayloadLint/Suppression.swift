import APNSModel
package import APNSPayload
import PayloadJSON

/// The rules to ignore in one notification or file.
package struct Suppression: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var rule: String
        /// The range of the rule id in the text.
        package var range: Range<Int>
        package var isUsed = false
    }

    /// The key in an envelope.
    static let envelopeKey = "apns-validate"
    /// The ending that is added to the name of a file for the file with its suppressions.
    package static let sidecarEnding = ".apns-validate.yaml"

    package private(set) var entries: [Entry] = []
    /// Entries of a form that has no effect, with their ranges.
    package private(set) var problems: [Problem] = []

    package struct Problem: Hashable, Sendable {
        package var message: String
        package var range: Range<Int>
    }

    init(entries: [Entry]) {
        self.entries = entries
    }

    /// The suppressions of the envelope in a JSON text; nil if it has none.
    package init?(ofEnvelope bytes: [UInt8]) {
        guard Suppression.mayOccur(in: bytes), let document = try? JSONDocument(bytes),
            let value = document.member(named: Suppression.envelopeKey, of: .root)
        else { return nil }
        guard document.kind(of: value) == .object else {
            problems.append(
                Problem(
                    message: #"apns-validate must be an object such as {"ignore":["hint-record"]}"#,
                    range: document.range(of: value)))
            return
        }
        for member in document.members(of: value) {
            let name = document.string(of: member.key) ?? ""
            switch name {
            case "ignore": takeList(member.value, document)
            case "reason": break
            default:
                problems.append(
                    Problem(
                        message: "apns-validate has no key \"\(ShownText.cut(name, to: 40))\"; its keys are ignore and "
                            + "reason",
                        range: document.range(of: member.key)))
            }
        }
    }

    private mutating func takeList(_ list: JSONIndex, _ document: JSONDocument) {
        let elements = Array(document.elements(of: list))
        guard document.kind(of: list) == .array, !elements.isEmpty else {
            problems.append(
                Problem(
                    message: "ignore must be a list of rule ids; all rules cannot be ignored at once",
                    range: document.range(of: list)))
            return
        }
        for element in elements {
            guard let id = document.string(of: element) else {
                problems.append(Problem(message: "a rule id must be a string", range: document.range(of: element)))
                continue
            }
            entries.append(Entry(rule: id, range: document.range(of: element)))
        }
    }

    /// Whether to ignore the findings of a rule. Marks the entry as used.
    package mutating func ignores(_ rule: String) -> Bool {
        guard let index = entries.firstIndex(where: { $0.rule == rule }) else { return false }
        entries[index].isUsed = true
        return true
    }

    /// The findings about the suppressions themselves. Call this after everything that they apply to is checked.
    package func findings(in source: SourceText, settings: LintSettings) -> [LocatedFinding] {
        var found: [LocatedFinding] = []
        func report(_ rule: Rule, _ message: String, at range: Range<Int>) {
            guard let rule = settings.lintRule(rule) else { return }
            let finding = Finding(of: rule, message, at: .header(Suppression.envelopeKey))
            let isSidecar = source.name.hasSuffix(Suppression.sidecarEnding)
            found.append(
                LocatedFinding(finding, pointer: isSidecar ? "" : "/" + Suppression.envelopeKey, at: range, in: source))
        }
        for problem in problems { report(LintRule.suppressionForm, problem.message, at: problem.range) }
        for entry in entries {
            if RuleCatalog.named(entry.rule) == nil {
                report(
                    LintRule.suppressionUnknownRule,
                    "there is no rule \"\(ShownText.cut(entry.rule, to: 60))\" to ignore; \(RuleCatalog.advice(for: entry.rule))",
                    at: entry.range)
            } else if !entry.isUsed {
                report(
                    LintRule.suppressionUnused, "\(entry.rule) finds nothing here to ignore; remove it",
                    at: entry.range)
            }
        }
        return found
    }

    /// Whether the key may occur; a quick search without parsing.
    package static func mayOccur(in bytes: [UInt8]) -> Bool {
        let key: StaticString = "\"apns-validate\""
        let length = key.utf8CodeUnitCount
        return bytes.withUnsafeBufferPointer { buffer in
            // Compares the last byte of the key first, because most bytes are not a quote.
            var end = length - 1
            while end < buffer.count {
                if buffer[end] == UInt8(ascii: "\""), buffer[end - length + 2] == UInt8(ascii: "a"),
                    (0..<length).allSatisfy({ buffer[end - length + 1 + $0] == key.utf8Start[$0] })
                {
                    return true
                }
                end += 1
            }
            return false
        }
    }
}
