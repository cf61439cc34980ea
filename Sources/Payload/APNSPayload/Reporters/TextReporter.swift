/// Reports findings as text: place, severity, message and rule, then the source line with carets below the range. Also
/// counts notifications and findings.
public struct TextReporter: FindingReporter {
    /// The number of notifications so far.
    public private(set) var notificationCount = 0
    private var counts: [Severity: Int] = [:]

    /// How many bytes of a long line are shown on each side of the place.
    private static let contextBytes = 60

    private let links: RuleLinks?
    private let hidesAddresses: Bool

    /// - Parameters:
    ///   - links: For the address of the rule of each finding; nil to leave it out.
    ///   - hidesAddresses: Whether a rule id is a link (OSC 8), which terminals show without its address. Otherwise the
    ///     address is on a line of its own.
    public init(links: RuleLinks? = nil, hidesAddresses: Bool = false) {
        self.links = links
        self.hidesAddresses = hidesAddresses
    }

    /// The text for the findings of one notification, with line ends; empty without findings.
    public mutating func report(_ findings: [Finding], in sourced: SourcedEnvelope) -> String {
        report(LocatedFinding.locate(findings, in: sourced), in: sourced.source)
    }

    public mutating func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        notificationCount += 1
        return findings.map { located in
            counts[located.finding.severity, default: 0] += 1
            return text(for: located, in: source)
        }.joined()
    }

    /// The last line, with its line end: the number of notifications and of findings.
    public var closing: String {
        let found = Severity.allCases.compactMap { severity -> String? in
            guard let count = counts[severity] else { return nil }
            return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        let looked = "\(notificationCount) notification\(notificationCount == 1 ? "" : "s") checked"
        return "\(looked): \(found.isEmpty ? "no findings" : found.joined(separator: ", "))\n"
    }

    /// The number of findings of one severity so far.
    public func count(of severity: Severity) -> Int { counts[severity] ?? 0 }

    private func text(for located: LocatedFinding, in source: SourceText) -> String {
        let finding = located.finding
        let place = "\(located.file):\(located.line):\(located.column)"
        let head = TerminalText.safe("\(place): \(finding.severity.rawValue): \(finding.message) [\(finding.rule)]")
        var note = located.note.map { "  note: \(TerminalText.safe($0))\n" } ?? ""
        let excerpt = TextReporter.excerpt(of: located, in: source)
        guard let address = links?.address(of: finding.rule) else { return head + "\n" + excerpt + note }
        if hidesAddresses { return TextReporter.linked(head, finding.rule, to: address) + "\n" + excerpt + note }
        note += "  see: \(address)\n"
        return head + "\n" + excerpt + note
    }

    /// The head of a finding with its rule id, at the end in brackets, as a link.
    private static func linked(_ head: String, _ rule: String, to address: String) -> String {
        let ending = "\(rule)]"
        guard head.hasSuffix(ending) else { return head }
        return head.dropLast(ending.count) + "\u{1B}]8;;\(address)\u{1B}\\\(rule)\u{1B}]8;;\u{1B}\\]"
    }

    /// The source line and its carets; empty for an empty line, and for a finding about an option.
    private static func excerpt(of located: LocatedFinding, in source: SourceText) -> String {
        let line = located.lineRange
        guard !line.isEmpty, located.pointer != nil else { return "" }
        let start = min(max(located.range.lowerBound, line.lowerBound), line.upperBound)
        let end = min(max(located.range.upperBound, start), line.upperBound)
        let bytes = source.bytes
        let first = boundary(in: bytes, atOrBefore: max(line.lowerBound, start - contextBytes), from: line.lowerBound)
        let last = boundary(in: bytes, atOrBefore: min(line.upperBound, start + contextBytes), from: start)

        var shown = TerminalText()
        if first > line.lowerBound { shown.append("…") }
        shown.append(bytes[first..<start])
        let indent = shown.width
        shown.append(bytes[start..<min(end, last)])
        let caretCount = max(shown.width - indent, 1)
        shown.append(bytes[min(end, last)..<last])
        if last < line.upperBound { shown.append("…") }
        return
            "  \(shown.text)\n  \(String(repeating: " ", count: indent))\(String(repeating: "^", count: caretCount))\n"
    }

    /// The start of the UTF-8 character at `offset`.
    private static func boundary(in bytes: [UInt8], atOrBefore offset: Int, from start: Int) -> Int {
        var offset = offset
        for _ in 0..<3 where offset > start && offset < bytes.count && bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }
}
