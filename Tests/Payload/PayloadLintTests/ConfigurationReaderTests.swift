import APNSModel
import APNSPayload
import ConfigurationText
import PayloadLint
import Testing

struct ConfigurationReaderTests {
    @Test(arguments: [
        ("rulez: {}", ":1: rulez: there is no such key; did you mean rules?"),
        ("x: 1", ":1: x: there is no such key; expected extends, push-type"),
        (
            "rules:\n  background-allert: off",
            ":2:22: rules.background-allert: there is no rule \"background-allert\"; did you mean background-alert?"
        ),
        ("rules:\n  zebra: off", "there is no rule \"zebra\"; `apns rules` lists all rules"),
        (
            "rules:\n  background-alert: eror",
            ":2:21: rules.background-alert: \"eror\" is none of off, note, warning, error, on; did you mean error?"
        ),
        ("rules: [a]", ":1:8: rules: a list is given where a mapping of keys to values is expected"),
        ("fail-on: 3", ":1:10: fail-on: \"3\" is none of error, warning, note"),
        ("push-type: backgruond", ":1:12: push-type: \"backgruond\" is not a push type; did you mean background?"),
        ("topic: a b", ":1:8: topic: \"a b\" is not a topic; expected a bundle id"),
        (
            "exclude:\n- ok\n- '[x'",
            ":3:3: exclude[1]: \"[x\" is not a valid pattern for paths: a [ in it is not closed"
        ),
        ("exclude: {a: b}", "exclude: a mapping is given where a list of strings is expected"),
        ("overrides:\n- rules: {}", ":2:3: overrides[0]: the key paths is missing"),
        ("overrides:\n- paths: a\n  rule: {}", ":3:3: overrides[0].rule: there is no such key; did you mean rules?"),
        ("overrides: 1", ":1:12: overrides: \"1\" is given where a list is expected"),
        ("extends: base.yaml", ":1:10: extends: there is no file base.yaml"),
        ("extends: [1, [2]]", "extends[1]: a list is given where a string is expected"),
        ("rules: [", "it is not YAML: "), ("a: 1\na: 2", "a key occurs twice here: a"),
        ("- a", ":1:1: a list is given where a mapping"),
        ("topic:", ":1:7: topic: nothing is given where a string is expected"),
        (String(repeating: "[", count: 5000), "it nests deeper than 100 levels"),
        (String(repeating: "- ", count: 5000), "it nests deeper than 100 levels"),
        ("&a [*a]", "it is not YAML: "),
    ])
    func `an error has file, line, key and what was expected`(text: String, message: String) {
        let errors = Files(contents: ["/project/.apns-validate.yaml": text]).errors()
        #expect(errors.contains { $0.hasPrefix(".apns-validate.yaml:") && $0.contains(message) }, "\(errors)")
    }

    @Test func `every error is reported, and valid settings still apply`() {
        let files = Files(contents: [
            "/project/.apns-validate.yaml": """
            rules:
              nothing-like-it: off
              background-alert: off
            fail-on: sometimes
            """
        ])
        #expect(files.errors().count == 2)
        var resolver = files.resolver()
        let settings = resolver.found(for: "a.json")
        #expect(settings?.failOn == .error)
        #expect(settings?.rules.contains(.backgroundAlert) == false)
    }

    @Test func `a circle of configurations is reported with its members`() {
        let files = Files(contents: [
            "/project/.apns-validate.yaml": "extends: b.yaml", "/project/b.yaml": "extends: [deep/../c.yaml]",
            "/project/c.yaml": "extends: ./b.yaml",
        ])
        #expect(
            files.errors() == [
                "c.yaml:1:10: extends: these configurations extend each other in a circle: b.yaml extends c.yaml "
                    + "extends b.yaml; remove one of them"
            ])
    }

    @Test(arguments: ["push-type: hologram", "overrides: [{paths: a.json, push-type: hologram}]"])
    func `a new push type is refused, unless new ones are allowed`(text: String) {
        let files = Files(contents: ["/project/.apns-validate.yaml": text])
        #expect(files.errors().count == 1)
        var tolerant = files.resolver(options: LintOptions(allowsNewPushTypes: true))
        #expect(tolerant.found(for: "a.json")?.pushType?.rawValue == "hologram")
        #expect(tolerant.takeErrors().isEmpty)
    }

    @Test func `a misspelt push type is refused although new ones are allowed`() {
        let files = Files(contents: ["/project/.apns-validate.yaml": "push-type: Alert"])
        var tolerant = files.resolver(options: LintOptions(allowsNewPushTypes: true))
        #expect(tolerant.found(for: "a.json")?.pushType == nil)
        let errors = tolerant.takeErrors().map(\.description)
        #expect(errors.count == 1 && errors[0].hasSuffix("\"Alert\" is not a push type; did you mean alert?"))
    }

    @Test func `an empty configuration has no errors`() {
        for text in ["", "\n# only a remark\n", "---\n", "~"] {
            #expect(Files(contents: ["/project/.apns-validate.yaml": text]).errors().isEmpty, "\(text)")
        }
    }

    @Test func `an unreadable configuration is reported`() {
        var resolver = SettingsResolver(currentFolder: "/project") { path in
            path == "/project/.apns-validate.yaml" ? .unreadable("Permission denied") : .absent
        }
        _ = resolver.settings(for: "a.json")
        #expect(
            resolver.takeErrors().map(\.description) == [".apns-validate.yaml: it cannot be read: Permission denied"])
        #expect(resolver.takeErrors().isEmpty)
    }
}
