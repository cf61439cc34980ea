/// Reports findings for people: place, severity, message and rule, then the line of the source with carets below what is
/// meant. Counts as it goes.
public struct TextReporter: FindingReporter {
    /// The notifications looked at so far.
    public private(set) var notificationCount = 0
    private var counts: [Severity: Int] = [:]

    /// How much of a long line is shown on each side of the place, in bytes.
    private static let reach = 60

    public init() {}

    /// The text for the findings of one notification, each block with its line end; empty when there are none.
    public mutating func report(_ findings: [Finding], in sourced: SourcedEnvelope) -> String {
        report(LocatedFinding.locate(findings, in: sourced), in: sourced.source)
    }

    public mutating func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        notificationCount += 1
        return findings.map { located in
            counts[located.finding.severity, default: 0] += 1
            return TextReporter.text(for: located, in: source)
        }.joined()
    }

    /// The last line, with its line end: how much was looked at and what was found.
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

    private static func text(for located: LocatedFinding, in source: SourceText) -> String {
        let finding = located.finding
        let head =
            "\(located.file):\(located.line):\(located.column): \(finding.severity.rawValue): \(finding.message) "
            + "[\(finding.rule)]"
        return TerminalText.safe(head) + "\n" + excerpt(of: located, in: source)
    }

    /// The source line and its carets; nothing for an empty line.
    private static func excerpt(of located: LocatedFinding, in source: SourceText) -> String {
        let line = located.lineRange
        guard !line.isEmpty else { return "" }
        let start = min(max(located.range.lowerBound, line.lowerBound), line.upperBound)
        let end = min(max(located.range.upperBound, start), line.upperBound)
        let bytes = source.bytes
        let first = boundary(in: bytes, atOrBefore: max(line.lowerBound, start - reach), from: line.lowerBound)
        let last = boundary(in: bytes, atOrBefore: min(line.upperBound, start + reach), from: start)

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

    /// `offset`, or the start of the UTF-8 character that it stands in.
    private static func boundary(in bytes: [UInt8], atOrBefore offset: Int, from start: Int) -> Int {
        var offset = offset
        for _ in 0..<3 where offset > start && offset < bytes.count && bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }
}
