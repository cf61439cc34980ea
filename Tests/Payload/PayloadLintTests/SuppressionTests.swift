import APNSPayload
import ConfigurationText
import PayloadLint
import Testing

struct SuppressionTests {
    private func settings() -> LintSettings {
        var resolver = Files(contents: [:]).resolver()
        _ = resolver.settings(for: "a.json")
        return resolver.all[0]
    }

    private func findings(_ text: String, using rules: [String] = []) throws -> [String] {
        var suppression = try #require(Suppression(ofEnvelope: Array(text.utf8)))
        for rule in rules { _ = suppression.ignores(rule) }
        let source = SourceText(name: "a.json", bytes: Array(text.utf8))
        return suppression.findings(in: source, settings: settings()).map {
            "\($0.column)-\($0.endColumn) \($0.finding.rule): \($0.finding.message)"
        }
    }

    @Test func `an envelope lists the rules to ignore`() throws {
        let text = #"{"apns-validate":{"ignore":["aps-object"],"reason":"a test"},"payload":{}}"#
        var suppression = try #require(Suppression(ofEnvelope: Array(text.utf8)))
        let answers = ["aps-object", "hint-record"].map { suppression.ignores($0) }
        #expect(answers == [true, false])
        #expect(try findings(text, using: ["aps-object"]).isEmpty)
    }

    @Test func `unused suppressions and unknown rules are reported with their place`() throws {
        #expect(
            try findings(#"{"apns-validate":{"ignore":["aps-object","aps-objekt"]},"payload":{}}"#) == [
                "29-41 suppression-unused: aps-object finds nothing here to ignore; remove it",
                #"42-54 suppression-unknown-rule: there is no rule "aps-objekt" to ignore; did you mean aps-object?"#,
            ])
    }

    @Test(arguments: [
        #""hint-record""#, #"["hint-record"]"#, #"{"ignor":[]}"#, #"{"ignore":"hint-record"}"#, #"{"ignore":[]}"#,
        #"{"ignore":[1]}"#, "null",
    ])
    func `another form is reported`(value: String) throws {
        let found = try findings(#"{"apns-validate":\#(value),"payload":{}}"#)
        #expect(found.count == 1)
        #expect(found[0].contains("suppression-form"), "\(found)")
    }

    @Test func `the key must be in the root of the envelope`() {
        #expect(Suppression(ofEnvelope: Array(#"{"payload":{"x":"apns-validate"}}"#.utf8)) == nil)
        #expect(Suppression(ofEnvelope: Array(#"{"payload":{"apns-validate":{}}}"#.utf8)) == nil)
        #expect(Suppression.mayOccur(in: Array(#"{"apns-validate":1}"#.utf8)))
        #expect(Suppression.mayOccur(in: Array(#""apns-validate""#.utf8)))
        #expect(!Suppression.mayOccur(in: Array(#"{"apns-validat":1}"#.utf8)))
        #expect(!Suppression.mayOccur(in: []))
    }

    @Test func `a sidecar lists rules with or without a reason`() {
        let text = "# why\nignore:\n  - aps-object\n  - rule: hint-record\n    reason: it is old\n"
        var (suppression, errors) = SidecarReader.read(Array(text.utf8), name: "a.json.apns-validate.yaml")
        #expect(errors.isEmpty)
        let isIgnored = suppression.ignores("hint-record")
        #expect(isIgnored)
        let source = SourceText(name: "a.json.apns-validate.yaml", bytes: Array(text.utf8))
        let found = suppression.findings(in: source, settings: settings())
        #expect(found.map(\.finding.rule) == ["suppression-unused"])
        #expect(found.first?.line == 3 && found.first?.column == 5 && found.first?.endColumn == 15)
    }

    @Test(arguments: [
        ("ignor: []", "s.yaml:1:1: ignor: there is no such key; did you mean ignore?"),
        ("ignore: aps-object", "s.yaml:1:9: ignore: \"aps-object\" is given where a list is expected"),
        ("ignore:\n- reason: x", "s.yaml:2:3: ignore[0]: the key rule is missing"), ("a: [", "it is not YAML"),
    ])
    func `a sidecar in another form is reported`(text: String, message: String) {
        let errors = SidecarReader.read(Array(text.utf8), name: "s.yaml").errors
        #expect(errors.first?.description.contains(message) == true, "\(errors)")
    }
}
