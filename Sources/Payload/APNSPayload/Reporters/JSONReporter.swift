import PayloadJSON

/// Reports findings for scripts: one JSON object for each line, with the keys of `docs/reference/interfaces.md` 1.3.
public struct JSONReporter: FindingReporter {
    private let links: RuleLinks?

    /// - Parameter links: For the key `link` of each finding; nil to leave it out.
    public init(links: RuleLinks? = nil) {
        self.links = links
    }

    /// One line for each finding, with line ends.
    public func report(_ findings: [Finding], in sourced: SourcedEnvelope) -> String {
        report(LocatedFinding.locate(findings, in: sourced), in: sourced.source)
    }

    public func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        var buffer = TextBuffer()
        append(findings, to: &buffer)
        return buffer.text
    }

    public func append(_ findings: [LocatedFinding], in source: SourceText, to bytes: inout [UInt8]) {
        var buffer = TextBuffer(capacity: JSONReporter.usualBytes * findings.count)
        append(findings, to: &buffer)
        bytes.append(contentsOf: buffer.bytes)
    }

    /// What most findings need.
    private static let usualBytes = 512

    private func append(_ findings: [LocatedFinding], to buffer: inout TextBuffer) {
        for place in findings.indices {
            append(findings[place], to: &buffer)
            buffer.append(UInt8(ascii: "\n"))
        }
    }

    /// The line for one finding, without line end.
    public func line(for located: LocatedFinding) -> String {
        var buffer = TextBuffer(capacity: JSONReporter.usualBytes)
        append(located, to: &buffer)
        return buffer.text
    }

    private func append(_ located: borrowing LocatedFinding, to buffer: inout TextBuffer) {
        buffer.append(#"{"file":"#)
        buffer.appendJSON(located.file)
        buffer.append(#","line":"#)
        buffer.append(located.line)
        buffer.append(#","column":"#)
        buffer.append(located.column)
        buffer.append(#","rule":"#)
        buffer.appendJSON(located.finding.rule)
        buffer.append(#","severity":"#)
        buffer.appendJSON(located.finding.severity.rawValue)
        buffer.append(#","layer":"#)
        buffer.appendJSON(located.finding.layer.rawValue)
        buffer.append(#","pointer":"#)
        buffer.appendJSON(located.pointer)
        buffer.append(#","message":"#)
        buffer.appendJSON(located.finding.message)
        if let note = located.note {
            buffer.append(#","note":"#)
            buffer.appendJSON(note)
        }
        if let links {
            buffer.append(#","link":"#)
            buffer.appendJSON(links.address(of: located.finding.rule))
        }
        buffer.append(located.isFixable ? #","fixable":true}"# : #","fixable":false}"#)
    }
}
