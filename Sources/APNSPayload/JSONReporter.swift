import PayloadJSON

/// Reports findings for scripts: one JSON object a line, with the keys of `interfaces.md` 1.3.
public struct JSONReporter: FindingReporter {
    public init() {}

    /// One line for each finding, each with its line end.
    public func report(_ findings: [Finding], in sourced: SourcedEnvelope) -> String {
        report(LocatedFinding.locate(findings, in: sourced), in: sourced.source)
    }

    public func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        findings.map { line(for: $0) + "\n" }.joined()
    }

    /// One finding, without line end.
    public func line(for located: LocatedFinding) -> String {
        let finding = located.finding
        let pointer = finding.pointer.map { JSONWriter.quoted($0) } ?? "null"
        return """
            {"file":\(JSONWriter.quoted(located.file)),"line":\(located.line),"column":\(located.column),\
            "rule":\(JSONWriter.quoted(finding.rule)),"severity":"\(finding.severity.rawValue)",\
            "layer":"\(finding.layer.rawValue)","pointer":\(pointer),"message":\(JSONWriter.quoted(finding.message)),\
            "fixable":\(finding.fix != nil)}
            """
    }
}
