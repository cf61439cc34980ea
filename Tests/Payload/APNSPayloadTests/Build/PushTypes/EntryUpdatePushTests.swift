import APNSModel
import Testing

@testable import APNSPayload

struct EntryUpdatePushTests {
    private static func text(_ push: some PushPayload) -> String { String(decoding: push.encoded(), as: UTF8.self) }

    @Test func `a silent update is that of the contract, and no rule finds anything`() throws {
        let push = try EntryUpdatePush(
            EntryReference(.entry("hero"), locale: "en-US"), custom: ["campaign": "spring"])
        #expect(
            Self.text(push) == """
                {"aps":{"content-available":1},"campaign":"spring","entryId":"hero","locale":"en-US",\
                "type":"ENTRY_UPDATE"}
                """)
        #expect(push.findings().isEmpty, "\(push.findings())")
        #expect(EntryUpdatePush.pushType == .background)
    }

    @Test func `a visible update has what the user sees`() throws {
        let push = try EntryUpdateAlert(AlertPush(Alert("New story")), EntryReference(.experience("exp-1")))
        #expect(Self.text(push) == #"{"aps":{"alert":"New story"},"experienceId":"exp-1","type":"ENTRY_UPDATE"}"#)
        #expect(push.findings().isEmpty, "\(push.findings())")
        #expect(EntryUpdateAlert.pushType == .alert)
    }

    @Test func `an app can use another type`() throws {
        let push = try EntryUpdatePush(EntryReference(.entry("hero")), type: "REFRESH")
        #expect(Self.text(push) == #"{"aps":{"content-available":1},"entryId":"hero","type":"REFRESH"}"#)
    }

    @Test(arguments: ["", "a b", "ä", String(repeating: "a", count: 65), "a\n", "*"])
    func `an id or a locale that an app would not take is an error`(text: String) {
        #expect(throws: EntryReferenceError.badID(text)) { try EntryReference(.entry(text)) }
        #expect(throws: EntryReferenceError.badID(text)) { try EntryReference(.experience(text)) }
        #expect(throws: EntryReferenceError.badLocale(text)) { try EntryReference(.entry("a"), locale: text) }
    }

    @Test(arguments: ["type", "entryId", "experienceId", "locale"])
    func `the app's own data has none of the keys`(key: String) throws {
        let reference = try EntryReference(.entry(String(repeating: "a", count: 64)))
        var custom = CustomData()
        try custom.set("x", for: key)
        #expect(throws: EntryReferenceError.reservedKey(key)) { try EntryUpdatePush(reference, custom: custom) }
        #expect(throws: EntryReferenceError.reservedKey(key)) {
            try EntryUpdateAlert(AlertPush(Alert("Hi"), custom: custom), reference)
        }
    }

    @Test(arguments: [
        (
            #"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":"é"}"#,
            #"entry-update-subject /entryId "é""#
        ),
        (
            #"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":null}"#,
            #"entry-update-subject /entryId "entryId""#
        ),
        (
            #"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":"a","locale":"*"}"#,
            #"entry-update-locale /locale "*""#
        ),
        (
            #"{"aps":{"content-available":1},"type":"Entry_update","entryId":"a"}"#,
            #"entry-update-type /type "Entry_update""#
        ),
    ])
    func `findings have the place to the byte`(payload: String, place: String) {
        var validator = Validator()
        let findings = validator.findings(
            for: Envelope(kind: .payload, pushType: "background", payload: Array(payload.utf8)))
        let places = findings.filter { $0.rule.hasPrefix("entry-update") }.map { finding in
            "\(finding.rule) \(finding.pointer ?? "") "
                + (finding.range.map { String(decoding: Array(payload.utf8)[$0], as: UTF8.self) } ?? "")
        }
        #expect(places == [place])
    }
}
