import APNSPayload
import Testing

struct ReporterTests {
    private func check(_ text: String, name: String = "push.json") -> (findings: [Finding], sourced: SourcedEnvelope) {
        check(Array(text.utf8), name: name)
    }

    private func check(_ bytes: [UInt8], name: String = "push.json") -> (findings: [Finding], sourced: SourcedEnvelope)
    {
        var reader = EnvelopeReader()
        var validator = Validator()
        let sourced = reader.read(SourceText(name: name, bytes: bytes))
        return (validator.findings(for: sourced.envelope), sourced)
    }

    private func report(_ text: String) -> String {
        let (findings, sourced) = check(text)
        var reporter = TextReporter()
        return reporter.report(findings, in: sourced)
    }

    @Test func `the text report has place, message, line and carets`() {
        let text = """
            {"apns-push-type":"background","apns-priority":10,
             "payload":{
              "aps":{"alert":"Hi","content-available":1}}}
            """
        #expect(
            report(text) == """
                push.json:1:48: error: priority is 10; a background push needs 5 [background-priority]
                  {"apns-push-type":"background","apns-priority":10,
                                                                 ^^
                push.json:3:10: error: aps has alert; a background push has content-available 1 and no alert, badge or \
                sound [background-alert]
                    "aps":{"alert":"Hi","content-available":1}}}
                           ^^^^^^^

                """)
    }

    @Test func `the JSON report has the keys of the contract`() {
        let (findings, sourced) = check(
            #"{"apns-push-type":"background","apns-priority":5,"payload":{"aps":{"content-available":1,"badge":1}}}"#)
        #expect(
            JSONReporter().report(findings, in: sourced)
                == #"{"file":"push.json","line":1,"column":90,"rule":"background-badge","severity":"error","layer":"device","#
                + #""pointer":"/payload/aps/badge","message":"aps has badge; a background push has content-available 1 "#
                + #"and no alert, badge or sound","fixable":false}"# + "\n")
        let broken = check("{")
        #expect(JSONReporter().report(broken.findings, in: broken.sourced).contains(#""pointer":"""#))
    }

    @Test func `tabs, wide characters and marks do not shift the carets`() {
        #expect(
            report("{\t\"日本\": \"e\u{301}\", }").hasSuffix("  {    \"日本\": \"e\u{301}\", }\n                  ^\n"))
    }

    @Test func `control characters of a file do not reach the terminal`() {
        let (findings, sourced) = check(
            Array("{\"a\": \u{1B}]0;x\u{7}\u{9B}31m\u{202E}\u{7F}\r, ".utf8) + [0xFF, 0x9B], name: "a\u{1B}[2J.json")
        var reporter = TextReporter()
        let text = reporter.report(findings, in: sourced)
        #expect(!text.isEmpty)
        #expect(
            text.unicodeScalars.allSatisfy {
                $0 == "\n" || ($0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) && $0 != "\u{202E}")
            })
        #expect(text.contains("␛]0;x␇"))
    }

    @Test func `a long line is cut on both sides of the place`() {
        let long = String(repeating: "é", count: 900)
        let text = report(#"{"a":""# + long + #"",}"# + long)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.utf8.count < 300 })
        let caret = lines[2].count - 1
        #expect(Array(lines[1])[caret] == ",")
        #expect(lines[1].hasPrefix("  …") && lines[1].hasSuffix("…"))
        #expect(!text.contains("\u{FFFD}"))
    }

    @Test func `a finding in a stream has the number of its line`() {
        var reader = EnvelopeReader()
        var validator = Validator()
        var reporter = TextReporter()
        let source = SourceText(name: "a.ndjson", bytes: Array("{\"aps\":{\"badge\":1}}\n\n{\"aps\":1}\n".utf8))
        let text = reader.readAll(source).map { reporter.report(validator.findings(for: $0.envelope), in: $0) }.joined()
        #expect(text.hasPrefix("a.ndjson:3:8: error: aps is a number; it must be an object [aps-object]\n"))
        #expect(reporter.closing == "2 notifications checked: 1 error\n")
        #expect(reporter.count(of: .error) == 1)
    }

    @Test func `no findings are reported as such`() {
        var reporter = TextReporter()
        let (findings, sourced) = check(#"{"aps":{"badge":1}}"#)
        #expect(reporter.report(findings, in: sourced).isEmpty)
        #expect(reporter.closing == "1 notification checked: no findings\n")
    }

    @Test func `the finding in an empty file has a place`() {
        #expect(report("").hasPrefix("push.json:1:1: error: the payload is empty"))
    }
}
