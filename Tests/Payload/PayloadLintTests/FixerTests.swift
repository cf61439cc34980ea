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
}
