import APNSPayload

/// A source and its findings.
struct Checked {
    let source: SourceText
    let findings: [LocatedFinding]

    init(_ text: String, name: String = "push.json", line: Int = 1) {
        var reader = EnvelopeReader()
        var validator = Validator()
        source = SourceText(name: name, bytes: Array(text.utf8), firstLine: line)
        let sourced = reader.read(source)
        findings = LocatedFinding.locate(validator.findings(for: sourced.envelope), in: sourced)
    }
}
