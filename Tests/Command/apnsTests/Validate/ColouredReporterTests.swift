import APNSPayload
import Testing

@testable import apns

struct ColouredReporterTests {
    private static func report(_ reporter: some FindingReporter, name: String = "a.json") -> String {
        var reporter = reporter
        var validator = Validator()
        var reader = EnvelopeReader()
        let source = SourceText(name: name, bytes: Array(#"{"aps":{"badge":"1","sound":2}}"#.utf8))
        let sourced = reader.read(source)
        let found = LocatedFinding.locate(validator.findings(for: sourced.envelope), in: sourced)
        return reporter.report(found, in: source)
    }

    /// Without escape sequences.
    private static func plain(_ text: String) -> String {
        text.replacing(#/\u{1B}\[[0-9]*m/#, with: "")
    }

    @Test func `place, severity and carets are coloured, and the text is the same`() {
        let plain = Self.report(TextReporter())
        let coloured = Self.report(ColouredReporter(Style(isColoured: true)))
        #expect(Self.plain(coloured) == plain)
        #expect(coloured.contains("\u{1B}[1ma.json:1:17: \u{1B}[0m\u{1B}[31merror\u{1B}[0m: "), "\(coloured)")
        #expect(coloured.contains("\u{1B}[32m^"))
    }

    @Test func `a name that is shown in another form stays plain`() {
        let coloured = Self.report(ColouredReporter(Style(isColoured: true)), name: "a\nb.json")
        #expect(Self.plain(coloured) == Self.report(TextReporter(), name: "a\nb.json"))
    }

    @Test func `only the text form for a terminal is coloured`() {
        #expect(ValidateFormat.text.reporter(.plain) is TextReporter)
        #expect(ValidateFormat.text.reporter(Style(isColoured: true)) is ColouredReporter)
        #expect(ValidateFormat.json.reporter(Style(isColoured: true)) is JSONReporter)
    }
}
