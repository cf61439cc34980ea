import APNSModel
import APNSPayload
import ConfigurationText
import PayloadLint
import Testing

struct SettingsResolverTests {
    @Test func `without a configuration every rule has its default severity`() throws {
        var resolver = Files(contents: [:]).resolver()
        let found = resolver.found(for: "payloads/a.json")
        let settings = try #require(found)
        #expect(settings.rules.map(\.id) == Rule.all.map(\.id))
        #expect(settings.rules.map(\.severity) == Rule.all.map(\.severity))
        #expect(settings.failOn == .error && settings.topic == nil && settings.pushType == nil)
    }

    @Test func `only the nearest configuration applies`() {
        var resolver = Files(contents: [
            "/.apns-validate.yaml": "topic: com.example.root", "/project/.apns-validate.yaml": "fail-on: note",
            "/project/a/.apns-validate.yaml": "topic: com.example.near",
        ]).resolver()
        #expect(resolver.found(for: "a/b/c.json")?.topic?.value == "com.example.near")
        #expect(resolver.found(for: "a/b/c.json")?.failOn == .error)
        #expect(resolver.found(for: "b/c.json")?.failOn == .note)
        #expect(resolver.found(for: "../elsewhere/c.json")?.topic?.value == "com.example.root")
        #expect(resolver.found(for: "/project/a/x.json")?.topic?.value == "com.example.near")
    }

    @Test func `later overrides take precedence over earlier ones and the rest`() throws {
        var resolver = Files(contents: [
            "/project/.apns-validate.yaml": """
            push-type: alert
            rules:
              background-alert: note
              hint-record: off
            overrides:
              - paths: silent/**
                push-type: background
                topic: com.example.silent
                rules: {background-alert: warning, hint-record: on}
              - paths: ["silent/loud.json"]
                push-type: alert
                rules: {background-alert: off}
            """
        ]).resolver()
        let foundOther = resolver.found(for: "other.json")
        let other = try #require(foundOther)
        #expect(other.pushType == .alert && other.topic == nil)
        #expect(other.rules.first { $0.id == "background-alert" }?.severity == .note)
        #expect(!other.rules.contains { $0.id == "hint-record" })
        let foundSilent = resolver.found(for: "silent/a.json")
        let silent = try #require(foundSilent)
        #expect(silent.pushType == .background && silent.topic?.value == "com.example.silent")
        #expect(silent.rules.first { $0.id == "background-alert" }?.severity == .warning)
        #expect(silent.rules.first { $0.id == "hint-record" }?.severity == Rule.named("hint-record")?.severity)
        let foundLoud = resolver.found(for: "silent/loud.json")
        let loud = try #require(foundLoud)
        #expect(loud.pushType == .alert && loud.topic?.value == "com.example.silent")
        #expect(!loud.rules.contains { $0.id == "background-alert" })
    }

    @Test func `files with the same settings share one set of rules`() {
        var resolver = Files(contents: ["/project/.apns-validate.yaml": "overrides: [{paths: x/**, push-type: voip}]"])
            .resolver()
        let answers = ["a.json", "b/c.json", "x/a.json", "x/b.json"].map { resolver.settings(for: $0) }
        #expect(answers == [.settings(0), .settings(0), .settings(1), .settings(1)])
        #expect(resolver.all.count == 2)
    }

    @Test func `the command line takes precedence over every configuration`() throws {
        var resolver = Files(contents: [
            "/project/.apns-validate.yaml":
                "{push-type: alert, topic: com.example.a, fail-on: note, exclude: ['gone/**']}"
        ]).resolver(options: LintOptions(pushType: .voip, topic: Topic("com.example.b"), failOn: .warning))
        let found = resolver.found(for: "a.json")
        let settings = try #require(found)
        #expect(settings.pushType == .voip && settings.topic?.value == "com.example.b" && settings.failOn == .warning)
        #expect(resolver.settings(for: "gone/a.json") == .excluded(by: ".apns-validate.yaml"))
    }

    @Test func `an extending configuration adds to the other, and patterns are relative to its folder`() throws {
        var resolver = Files(contents: [
            "/shared/base.yaml": """
            extends: deeper/most.yaml
            topic: com.example.base
            rules: {background-alert: off, hint-record: off}
            overrides: [{paths: silent/**, push-type: background}]
            """, "/shared/deeper/most.yaml": "fail-on: note\nexclude: [generated]",
            "/project/.apns-validate.yaml":
                "extends: [../shared/base.yaml]\nrules: {hint-record: error}\nexclude: [old]",
        ]).resolver()
        let found = resolver.found(for: "silent/a.json")
        let settings = try #require(found)
        #expect(settings.pushType == .background && settings.topic?.value == "com.example.base")
        #expect(settings.failOn == .note)
        #expect(settings.rules.contains { $0.id == "hint-record" } && !settings.rules.contains(.backgroundAlert))
        for path in ["generated/a.json", "x/generated/a.json", "old/a.json"] {
            #expect(resolver.settings(for: path) == .excluded(by: ".apns-validate.yaml"), "\(path)")
        }
        #expect(
            resolver.configurations.map(\.files) == [
                ["/shared/deeper/most.yaml", "/shared/base.yaml", "/project/.apns-validate.yaml"]
            ])
    }

    @Test func `a named configuration is the only one`() {
        let files = Files(contents: [
            "/project/.apns-validate.yaml": "fail-on: note",
            "/project/ci/strict.yaml": "fail-on: warning\noverrides: [{paths: a/*.json, push-type: voip}]",
        ])
        var resolver = files.resolver(file: "ci/strict.yaml")
        #expect(resolver.takeErrors().isEmpty)
        #expect(resolver.found(for: "a/b.json")?.failOn == .warning)
        #expect(resolver.found(for: "a/b.json")?.pushType == .voip)
        var missing = files.resolver(file: "none.yaml")
        #expect(
            missing.takeErrors().map(\.description) == ["none.yaml: there is no such configuration; check the path"])
    }

    @Test func `an error in a configuration that two others extend is reported once`() {
        var resolver = Files(contents: [
            "/project/base.yaml": "rulez: {}", "/project/a/.apns-validate.yaml": "extends: ../base.yaml",
            "/project/b/.apns-validate.yaml": "extends: ../base.yaml",
        ]).resolver()
        _ = resolver.settings(for: "a/x.json")
        _ = resolver.settings(for: "b/x.json")
        #expect(
            resolver.takeErrors().map(\.description) == [
                "base.yaml:1:1: rulez: there is no such key; did you mean rules?"
            ])
    }
}
