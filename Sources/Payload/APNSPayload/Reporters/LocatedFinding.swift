import PayloadJSON

/// A finding with its place in a file, for reports.
public struct LocatedFinding: Hashable, Sendable {
    public var finding: Finding
    public var file: String
    /// Counted from 1.
    public var line: Int
    /// In characters (Unicode scalars), counted from 1.
    public var column: Int
    /// The end of the finding, one character after the last; the same as the start if the range is empty.
    public var endLine: Int
    public var endColumn: Int
    /// The range in the source; empty if only an offset is known.
    package var range: Range<Int>
    /// The range of the source line in which the finding begins, without its line end.
    var lineRange: Range<Int>
    /// The edits of the finding's fix, as ranges of the source.
    package var edits: [Fix.Edit]

    /// Locates `findings` in the source of `sourced`. Findings about an absent header or about the payload as a whole
    /// are at the beginning of the payload.
    public static func locate(_ findings: [Finding], in sourced: SourcedEnvelope) -> [LocatedFinding] {
        guard !findings.isEmpty else { return [] }
        let lines = LineIndex(sourced.source.bytes)
        return findings.map { finding in
            LocatedFinding(
                finding, at: sourced.range(of: finding), in: sourced.source, lines,
                edits: sourced.payloadOrigin.isEncoded
                    ? [] : finding.fix?.edits.map { sourced.payloadOrigin.sourceEdit(of: $0) } ?? [])
        }
    }

    /// Locates `findings` in a source that is a bare payload.
    package static func locate(_ findings: [Finding], inPayload source: SourceText) -> [LocatedFinding] {
        guard !findings.isEmpty else { return [] }
        let lines = LineIndex(source.bytes)
        return findings.map { finding in
            LocatedFinding(finding, at: finding.range ?? 0..<0, in: source, lines, edits: finding.fix?.edits ?? [])
        }
    }

    /// A finding about bytes of `source` that are not part of a payload.
    package init(_ finding: Finding, at range: Range<Int>, in source: SourceText) {
        self.init(finding, at: range, in: source, LineIndex(source.bytes), edits: [])
    }

    private init(
        _ finding: Finding, at range: Range<Int>, in source: SourceText, _ lines: LineIndex, edits: [Fix.Edit]
    ) {
        let start = lines.location(of: range.lowerBound)
        let end = range.isEmpty ? start : lines.location(of: range.upperBound)
        self.finding = finding
        self.range = range
        self.edits = edits
        file = source.name
        line = source.firstLine + start.line - 1
        column = start.column
        endLine = source.firstLine + end.line - 1
        endColumn = end.column
        lineRange = lines.lineRange(of: range.lowerBound)
    }
}

extension SourcedEnvelope {
    /// The range in the source of a finding.
    func range(of finding: Finding) -> Range<Int> {
        if let range = finding.range { return payloadOrigin.sourceRange(of: range) }
        if case .header(let name) = finding.place, let range = headerRanges[name] { return range }
        let start = payloadOrigin.sourceOffset(of: 0)
        return start..<start
    }
}

extension PayloadOrigin {
    /// The edit of the source for an edit of the payload.
    func sourceEdit(of edit: Fix.Edit) -> Fix.Edit {
        Fix.Edit(sourceRange(of: edit.range), edit.replacement)
    }
}
