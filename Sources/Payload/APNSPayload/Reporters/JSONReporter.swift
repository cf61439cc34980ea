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
        // One buffer for all findings: a string for each part took twice as long.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(320 * findings.count)
        for located in findings {
            append(located, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The line for one finding, without line end.
    public func line(for located: LocatedFinding) -> String {
        var bytes: [UInt8] = []
        append(located, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(_ located: LocatedFinding, to bytes: inout [UInt8]) {
        let finding = located.finding
        func append(_ name: StaticString, _ text: String) {
            append(name)
            JSONWriter.append(text, to: &bytes)
        }
        func append(_ text: StaticString) {
            bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        append(#"{"file":"#, located.file)
        append(#","line":"#)
        bytes += "\(located.line)".utf8
        append(#","column":"#)
        bytes += "\(located.column)".utf8
        append(#","rule":"#, finding.rule)
        append(#","severity":"#, finding.severity.rawValue)
        append(#","layer":"#, finding.layer.rawValue)
        if let pointer = located.pointer {
            append(#","pointer":"#, pointer)
        } else {
            append(#","pointer":null"#)
        }
        append(#","message":"#, finding.message)
        if let note = located.note { append(#","note":"#, note) }
        if let links { append(#","link":"#, links.address(of: finding.rule)) }
        append(finding.fix == nil ? #","fixable":false}"# : #","fixable":true}"#)
    }
}
