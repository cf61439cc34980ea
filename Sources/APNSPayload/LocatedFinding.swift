import PayloadJSON

/// A finding with its place in a file, as reports show it.
public struct LocatedFinding: Hashable, Sendable {
    public var finding: Finding
    public var file: String
    /// Counted from 1.
    public var line: Int
    /// In characters (Unicode scalars), counted from 1.
    public var column: Int
    /// The bytes of the source that are meant; empty where only a place is known.
    var range: Range<Int>
    /// The bytes of the source line that the finding begins in, without its line end.
    var lineRange: Range<Int>

    /// Finds the places of `findings` in the text that `sourced` was read from. A header that is not there, and the
    /// payload as a whole, stand where the payload begins.
    public static func locate(_ findings: [Finding], in sourced: SourcedEnvelope) -> [LocatedFinding] {
        guard !findings.isEmpty else { return [] }
        let lines = LineIndex(sourced.source.bytes)
        return findings.map { finding in
            let range = sourced.range(of: finding)
            let location = lines.location(of: range.lowerBound)
            return LocatedFinding(
                finding: finding, file: sourced.source.name, line: sourced.source.firstLine + location.line - 1,
                column: location.column, range: range, lineRange: lines.lineRange(of: range.lowerBound))
        }
    }
}

extension SourcedEnvelope {
    /// The bytes of the source that a finding is about.
    func range(of finding: Finding) -> Range<Int> {
        if let range = finding.range { return payloadOrigin.sourceRange(of: range) }
        if case .header(let name) = finding.place, let range = headerRanges[name] { return range }
        let start = payloadOrigin.sourceOffset(of: 0)
        return start..<start
    }
}
