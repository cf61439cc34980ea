import APNSModel
import APNSPayload
import PayloadGuide
import PayloadJSON
import Testing

@testable import apns

struct ExplanationTextTests {
    private static func text(_ payload: String, style: Style = .plain, width: Int? = nil) throws -> String {
        var explainer = NotificationExplainer(pushType: .alert, now: 1_800_000_000)
        var text = ExplanationText(style: style, width: width)
        let source = SourceText(name: "a.json", bytes: Array(payload.utf8))
        let explained = try explainer.explain(source)
        return text.text(of: explained, in: source) + text.text(of: explained, in: source)
    }

    @Test func `each part has a title, and an empty line is between two notifications`() throws {
        let text = try Self.text(#"{"aps":{"alert":"Hi","badge":"1"}}"#)
        #expect(text.hasPrefix("a.json: push type alert, "))
        for title in ["APNs", "Device", "Also", "Findings"] { #expect(text.contains("\n\n\(title)\n  - "), "\(title)") }
        #expect(text.contains("  - error: ") && text.contains("[aps-key-type]"))
        #expect(text.contains("\n\na.json: push type alert"))
    }

    @Test func `on a terminal lines are no wider than it, titles are bold and severities coloured`() throws {
        let plain = try Self.text(#"{"aps":{"alert":"Hi","badge":"1"}}"#, width: 90)
        #expect(
            plain.split(separator: "\n").dropFirst().allSatisfy { $0.count <= 90 || $0.hasPrefix("a.json") }, "\(plain)"
        )
        let coloured = try Self.text(#"{"aps":{"alert":"Hi","badge":"1"}}"#, style: Style(isColoured: true))
        #expect(coloured.contains("\u{1B}[1mDevice\u{1B}[0m") && coloured.contains("  - \u{1B}[31merror\u{1B}[0m: "))
    }

    @Test func `text of the payload cannot move the cursor`() throws {
        #expect(!(try Self.text(#"{"aps":{"alert":"\u001b[2J"}}"#)).contains("\u{1B}"))
    }
}
