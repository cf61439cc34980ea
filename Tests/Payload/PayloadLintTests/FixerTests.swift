import APNSPayload
import PayloadLint
import Testing

struct FixerTests {
    private func finding(_ edits: (Range<Int>, String)...) -> LocatedFinding {
        let fix = Fix("fix it", edits.map { Fix.Edit($0.0, $0.1) })
        let finding = Finding(of: .contentAvailableForm, "fix it", at: .pointer("", 0..<1), fix: fix)
        var located = LocatedFinding(finding, at: 0..<1, in: SourceText(name: "a", bytes: Array("0123456789".utf8)))
        located.edits = fix.edits
        return located
    }

    private func apply(_ findings: LocatedFinding...) -> String {
        let (bytes, count) = Fixer.apply(findings, to: Array("0123456789".utf8))
        return "\(String(decoding: bytes, as: UTF8.self)) \(count)"
    }

    @Test func `edits are applied in the order of their offsets`() {
        #expect(apply(finding((8..<9, "eight")), finding((0..<2, ""), (4..<4, "-"))) == "23-4567eight9 2")
    }

    @Test func `an edit that overlaps another one waits for the next round`() {
        #expect(apply(finding((2..<5, "a")), finding((4..<6, "b"))) == "01a56789 1")
        #expect(apply(finding((2..<2, "a")), finding((2..<2, "b"))) == "01a23456789 1")
        #expect(apply(finding((2..<5, "a")), finding((3..<3, "b"))) == "01a56789 1")
        // A fix is applied completely or not at all.
        #expect(apply(finding((2..<5, "a")), finding((4..<6, "b"), (8..<9, "c"))) == "01a56789 1")
    }

    @Test func `adjacent edits are both applied, and an equal edit counts for both findings`() {
        #expect(apply(finding((2..<3, "a")), finding((3..<4, "b"))) == "01ab456789 2")
        #expect(apply(finding((2..<3, "a")), finding((2..<3, "a"))) == "01a3456789 2")
        #expect(apply() == "0123456789 0")
    }

    @Test(arguments: [
        (#"{"aps":{"content-available":true}}"#, #"{"aps":{"content-available":1}}"#),
        (
            "{\n \"apns-push-type\" : \"background\", \"apns-priority\":5,\n  \"payload\": { \"aps\" : {\n\t\"content-available\" : 1.0 } } }\n",
            "{\n \"apns-push-type\" : \"background\", \"apns-priority\":5,\n  \"payload\": { \"aps\" : {\n\t\"content-available\" : 1 } } }\n"
        ),
        (
            #"{"Simulator Target Bundle":"com.example.agent","aps":{"content-available":true}}"#,
            #"{"Simulator Target Bundle":"com.example.agent","aps":{"content-available":1}}"#
        ),
    ])
    func `a fix changes every kind of file and leaves the rest unchanged`(text: String, fixed: String) {
        let checked = Checked(text)
        let (bytes, count) = Fixer.apply(checked.findings, to: checked.source.bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == fixed)
        #expect(count == 1)
        #expect(Fixer.apply(Checked(fixed).findings, to: bytes).count == 0)
    }

    /// An envelope with these members beside its payload.
    private static func envelope(_ members: String) -> String {
        "{ \(members),\n  \"payload\": {\"aps\": {\"alert\": \"Hi\"}} }\n"
    }

    private static let digits = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    private static let groups = "00fc13ad ff785122 b4ad2880 9a342098 23412414 21348097 878e577c 991de8f0"
    private static let id = "9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607"
    private static let channel = #""apns-channel-id": "dHN0LXNyY2gtY2hubA==""#

    @Test(arguments: [
        (#""apns-push-type": "alert ""#, #""apns-push-type": "alert""#),
        (#""apns-push-type" : "Alert""#, #""apns-push-type" : "alert""#),
        (#""apns-push-type": "live-activity""#, #""apns-push-type": "liveactivity""#),
        (#""apns-priority": "10 ""#, #""apns-priority": "10""#), (#""apns-priority": 5.0"#, #""apns-priority": 5"#),
        (#""apns-expiration": " 1798761600""#, #""apns-expiration": "1798761600""#),
        (#""apns-expiration": 1798761600.0"#, #""apns-expiration": 1798761600"#),
        (#""apns-expiration": 1798761600000"#, #""apns-expiration": 1798761600"#),
        (#""apns-topic": "com.example.agent ""#, #""apns-topic": "com.example.agent""#),
        (#""apns-topic": "\tcom.example.agent\n""#, #""apns-topic": "com.example.agent""#),
        (#""apns-collapse-id": " a \"b\" ""#, #""apns-collapse-id": "a \"b\"""#),
        (#""apns-collapse-id": "a\r\n""#, #""apns-collapse-id": "a""#),
        (
            #""apns-id": "{9D1F3C2A5b6e4f708a91b2c3d4e5f607}""#,
            #""apns-id": "9D1F3C2A-5b6e-4f70-8a91-b2c3d4e5f607""#
        ),
        ("\"apns-id\": \"{\(id)}\\n\"", "\"apns-id\": \"\(id)\""),
        ("\"apns-id\": \"[\(id)]\"", "\"apns-id\": \"\(id)\""), ("\"apns-id\": \"(\(id))\"", "\"apns-id\": \"\(id)\""),
        ("\"token\": \"\(digits) \"", "\"token\": \"\(digits)\""),
        ("\"token\": \"<\(groups)>\"", "\"token\": \"\(digits)\""),
        ("\"token\": \"0x\(digits)\"", "\"token\": \"\(digits)\""),
        (#""apns-channel-id": "dHN0LXNyY2gtY2hubA==\n""#, #""apns-channel-id": "dHN0LXNyY2gtY2hubA==""#),
        (#""APNs-Topic": "com.example.agent""#, #""apns-topic": "com.example.agent""#),
        (#""apns_priority": 5"#, #""apns-priority": 5"#),
        ("\"APNs-Request-Id\": \"\(id)\", \(channel)", "\"apns-request-id\": \"\(id)\", \(channel)"),
    ])
    func `a header with one meaning is corrected in an envelope`(header: String, corrected: String) {
        let checked = Checked(FixerTests.envelope(header))
        let (bytes, count) = Fixer.apply(checked.findings, to: checked.source.bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == FixerTests.envelope(corrected))
        #expect(count == 1)
        #expect(Fixer.apply(Checked(FixerTests.envelope(corrected)).findings, to: bytes).count == 0)
    }

    @Test(arguments: [
        #""apns-push-type": "alrt""#, #""apns-push-type": "silent""#, #""apns-push-type": "hologram""#,
        #""apns-push-type": ["Alert"]"#, #""apns-priority": 7"#, #""apns-priority": "high""#,
        #""apns-priority": "5.5""#, #""apns-expiration": "1h""#, #""apns-expiration": "-1 ""#,
        #""apns-expiration": 1798761600123"#, #""apns-topic": "com.example.*""#, #""apns-topic": " ""#,
        #""apns-collapse-id": " ""#, #""apns-collapse-id": "a\nb""#, #""apns-id": "order-7""#,
        #""apns-id": "9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607 or so""#,
        #""apns-id": "1234567812341234123412345678901-2-""#, #""apns-id": "9d1f3c2a 5b6e 4f70 8a91 b2c3d4e5f607""#,
        #""token": "ab1""#, #""token": 1234"#,
        "\"token\": \"\(digits) \(digits)\"", "\"token\": \"00fc13ad \(digits)\"",
        #""token": "ab12cd34 ab12cd35""#, "\"token\": \"\(groups.prefix(62))\"", #""apns-channel-id": "match-2026""#,
        #""push-type": "alert""#, #""APNs-Topic": "com.example.agent", "apns-topic": "com.example.other""#,
        #""APNs-Topic": "com.example.agent", "apns_topic": "com.example.other""#,
        #""APNs-Topic": "com.example.agent", "apns-topic": null"#,
        "\"APNs-Request-Id\": \"\(id)\"", "\"APNs-Request-Id\": \"\(id)\", \"apns-id\": \"\(id)\", \(channel)",
        "\"APNs-Request-Id\": \"\(id)\", \"apns-id\": null, \(channel)",
        "\"APNs-Request-Id\": \"\(id)\", \"APNs-Id\": \"\(id)\", \(channel)",
        "\"APNs-Id\": \"\(id)\", \"apns-request-id\": \"\(id)\"",
    ])
    func `a header that a person has to correct stays`(header: String) {
        let checked = Checked(FixerTests.envelope(header))
        let name = header.split(separator: "\"")[0]
        #expect(checked.findings.contains { $0.pointer == "/\(name)" })
        #expect(checked.findings.allSatisfy { $0.edits.isEmpty && $0.fixTitle == nil })
    }

    @Test func `the target of a simulator file is corrected, its key and its value`() {
        let checked = Checked(
            #"{"simulator-target-bundle":"com.example.agent ","aps":{"alert":"Hi"}}"#, name: "push.apns")
        let (key, count) = Fixer.apply(checked.findings, to: checked.source.bytes)
        let text = String(decoding: key, as: UTF8.self)
        #expect(text == #"{"Simulator Target Bundle":"com.example.agent ","aps":{"alert":"Hi"}}"#)
        #expect(count == 1)
        let value = Fixer.apply(Checked(text, name: "push.apns").findings, to: key)
        #expect(
            String(decoding: value.bytes, as: UTF8.self)
                == #"{"Simulator Target Bundle":"com.example.agent","aps":{"alert":"Hi"}}"#)
    }
}
