import TestSeeds
import Testing

@testable import APNSPayload

struct HintChangedFieldsTests {
    /// What the rule says about a list of names, with strings.
    private static func problem(_ text: String) -> String? {
        var seen: Set<String> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            if name.isEmpty { return "an empty name" }
            if !seen.insert(name).inserted { return "\(name) twice" }
        }
        return nil
    }

    @Test(arguments: TestSeed.all(1...100))
    func `names are compared as strings are, whatever they are made of`(seed: TestSeed) {
        var generator = seed.generator
        var validator = Validator(rules: [.hintChangedFields])
        let names = ["Name", "Owner", "name", "é", "e\u{301}", "", " ", "A B", "N", "Names", "Account.Name"]
        for _ in 0..<50 {
            let text = (0..<Int.random(in: 0...20, using: &generator)).map { number in
                let name =
                    Bool.random(using: &generator)
                    ? "F\(number)" : names.randomElement(using: &generator) ?? ""
                return (Bool.random(using: &generator) ? " " : "") + name
                    + (Int.random(in: 0..<4, using: &generator) == 0 ? "  " : "")
            }.joined(separator: ",")
            let written = Int.random(in: 0..<6, using: &generator) == 0 ? text.replacing("N", with: "\\u004E") : text
            let payload =
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","#
                + "\"changedFields\":\"\(written)\"}"
            let findings = validator.findings(for: Envelope(pushType: "background", payload: Array(payload.utf8)))
            let wanted = HintChangedFieldsTests.problem(text)
            #expect(findings.map(\.message) == wanted.map { ["changedFields has \($0); the app ignores it"] } ?? [])
        }
    }
}
