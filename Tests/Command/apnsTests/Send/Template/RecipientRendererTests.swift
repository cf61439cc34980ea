import APNSModel
import APNSPayload
import Testing

@testable import apns

struct RecipientRendererTests {
    private static func renderer(
        _ template: String = #"{"aps":{"alert":"{{text}}"}}"#, pushType: PushType = .alert, validates: Bool = true,
        reportsWarnings: Bool = false
    ) throws -> RecipientRenderer {
        RecipientRenderer(
            try PayloadTemplate(Array(template.utf8)), named: "push.json",
            defaults: EnvelopeDefaults(topic: Topic("com.example.a"), pushType: pushType), validates: validates,
            reportsWarnings: reportsWarnings)
    }

    private static func line(_ text: String, bytes: Int) -> String {
        #"{"token":"ab12","text":"\#(String(repeating: "x", count: bytes))"}"#
    }

    @Test func `a line has the device token, headers of its own and the values`() throws {
        var renderer = try Self.renderer()
        let line = #"{"token":"ab12","text":"Hi","apns-collapse-id":"c","apns-priority":5,"topic":"weather"}"#
        guard case .notification(let notification, nil) = renderer.render(Array(line.utf8), name: "r", number: 1) else {
            Issue.record("it is not rendered")
            return
        }
        #expect(notification.deviceToken.hex == "ab12" && notification.topic.value == "com.example.a")
        #expect(notification.collapseID?.value == "c" && notification.priority == .powerConsiderate)
        #expect(notification.payload == Array(#"{"aps":{"alert":"Hi"}}"#.utf8))
    }

    @Test func `a finding about an option names the option, and one about a header of the line the header`() throws {
        var renderer = RecipientRenderer(
            try PayloadTemplate(Array(#"{"aps":{"alert":"Hi"}}"#.utf8)), named: "push.json",
            defaults: EnvelopeDefaults(topic: Topic(".com.example"), pushType: .alert),
            headerOptions: ["apns-topic": "--topic"], validates: true)
        for (line, says) in [
            (#"{"token":"ab12"}"#, #"r:1: error: --topic: apns-topic ".com.example" begins"#),
            (#"{"token":"ab12","apns-topic":".com.other"}"#, #"r:1: error: apns-topic ".com.other" begins"#),
        ] {
            guard case .heldBack(_, let report) = renderer.render(Array(line.utf8), name: "r", number: 1) else {
                Issue.record("it is not held back")
                return
            }
            #expect(
                report.hasPrefix(says) && report.contains(" at apns-topic [") == line.contains("other"), "\(report)")
        }
    }

    @Test func `4096 bytes are sent, and one more is reported with file, line and what is large`() throws {
        var renderer = try Self.renderer()
        let frame = #"{"aps":{"alert":""}}"#.utf8.count
        let fits = Self.line("x", bytes: 4096 - frame)
        guard case .notification(let notification, _) = renderer.render(Array(fits.utf8), name: "r.ndjson", number: 6)
        else {
            Issue.record("it is not rendered")
            return
        }
        #expect(notification.payload.count == 4096)
        let tooLarge = Self.line("x", bytes: 4097 - frame)
        guard case .heldBack(let other, let report) = renderer.render(Array(tooLarge.utf8), name: "r.ndjson", number: 7)
        else {
            Issue.record("it is not held back")
            return
        }
        #expect(other.payload.count == 4097)
        #expect(report.hasPrefix("r.ndjson:7: error: ") && report.contains("4097"), "\(report)")
        #expect(report.contains("[payload-too-large]"))
        #expect(
            report.hasSuffix("  rendered from push.json, 4097 bytes; the largest values: {{text}} with 4079\n"),
            "\(report)")
    }

    @Test(
        arguments: [
            ("[]", nil, "this is not a recipient"), (#"{"token":"ab12""#, 16, "not JSON"),
            (#"{"token":"ab12"}"#, nil, "there is no value for {{text}}"), (#"{"text":"Hi"}"#, nil, "token is missing"),
            (#"{"token":"ab1","text":"Hi"}"#, nil, "token is \"ab1\""),
            (#"{"apns-channel-id":"YQ==","text":"Hi"}"#, nil, "has apns-channel-id"),
            (#"{"token":"ab12","text":"Hi","apns-priority":7}"#, nil, "apns-priority is \"7\""),
        ] as [(String, Int?, String)])
    func `a line that is no recipient is bad`(line: String, column: Int?, words: String) throws {
        var renderer = try Self.renderer()
        guard case .bad(let bad) = renderer.render(Array(line.utf8), name: "r", number: 3) else {
            Issue.record("it is taken")
            return
        }
        #expect(bad.number == 3 && bad.column == column && bad.problem.contains(words), "\(bad)")
    }

    @Test func `a blank line is nothing`() throws {
        var renderer = try Self.renderer()
        guard case .nothing = renderer.render(Array(" \t".utf8), name: "r", number: 1) else {
            Issue.record("it is something")
            return
        }
    }

    @Test func `a preview reports warnings, and without a check everything is rendered`() throws {
        let template = #"{"aps":{"alert":"{{text}}"},"type":"PERSONALIZED","personalization":{"points":["{{point}}"]}}"#
        var renderer = try Self.renderer(template, reportsWarnings: true)
        let line = #"{"token":"ab12","text":"Hi","point":"a b"}"#
        guard case .notification(_, let warnings?) = renderer.render(Array(line.utf8), name: "r", number: 2) else {
            Issue.record("it has no warnings")
            return
        }
        #expect(warnings.hasPrefix("r:2: warning: a point is \"a b\""), "\(warnings)")
        #expect(warnings.contains("at /personalization/points/0 [personalized-points]"), "\(warnings)")
        var unchecked = try Self.renderer(validates: false)
        let large = Array(Self.line("x", bytes: 5000).utf8)
        guard case .notification(let notification, nil) = unchecked.render(large, name: "r", number: 1) else {
            Issue.record("it is not rendered")
            return
        }
        #expect(notification.payload.count > 5000)
    }
}
