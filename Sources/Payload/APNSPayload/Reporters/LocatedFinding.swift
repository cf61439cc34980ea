import PayloadJSON

/// A finding with its place in a file, as reports show it.
public struct LocatedFinding: Hashable, Sendable {
    public var finding: Finding
    public var file: String
    /// Counted from 1.
    public var line: Int
    /// In characters (Unicode scalars), counted from 1.
    public var column: Int
    /// Where it ends, one character behind the last; the same as the start where only a place is known.
    public var endLine: Int
    public var endColumn: Int
    /// The bytes of the source that are meant; empty where only a place is known.
    package var range: Range<Int>
    /// The bytes of the source line that the finding begins in, without its line end.
    var lineRange: Range<Int>
    /// The changes of the finding's fix, in bytes of the source.
    package var edits: [Fix.Edit]

    /// Finds the places of `findings` in the text that `sourced` was read from. A header that is not there, and the
    /// payload as a whole, stand where the payload begins.
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

    /// The same for a text that is a payload as it stands.
    package static func locate(_ findings: [Finding], inPayload source: SourceText) -> [LocatedFinding] {
        guard !findings.isEmpty else { return [] }
        let lines = LineIndex(source.bytes)
        return findings.map { finding in
            LocatedFinding(finding, at: finding.range ?? 0..<0, in: source, lines, edits: finding.fix?.edits ?? [])
        }
    }

    /// A finding about bytes of `source` that are no part of a payload.
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
    /// The bytes of the source that a finding is about.
    func range(of finding: Finding) -> Range<Int> {
        if let range = finding.range { return payloadOrigin.sourceRange(of: range) }
        if case .header(let name) = finding.place, let range = headerRanges[name] { return range }
        let start = payloadOrigin.sourceOffset(of: 0)
        return start..<start
    }
}

extension PayloadOrigin {
    /// The change of the source that makes this change of the payload.
    func sourceEdit(of edit: Fix.Edit) -> Fix.Edit {
        Fix.Edit(sourceRange(of: edit.range), edit.replacement)
    }
}
