import APNSModel
import APNSPayload
import PayloadLint
import Testing

struct NotificationCheckerTests {
    private func checker(_ configuration: String = "", options: LintOptions = LintOptions()) throws
        -> NotificationChecker
    {
        var resolver = Files(contents: ["/project/.apns-validate.yaml": configuration]).resolver(options: options)
        let settings = resolver.found(for: "push.json")
        return NotificationChecker(try #require(settings), now: 1_767_225_600)
    }

    private func source(_ text: String) -> SourceText { SourceText(name: "push.json", bytes: Array(text.utf8)) }

    @Test func `a byte order mark is a finding, and places behind it are those of an editor`() throws {
        var checker = try checker()
        let result = checker.check(source("\u{FEFF}" + #"{"aps":{"badge":"3"}}"#))
        #expect(result.findings.map(\.finding.rule) == ["byte-order-mark", "aps-key-type"])
        #expect(result.findings.map(\.column) == [1, 17])
        #expect(result.findings.map(\.pointer) == ["", "/aps/badge"])
        let fault = checker.check(source("\u{FEFF}{\n  \"aps\": {,}\n}"))
        #expect(fault.findings.map(\.finding.rule) == ["byte-order-mark", "payload-json"])
        #expect(fault.findings.map(\.line) == [1, 2] && fault.findings.last?.column == 11)
        let envelope = checker.check(
            source("\u{FEFF}" + #"{"apns-priority":7,"payload":{"aps":{"alert":"Hi"}}}"#))
        #expect(envelope.findings.map(\.finding.rule) == ["byte-order-mark", "priority-value"])
        #expect(envelope.findings.last?.column == 18)
    }

    @Test func `the excerpt behind a byte order mark is the line of the fault, and offsets are those of the file`()
        throws
    {
        var checker = try checker()
        let result = checker.check(source("\u{FEFF}{\n \"aps\": {\"alert\": 7,\n \"badge\":\"x\"}\n}"))
        let shown = try #require(result.source)
        var text = TextReporter()
        let report = text.report(result.findings, in: shown)
        #expect(report.contains("[byte-order-mark]\n  {\n  ^\n"), "\(report)")
        #expect(
            report.contains("\n   \"aps\": {\"alert\": 7,\n" + String(repeating: " ", count: 20) + "^\n"), "\(report)")
        #expect(report.hasSuffix("\n   \"badge\":\"x\"}\n           ^^^\n"), "\(report)")
        var sarif = SARIFReporter(version: "1")
        let regions = sarif.report(result.findings, in: shown)
        for bytes in [
            #""byteOffset":0,"byteLength":3"#, #""byteOffset":23,"byteLength":1"#, #""byteOffset":35,"byteLength":3"#,
        ] {
            #expect(regions.contains(bytes), "\(regions)")
        }
        #expect(checker.check(source("{}")).source == nil)
    }

    @Test func `the last line behind a byte order mark is shown to its end, also where the mark is repeated`() throws {
        var checker = try checker()
        for mark in ["\u{FEFF}", "\u{FEFF}\u{FEFF}"] {
            let result = checker.check(source(mark + #"{"aps":{"badge":"3"}}"#))
            #expect(result.findings.map(\.finding.rule) == ["byte-order-mark", "aps-key-type"])
            var text = TextReporter()
            let report = text.report(result.findings, in: try #require(result.source))
            #expect(
                report.hasSuffix("\n  {\"aps\":{\"badge\":\"3\"}}\n" + String(repeating: " ", count: 18) + "^^^\n"),
                "\(report)")
        }
    }

    @Test func `a fix removes a byte order mark, unless its rule is off`() throws {
        var checker = try checker()
        let text = "\u{FEFF}" + #"{"aps":{"badge":"3"}}"#
        let fixed = checker.fixed(source(text))
        #expect(fixed.count == 2)
        #expect(String(decoding: fixed.source.bytes, as: UTF8.self) == #"{"aps":{"badge":3}}"#)
        var tolerant = try self.checker("rules: {byte-order-mark: off}")
        #expect(tolerant.check(source(text)).findings.map(\.finding.rule) == ["aps-key-type"])
        #expect(tolerant.fixed(source(text)).source.bytes == Array(("\u{FEFF}" + #"{"aps":{"badge":3}}"#).utf8))
    }

    @Test func `a fix removes a byte order mark before a text that is not JSON, which stays as it is`() throws {
        var checker = try checker()
        let text = #"{"aps":{"alert":"x",}}"#
        let fixed = checker.fixed(source("\u{FEFF}" + text))
        #expect(fixed.count == 1)
        #expect(fixed.source.bytes == Array(text.utf8))
        #expect(checker.fixed(fixed.source).count == 0)
    }

    @Test func `a misspelt aps is corrected, and then the keys in it`() throws {
        var checker = try checker()
        let fixed = checker.fixed(source(#"{"APS":{"Alert":"Hi","contentAvailable":true}}"#))
        #expect(String(decoding: fixed.source.bytes, as: UTF8.self) == #"{"aps":{"alert":"Hi","content-available":1}}"#)
    }

    @Test func `findings are in the order of their places, and then of their rules`() throws {
        var checker = try checker()
        func rules(_ text: String) -> [String] { checker.check(source(text)).findings.map(\.finding.rule) }
        let envelope = rules(
            #"{"payload":{"aps":{"alert":"Hi","bagde":1}},"apns-priority":"12","token":"zz","apns-topic":"a.b"}"#)
        #expect(envelope == ["push-type-absent", "misspelt-key", "priority-value", "device-token-form"])
        let ignoring = rules(
            #"{"apns-validate":{"ignore":["aps-object"]},"apns-push-type":"alert","payload":{"aps":{"badge":"1"}}}"#)
        #expect(ignoring == ["suppression-unused", "aps-key-type"])
        let payload = rules(#"{"aps":{"alert":"Hi","type":"ACCOUNT_UPDATE"}}"#)
        #expect(payload == ["hint-in-aps", "unknown-aps-key"])
    }

    @Test func `a header of the configuration or of an option is named as such`() throws {
        let text = source(#"{"aps":{}}"#)
        var configured = try checker("topic: com.example.agent\npush-type: voip")
        let found = configured.check(text).findings
        #expect(found.map(\.pointer) == [nil])
        #expect(found.first?.finding.message.hasPrefix("topic of .apns-validate.yaml: apns-topic is") == true)
        var options = try checker(options: LintOptions(pushType: .voip, topic: Topic("com.example.agent")))
        #expect(options.check(text).findings.first?.finding.message.hasPrefix("--topic: apns-topic is") == true)
        // What the file says comes from the file.
        let envelope = options.check(source(#"{"apns-topic":"com.example.agent","payload":{"aps":{}}}"#)).findings
        #expect(envelope.first { $0.finding.rule == "topic-suffix" }?.pointer == "/apns-topic")
    }

    @Test func `new push types can be allowed`() throws {
        let text = source(#"{"apns-push-type":"hologram","payload":{"aps":{"alert":"Hi"}}}"#)
        var strict = try checker()
        #expect(strict.check(text).findings.map(\.finding.rule) == ["push-type-unknown"])
        var tolerant = try checker(options: LintOptions(allowsNewPushTypes: true))
        #expect(tolerant.check(text).findings.isEmpty)
        let mistake = source(#"{"apns-push-type":"Alert","payload":{"aps":{}}}"#)
        #expect(tolerant.check(mistake).findings.map(\.finding.rule) == ["push-type-unknown"])
        var graded = try checker("rules: {push-type-unknown: warning}", options: LintOptions(allowsNewPushTypes: true))
        #expect(graded.check(mistake).findings.map(\.finding.severity) == [.warning])
        #expect(graded.check(text).findings.isEmpty)
    }
}
