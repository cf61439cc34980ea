import ArgumentParser
import PushQueue
import Testing
import WorkerCore

@testable import apns

/// The files of `--config` and `--tenants`.
@Suite struct WorkerFilesTests {
    private func config(_ text: String) throws -> WorkerConfigFile {
        try WorkerConfigFile(Array(text.utf8), name: "etc/worker.yaml")
    }

    private func tenants(_ text: String) throws -> WorkerTenantFile {
        try WorkerTenantFile(Array(text.utf8), name: "etc/tenants.yaml")
    }

    @Test func `the file has the options as keys, and paths beside it`() throws {
        let file = try config(
            "queue: redis://127.0.0.1/0\nlease: 30s\nrate: 50\ntenants: tenants.yaml\nlane: high=2,bulk\nunknown: dead\n"
        )
        #expect(file.queue == "redis://127.0.0.1/0")
        #expect(file.tuning.lease == .seconds(30))
        #expect(file.tuning.rate == 50)
        #expect(file.tuning.tenants == "etc/tenants.yaml")
        #expect(file.tuning.lane?.names.map(\.text) == ["high", "bulk"])
        #expect(file.tuning.unknown == .dead)
    }

    @Test func `an option wins over the file`() throws {
        let file = try config("lease: 30s\nattempts: 5\n")
        let merged = try WorkerTuning.parse(["--lease", "60s"]).over(file.tuning)
        #expect(merged.lease == .seconds(60))
        #expect(merged.attempts == 5)
        let settings = merged.settings(isOnce: true, seed: 1)
        #expect(settings.lease == .seconds(60) && settings.attempts == 5 && settings.isOnce)
        #expect(settings.collapses && settings.unknown == .resend)
    }

    @Test(arguments: [
        ("rate: -1\n", ["etc/worker.yaml:1", "-1"]),
        ("lese: 30s\n", ["etc/worker.yaml:1", "lease"]), ("lease: soon\n", ["etc/worker.yaml:1", "lease"]),
        ("lease: 1s\nrate: -1\n", ["etc/worker.yaml:1", "etc/worker.yaml:2"]), ("[1]\n", ["etc/worker.yaml"]),
    ]) func `a mistake is named with file, line and key`(_ text: String, _ parts: [String]) {
        let error = #expect(throws: CommandError.self) { try config(text) }
        for part in parts { #expect(error?.message.contains(part) == true, "\(error?.message ?? "")") }
    }

    @Test(arguments: ["", "# lease: 30s\n", "---\n", "null\n"]) func `a file without content gives no option`(
        _ text: String
    ) throws {
        let file = try config(text)
        #expect(file.queue == nil && file.tuning.tenants == nil)
        #expect(try WorkerTuning.parse(["--lease", "60s"]).over(file.tuning).lease == .seconds(60))
    }

    @Test func `a tenant has its own credentials, beside the file`() throws {
        let file = try tenants(
            """
            {"tenants":[{"name":"acme","key":"AuthKey_ABC123DEFG.p8","team-id":"DEF123GHIJ","topic":"com.example.acme",
            "environment":"production","rate":500},{"name":"beta","certificate":"/keys/beta.p12"}]}
            """)
        #expect(file.tenants.map(\.name) == ["acme", "beta"])
        #expect(file.tenants[0].given.key == "etc/AuthKey_ABC123DEFG.p8")
        #expect(file.tenants[0].rate == 500)
        #expect(file.tenants[0].given.environment == "production")
        #expect(file.tenants[1].given.certificate == "/keys/beta.p12")
    }

    @Test(arguments: [
        "tenants:\n  - name: a\n", "tenants:\n  - key: x.p8\n", "tenants:\n  - {name: a, key: x.p8, team-id: short}\n",
        "tenants:\n  - {name: a, key: x.p8}\n  - {name: a, key: y.p8}\n", "tenants: acme\n", "", "other: 1\n",
        "tenants:\n  - {name: a, key: x.p8, rate: 0}\n", "tenants:\n  - {name: a, key: x.p8, certificate: y.pem}\n",
    ]) func `a wrong file of tenants is refused with its place`(_ text: String) {
        let error = #expect(throws: CommandError.self) { try tenants(text) }
        #expect(error?.message.contains("etc/tenants.yaml") == true)
    }

    @Test(arguments: [
        ("key: AuthKey_ABC123DEFG.p8", "add team-id"), ("key: x.p8, team-id: DEF123GHIJ", "add key-id"),
        ("gateway: local, key: x.p8, key-id: ABC123DEFG", "add team-id"),
    ]) func `id and team of a key are in the file`(_ members: String, _ step: String) {
        let error = #expect(throws: CommandError.self) { try tenants("tenants:\n  - {name: a, \(members)}\n") }
        #expect(error?.message.contains("etc/tenants.yaml:2") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(step) == true, "\(error?.message ?? "")")
    }

    @Test func `a key in the file is refused and not shown`() {
        let error = #expect(throws: CommandError.self) {
            try tenants("tenants:\n  - name: a\n    key: |\n      -----BEGIN PRIVATE KEY-----\n      secret\n")
        }
        #expect(error?.message.contains("secret") == false)
    }
}
