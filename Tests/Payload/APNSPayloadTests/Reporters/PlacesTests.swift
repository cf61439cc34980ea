import APNSModel
import APNSPayload
import Testing

/// Where findings are in a file: pointer, line, column, and the note about a missing key.
struct PlacesTests {
    private func located(
        _ text: String, _ rule: String, named name: String = "push.json", options: [String: String] = [:],
        pushType: String? = nil, topic: String? = nil
    ) throws -> LocatedFinding {
        var reader = EnvelopeReader()
        var validator = Validator()
        var sourced = reader.read(SourceText(name: name, bytes: Array(text.utf8)))
        sourced.envelope.pushType = sourced.envelope.pushType ?? pushType
        sourced.envelope.topic = sourced.envelope.topic ?? topic
        sourced.headerOptions = options
        let findings = validator.findings(for: sourced.envelope)
        let found = LocatedFinding.locate(findings, in: sourced)
        return try #require(found.first { $0.finding.rule == rule }, "\(findings)")
    }

    private func json(_ located: LocatedFinding) -> String { JSONReporter().line(for: located) }

    @Test func `a pointer leads from the root of the file, also in an envelope`() throws {
        let bare = try located(#"{"aps":{"badge":"3"}}"#, "aps-key-type")
        #expect(bare.pointer == "/aps/badge")
        let inside = try located(#"{"apns-push-type":"alert","payload":{"aps":{"badge":"3"}}}"#, "aps-key-type")
        #expect(inside.pointer == "/payload/aps/badge")
        #expect(inside.column == 53)
        #expect(json(inside).contains(#""pointer":"/payload/aps/badge""#))
        let encoded = try located(#"{"payload-base64":"eyJhcHMiOnsiYmFkZ2UiOiIzIn19"}"#, "aps-key-type")
        #expect(encoded.pointer == "/payload-base64")
    }

    @Test func `a finding about the whole payload has the pointer of the payload`() throws {
        let large = #"{"data":""# + String(repeating: "x", count: 5200) + #""}"#
        #expect(try located(large, "payload-too-large").pointer == "")
        #expect(try located(#"{"payload":\#(large)}"#, "payload-too-large").pointer == "/payload")
        #expect(try located("{", "payload-json").pointer == "")
    }

    @Test func `the pointer of a header is its key, escaped`() throws {
        let value = try located(#"{"apns-push-type":"Alert","payload":{"aps":{"alert":"Hi"}}}"#, "push-type-unknown")
        #expect(value.pointer == "/apns-push-type")
        #expect(value.column == 19)
        let key = try located(#"{"apns~/topic":"x","payload":{"aps":{"alert":"Hi"}}}"#, "envelope-unknown-key")
        #expect(key.pointer == "/apns~0~1topic")
        let target = try located(
            #"{"Simulator Target Bundle":7,"aps":{"alert":"Hi"}}"#, "simulator-target", named: "push.apns")
        #expect(target.pointer == "/Simulator Target Bundle")
        #expect(target.column == 28)
        for bundle in ["", "com.example agent", "com.example.", "com." + String(repeating: "a", count: 300)] {
            let text = #"{"Simulator Target Bundle":"\#(bundle)","aps":{"alert":"Hi"}}"#
            let rule = bundle.utf8.count > 255 ? "topic-length" : "topic-form"
            let found = try located(text, rule, named: "push.apns")
            #expect(found.finding.message.hasPrefix("Simulator Target Bundle "), "\(found.finding.message)")
        }
        let spelling = try located(
            #"{"simulator target bundle":"a.b","aps":{"alert":"Hi"}}"#, "simulator-target-spelling", named: "push.apns")
        #expect(spelling.pointer == "/simulator target bundle")
        #expect(spelling.column == 2)
    }

    @Test func `a repeated object with headers has one finding, at its last key`() throws {
        let text = #"{"headers":{"apns-priority":5},"headers":{"apns-priority":10},"payload":{"aps":{"alert":"Hi"}}}"#
        let found = try located(text, "envelope-unknown-key")
        #expect(found.pointer == "/headers" && found.line == 1 && found.column == 32 && found.endColumn == 41)
        var reader = EnvelopeReader()
        var validator = Validator()
        let envelope = reader.read(SourceText(name: "push.json", bytes: Array(text.utf8))).envelope
        #expect(validator.findings(for: envelope).count { $0.rule == "envelope-unknown-key" } == 1)
    }

    @Test func `a repeated target of a simulator file has one finding, at its last key`() throws {
        let text =
            #"{"Simulator Target Bundle":"a.b","aps":{"alert":"Hi"},"Simulator Target Bundle":"a.c.push-type.widgets"}"#
        let found = try located(text, "envelope-repeated-key", named: "push.apns")
        #expect(found.pointer == "/Simulator Target Bundle" && found.column == 55 && found.endColumn == 80)
        #expect(found.finding.message == "the file has Simulator Target Bundle more than once; keep one")
        // The last value counts, and is checked.
        #expect(try located(text, "simulator-target", named: "push.apns").column == 81)
    }

    @Test func `an absent header is missing in the envelope, and a note names it`() throws {
        let found = try located(
            #"{"apns-push-type":"background","payload":{"aps":{"content-available":1}}}"#, "background-priority-absent")
        #expect(found.pointer == "" && found.column == 1 && found.endColumn == 2)
        #expect(json(found).contains(#""note":"the missing key is apns-priority""#))
    }

    @Test func `a missing key is at the object that lacks it, and a note names it`() throws {
        let found = try located(#"{"aps":{"alert":"Hi","sound":{"critical":1}}}"#, "sound-name-absent")
        #expect(found.pointer == "/aps/sound")
        #expect(json(found).contains(#""note":"the missing key is name""#))
        var reporter = TextReporter()
        let source = SourceText(name: "push.json", bytes: Array(#"{"aps":{"alert":"Hi","sound":{"critical":1}}}"#.utf8))
        #expect(reporter.report([found], in: source).hasSuffix("^\n  note: the missing key is name\n"))
        #expect(!json(try located(#"{"aps":{"badge":"3"}}"#, "aps-key-type")).contains("note\":"))
    }

    struct Missing: CustomTestStringConvertible {
        var rule: String
        var text: String
        var pointer: String
        var column: Int
        var key: String
        var pushType = "alert"

        var testDescription: String { "\(rule) \(pointer)" }
    }

    private static let missing = [
        Missing(
            rule: "liveactivity-start-key",
            text: #"{"aps":{"timestamp":1767225600,"event":"start","content-state":{},"alert":{"title":"Hi"}}}"#,
            pointer: "/aps", column: 8, key: "attributes-type and attributes", pushType: "liveactivity"),
        Missing(
            rule: "liveactivity-end-content-state", text: #"{"aps":{"timestamp":1767225600,"event":"end"}}"#,
            pointer: "/aps", column: 8, key: "content-state", pushType: "liveactivity"),
        Missing(
            rule: "loc-args-without-key", text: #"{"aps":{"alert":{"body":"Hi","loc-args":["Anna"]}}}"#,
            pointer: "/aps/alert", column: 17, key: "loc-key"),
        Missing(
            rule: "loc-args-without-key", text: #"{"aps":{"alert":{"title":"Hi","title-loc-args":["Anna"]}}}"#,
            pointer: "/aps/alert", column: 17, key: "title-loc-key"),
        Missing(
            rule: "loc-args-without-key",
            text: #"{"aps":{"alert":{"title":{"loc-args":["Anna"]},"body":"Hi"},"timestamp":1,"event":"update"}}"#,
            pointer: "/aps/alert/title", column: 26, key: "loc-key", pushType: "liveactivity"),
        Missing(
            rule: "loc-args-count", text: #"{"aps":{"alert":{"loc-key":"%@ is on the way"}}}"#, pointer: "/aps/alert",
            column: 17, key: "loc-args"),
    ]

    @Test(arguments: missing) func `rules about keys that go together name the missing one`(missing: Missing) throws {
        let found = try located(missing.text, missing.rule, pushType: missing.pushType)
        #expect(found.pointer == missing.pointer && found.column == missing.column)
        #expect(found.endColumn == missing.column + 1)
        #expect(found.note == "the missing key is \(missing.key)")
    }

    @Test func `each header that a broadcast lacks is named`() throws {
        var reader = EnvelopeReader()
        var validator = Validator()
        let text =
            #"{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"liveactivity","payload":"#
            + #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}}"#
        let sourced = reader.read(SourceText(name: "push.json", bytes: Array(text.utf8)))
        let found = LocatedFinding.locate(validator.findings(for: sourced.envelope), in: sourced)
        #expect(found.map(\.finding.rule) == ["broadcast-headers", "broadcast-headers"])
        #expect(found.compactMap(\.note) == ["apns-priority", "apns-expiration"].map { "the missing key is \($0)" })
        #expect(found.allSatisfy { $0.pointer == "" && $0.column == 1 })
    }

    @Test func `a repeated payload of an envelope is shown where it is repeated`() throws {
        let found = try located(
            #"{"payload":{"aps":{"alert":"Hi"}},"payload":{"aps":{"alert":"Hi"}}}"#, "envelope-repeated-key")
        #expect(found.pointer == "/payload")
        #expect(found.column == 35 && found.endColumn == 44)
        #expect(found.note == nil)
    }

    @Test func `a request id is named where it is wrong`() throws {
        let found = try located(
            #"{"apns-channel-id":"YQ==","apns-request-id":"x","payload":{"aps":{"event":"end","timestamp":1767225600}}}"#,
            "apns-id-form")
        #expect(found.pointer == "/apns-request-id")
        #expect(found.finding.message.hasPrefix("apns-request-id is \"x\""))
        #expect(found.column == 45)
    }

    @Test func `a finding about an option names the option and has neither pointer nor caret`() throws {
        let text = #"{"aps":{}}"#
        let found = try located(
            text, "topic-suffix", options: ["apns-topic": "--topic"], pushType: "voip", topic: "com.example.agent")
        #expect(found.pointer == nil)
        #expect(found.finding.message.hasPrefix("--topic: apns-topic is \"com.example.agent\""))
        #expect(json(found).contains(#""pointer":null"#))
        var reporter = TextReporter()
        let report = reporter.report([found], in: SourceText(name: "push.json", bytes: Array(text.utf8)))
        #expect(!report.contains("^") && report.hasPrefix("push.json:1:1: error: --topic: "))
    }

    @Test func `a header of an option is not corrected in the file`() throws {
        let found = try located(
            #"{"aps":{}}"#, "topic-form", options: ["apns-topic": "--topic"], pushType: "alert", topic: "com.example ")
        #expect(found.finding.correction == "com.example")
        #expect(found.edits.isEmpty && found.fixTitle == nil)
        #expect(json(found).contains(#""fixable":false"#))
    }

    @Test func `a header whose value is not in the file is not missing`() throws {
        var reader = EnvelopeReader()
        var validator = Validator()
        var sourced = reader.read(SourceText(name: "payload", bytes: Array(#"{"aps":{"alert":"Hi"}}"#.utf8)))
        sourced.envelope = Envelope(topic: ".com.example", pushType: "alert", payload: sourced.envelope.payload)
        let found = LocatedFinding.locate(validator.findings(for: sourced.envelope), in: sourced)
        #expect(found.map(\.finding.rule) == ["topic-form"])
        #expect(found.map(\.note) == [nil])
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"a\qb"}}"#, 19), (#"{"aps":{"alert":"H"#, 19), (#"{"aps":{"alert":"a\ud83d"}}"#, 19),
    ])
    func `a fault inside a string is at its place in the string`(text: String, column: Int) throws {
        #expect(try located(text, "payload-json").column == column)
    }

    @Test func `a fault of an encoded payload is within the string`() throws {
        // {"aps":{"alert":"Hi",}}
        let text = #"{"payload-base64":"eyJhcHMiOnsiYWxlcnQiOiJIaSIsfX0="}"#
        let found = try located(text, "payload-json")
        #expect(found.pointer == "/payload-base64")
        #expect(found.column == 19 + 1 + 20 / 3 * 4 + 20 % 3)
    }
}
