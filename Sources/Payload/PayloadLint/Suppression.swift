package import APNSPayload
import PayloadJSON

/// The rules that one notification, or one file, asks to have ignored.
package struct Suppression: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var rule: String
        /// The bytes of the text that name the rule.
        package var range: Range<Int>
        package var isUsed = false
    }

    /// The key in an envelope.
    package static let envelopeKey = "apns-validate"
    /// What stands behind the name of a file in that of the file with its suppressions.
    package static let sidecarEnding = ".apns-validate.yaml"

    package private(set) var entries: [Entry] = []
    /// What is written in a form that says nothing, with its bytes.
    package private(set) var problems: [Problem] = []

    package struct Problem: Hashable, Sendable {
        package var message: String
        package var range: Range<Int>
    }

    init(entries: [Entry]) {
        self.entries = entries
    }

    /// What the envelope at the root of a JSON text says; nil when it says nothing.
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
                        message: "apns-validate has no key \"\(name.prefix(40))\"; its keys are ignore and reason",
                        range: document.range(of: member.key)))
            }
        }
    }

    private mutating func takeList(_ list: JSONIndex, _ document: JSONDocument) {
        let elements = Array(document.elements(of: list))
        guard document.kind(of: list) == .array, !elements.isEmpty else {
            problems.append(
                Problem(
                    message: "ignore must be a list of the ids of rules; there is no way to ignore all",
                    range: document.range(of: list)))
            return
        }
        for element in elements {
            guard let id = document.string(of: element) else {
                problems.append(Problem(message: "an id of a rule is a text", range: document.range(of: element)))
                continue
            }
            entries.append(Entry(rule: id, range: document.range(of: element)))
        }
    }

    /// Whether to ignore the findings of a rule; the entry then counts as used.
    package mutating func ignores(_ rule: String) -> Bool {
        guard let index = entries.firstIndex(where: { $0.rule == rule }) else { return false }
        entries[index].isUsed = true
        return true
    }

    /// What is wrong with the suppressions themselves, to be asked when all is checked that they are for.
    package func findings(in source: SourceText, settings: LintSettings) -> [LocatedFinding] {
        var found: [LocatedFinding] = []
        func report(_ rule: Rule, _ message: String, at range: Range<Int>) {
            guard let rule = settings.lintRule(rule) else { return }
            let finding = Finding(of: rule, message, at: .header(Suppression.envelopeKey))
            found.append(LocatedFinding(finding, at: range, in: source))
        }
        for problem in problems { report(LintRule.suppressionForm, problem.message, at: problem.range) }
        for entry in entries {
            if RuleCatalog.named(entry.rule) == nil {
                report(
                    LintRule.suppressionUnknownRule,
                    "there is no rule \"\(entry.rule.prefix(60))\" to ignore; \(RuleCatalog.advice(for: entry.rule))",
                    at: entry.range)
            } else if !entry.isUsed {
                report(
                    LintRule.suppressionUnused, "\(entry.rule) finds nothing here that could be ignored; take it out",
                    at: entry.range)
            }
        }
        return found
    }

    /// Whether the key may be there, at the cost of one search.
    package static func mayOccur(in bytes: [UInt8]) -> Bool {
        let key: StaticString = "\"apns-validate\""
        let length = key.utf8CodeUnitCount
        return bytes.withUnsafeBufferPointer { buffer in
            // The longest step first: most texts have few of the key's letters at its last place.
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
