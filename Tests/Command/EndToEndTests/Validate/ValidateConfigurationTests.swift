import Foundation
import RepositoryFiles
import Testing

/// `.apns-validate.yaml` under the real command.
struct ValidateConfigurationTests {
    private static let warning = #"{"aps":{"content-available":true}}"#
    private static let bad = #"{"aps":"Hi"}"#
    private static let alert = #"{"aps":{"alert":"Hi"}}"#

    @Test func `rules, severities and overrides of the nearest configuration count`() async throws {
        try await withCommand { command in
            try command.write(
                """
                rules: {content-available-form: error, aps-object: off}
                overrides:
                  - paths: silent/**
                    push-type: background
                """, to: "payloads/.apns-validate.yaml")
            try command.write(ValidateConfigurationTests.warning, to: "payloads/a.json")
            try command.write(ValidateConfigurationTests.bad, to: "payloads/b.json")
            try command.write(ValidateConfigurationTests.alert, to: "payloads/silent/c.json")
            try command.write(ValidateConfigurationTests.alert, to: "payloads/loud/c.json")
            let result = try await command.run(["validate"])
            #expect(result.status == 1, "\(result.text)")
            #expect(result.output.contains("payloads/a.json:1:29: error: "))
            #expect(!result.output.contains("payloads/b.json"))
            #expect(result.output.contains("payloads/silent/c.json:1:9: error: "))
            #expect(!result.output.contains("payloads/loud"))
            // The command line wins over push type and topic of a configuration.
            let alert = try await command.run(["validate", "--push-type", "alert", "payloads/silent"])
            #expect(alert.status == 0, "\(alert.text)")
        }
    }

    @Test
    func `a wrong configuration makes the status 2 and is reported with its place, and everything is still checked`()
        async throws
    {
        try await withCommand { command in
            try command.write("rules:\n  aps-objekt: off\nexclude: ['[']\n", to: "a/.apns-validate.yaml")
            try command.write(ValidateConfigurationTests.bad, to: "a/x.json")
            try command.write(ValidateConfigurationTests.bad, to: "b/x.json")
            let result = try await command.run(["validate", "a", "b"])
            #expect(result.status == 2)
            #expect(
                result.errors.contains(
                    #"a/.apns-validate.yaml:2:15: rules.aps-objekt: there is no rule "aps-objekt"; did you mean aps-object?"#
                ),
                "\(result.errors)")
            let message = "exclude[0]: \"[\" is not a valid pattern for paths"
            #expect(result.errors.contains("a/.apns-validate.yaml:3:11: \(message)"))
            #expect(result.output.contains("a/x.json:1:8: error") && result.output.contains("b/x.json:1:8: error"))
        }
    }

    @Test func `a configuration by name is the only one, and has to exist`() async throws {
        try await withCommand { command in
            try command.write("rules: {aps-object: off}", to: ".apns-validate.yaml")
            try command.write("fail-on: warning", to: "ci/strict.yaml")
            try command.write(ValidateConfigurationTests.bad, to: "a.json")
            try command.write(ValidateConfigurationTests.warning, to: "b.json")
            #expect(try await command.run(["validate", "a.json"]).status == 0)
            let strict = try await command.run(["validate", "--config", "ci/strict.yaml", "a.json"])
            #expect(strict.status == 1)
            #expect(try await command.run(["validate", "--config", "ci/strict.yaml", "b.json"]).status == 1)
            let lax = ["validate", "--config", "ci/strict.yaml", "--fail-on", "error", "b.json"]
            #expect(try await command.run(lax).status == 0)
            let none = try await command.run(["validate", "--config", "none.yaml", "a.json"])
            #expect(none.status == 2)
            #expect(none.errors.contains("none.yaml: there is no such configuration; check the path"))
        }
    }

    @Test func `what is left out is not checked, and said where it was named`() async throws {
        try await withCommand { command in
            try command.write("exclude: [generated, '*.draft.json']", to: ".apns-validate.yaml")
            try command.write(ValidateConfigurationTests.bad, to: "p/generated/a.json")
            try command.write(ValidateConfigurationTests.bad, to: "p/a.draft.json")
            try command.write(ValidateConfigurationTests.alert, to: "p/a.json")
            let folder = try await command.run(["validate", "p"])
            #expect(folder.status == 0, "\(folder.text)")
            #expect(folder.output.contains("1 notification in 1 file checked"))
            let named = try await command.run(["validate", "p/a.draft.json"])
            #expect(named.status == 0)
            #expect(named.errors.contains("p/a.draft.json is excluded by .apns-validate.yaml"))
        }
    }

    @Test func `an envelope and a sidecar set what to ignore, and are reported when that is not needed`() async throws {
        try await withCommand { command in
            try command.write(
                #"{"apns-validate":{"ignore":["aps-object","hint-record"]},"payload":{"aps":"Hi"}}"#, to: "a.json")
            try command.write(ValidateConfigurationTests.bad, to: "b.json")
            try command.write(
                "ignore:\n- rule: aps-object\n  reason: a test\n- nothing\n", to: "b.json.apns-validate.yaml")
            let result = try await command.run(["validate", "a.json", "b.json"])
            #expect(result.status == 0, "\(result.text)")
            #expect(result.output.contains("a.json:1:42: warning: hint-record finds nothing here"), "\(result.output)")
            #expect(result.output.contains("b.json.apns-validate.yaml:4:3: warning: there is no rule \"nothing\""))
            #expect(result.output.contains("2 suppressed"))
            #expect(try await command.run(["validate", "--fail-on", "warning", "a.json"]).status == 1)
            try command.write("ignored: []", to: "b.json.apns-validate.yaml")
            let wrong = try await command.run(["validate", "b.json"])
            #expect(wrong.status == 2)
            #expect(
                wrong.errors.contains(
                    "b.json.apns-validate.yaml:1:1: ignored: there is no such key; did you mean ignore?"))
            #expect(wrong.output.contains("b.json:1:8: error"))
        }
    }

    @Test func `rules about what to ignore are explained like all others`() async throws {
        try await withCommand { command in
            let rule = try await command.run(["rules", "suppression-unused"])
            #expect(rule.status == 0 && rule.output.contains("Fails:"))
            #expect(try await command.run(["rules", "suppression-unsued"]).errors.contains("suppression-unused?"))
        }
    }

    @Test func `a violated contract of the configuration is reported`() async throws {
        try await withCommand { command in
            try command.write(
                "contracts: [{name: ORDER, match: {key: type, value: ORDER}, keys: {orderId: {type: string, format: uuid}}}]",
                to: ".apns-validate.yaml")
            let order = { (id: String) in #"{"aps":{"alert":"Hi"},"type":"ORDER","orderId":"\#(id)"}"# }
            try command.write(order("8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162"), to: "good.json")
            try command.write(order("17"), to: "bad.json")
            let result = try await command.run(["validate", "good.json", "bad.json"])
            #expect(result.status == 1)
            #expect(result.output.contains("[contract-format]"), "\(result.text)")
            #expect(!result.output.contains("good.json:"))
        }
    }

    /// Samples with a fault that the command reports by a rule about files, and the validator by that of their folder.
    private static let samplesOfFileRules = ["payload-json/byte-order-mark.json": "byte-order-mark"]

    /// Twenty-two of them need the push types and the contract of the repository's configuration.
    @Test func `each sample of a rule is found with the configuration of this repository`() async throws {
        try await withCommand { command in
            let folder = Repository.url("payloads/fail").path
            let result = try await command.run(["validate", "--now", "1767225600", "--format", "json", folder])
            #expect(result.status == 1, "\(result.errors)")
            var found: Set<String> = []
            for line in result.lines {
                let finding = try JSONText.object(line)
                guard let path = finding["file"] as? String, let rule = finding["rule"] as? String else { continue }
                let file = String(path.suffix(path.utf8.count - folder.utf8.count - 1))
                let expected = ValidateConfigurationTests.samplesOfFileRules[file] ?? String(file.prefix { $0 != "/" })
                if rule == expected { found.insert(file) }
            }
            let all = try #require(FileManager.default.subpaths(atPath: folder)).filter { $0.contains(".") }
            #expect(all.count > 180)
            #expect(Set(all).subtracting(found).isEmpty)
        }
    }
}
