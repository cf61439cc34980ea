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
        var bytes: [UInt8] = []
        append(findings, in: source, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Everything is written into one buffer: a string for each part took twice as long.
    public func append(_ findings: [LocatedFinding], in source: SourceText, to bytes: inout [UInt8]) {
        for place in findings.indices {
            append(findings[place], to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// The line for one finding, without line end.
    public func line(for located: LocatedFinding) -> String {
        var bytes: [UInt8] = []
        append(located, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(_ located: borrowing LocatedFinding, to bytes: inout [UInt8]) {
        append(#"{"file":"#, located.file, to: &bytes)
        append(#","line":"#, located.line, to: &bytes)
        append(#","column":"#, located.column, to: &bytes)
        append(#","rule":"#, located.finding.rule, to: &bytes)
        append(#","severity":"#, located.finding.severity.rawValue, to: &bytes)
        append(#","layer":"#, located.finding.layer.rawValue, to: &bytes)
        if let pointer = located.pointer {
            append(#","pointer":"#, pointer, to: &bytes)
        } else {
            append(#","pointer":null"#, to: &bytes)
        }
        append(#","message":"#, located.finding.message, to: &bytes)
        if let note = located.note { append(#","note":"#, note, to: &bytes) }
        if let links { append(#","link":"#, links.address(of: located.finding.rule), to: &bytes) }
        append(located.fixTitle == nil ? #","fixable":false}"# : #","fixable":true}"#, to: &bytes)
    }

    private func append(_ name: StaticString, _ text: String, to bytes: inout [UInt8]) {
        append(name, to: &bytes)
        JSONWriter.append(text, to: &bytes)
    }

    private func append(_ name: StaticString, _ number: Int, to bytes: inout [UInt8]) {
        append(name, to: &bytes)
        bytes += "\(number)".utf8
    }

    private func append(_ text: StaticString, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
