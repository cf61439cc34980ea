import APNSModel
import ArgumentParser
import GatewayConfiguration
import GatewayCore
import RepositoryFiles
import Testing

@testable import apns

/// The options of `apns gateway` and the entries of `GatewaySetting` belong together one by one.
struct GatewaySettingsTests {
    /// Arguments that give each option.
    static let samples: [String: [String]] = [
        "config": ["file"], "check-config": [], "replay": ["file"], "verbose": [], "json": [], "host": ["::1"],
        "port": ["1"], "control-port": ["2"], "channel-port": ["3"], "credentials": ["folder"],
        "credentials-group": ["0"], "name": ["gateway"], "control-token": ["0123456789abcdef"],
        "control-token-file": ["file"], "wait": [], "wait-timeout": ["1s"], "store": ["file"], "record": ["file"],
        "retain": ["4"], "retain-bytes": ["5"], "memory": ["512MiB"], "record-bytes": ["64MiB"], "record-files": ["13"],
        "world-idle": ["1h"], "idle-worlds": ["14"], "log-format": ["json"], "grace": ["30s"], "answers": ["file"],
        "control-origin": ["https://push.example.com"], "webhook": ["http://127.0.0.1:9/"], "webhook-ca": ["file"],
        "remote-webhooks": [],
        "worlds": ["6"], "environment": ["production"], "devices": ["strict"], "key": ["AuthKey_ABC123DEFG.p8"],
        "team-id": ["DEF123GHIJ"], "any-key": [], "clock": ["manual"], "seed": ["7"], "idle-timeout": ["8s"],
        "unregistered-delay": ["9s"], "device-rate": ["10/1s"], "channel-rate": ["11/1s"], "budget": ["silent=12/1h"],
        "contested": ["malformed-json=refuse"], "faults": ["file"],
    ]

    private static func arguments(_ option: String) throws -> [String] {
        ["--\(option)"] + (try #require(samples[option], "there is no sample of --\(option)"))
    }

    private static let options = GatewaySetting.all.compactMap(\.option)

    @Test func `the command has exactly the options of the table`() {
        let help = GatewayCommand.helpMessage(columns: 200)
        let shown = help.split(separator: "\n").compactMap { line in line.firstMatch(of: /^  --([a-z-]+)/) }
            .map { String($0.1) }
        #expect(Set(shown) == Set(GatewaySettingsTests.options).union(["help", "version"]).intersection(Set(shown)))
        #expect(Set(GatewaySettingsTests.options).subtracting(shown).isEmpty)
    }

    @Test(arguments: options) func `an option that is given counts as its setting and no other`(option: String) throws {
        var arguments = try GatewaySettingsTests.arguments(option)
        var wanted: Set = [option]
        // Each needs the other.
        if ["key", "team-id"].contains(option) {
            let other = option == "key" ? "team-id" : "key"
            arguments += try GatewaySettingsTests.arguments(other)
            wanted.insert(other)
        }
        let command = try GatewayCommand.parse(arguments)
        #expect(Set(command.given.compactMap(\.option)) == wanted)
    }

    @Test func `without options nothing counts as given`() throws {
        #expect(try GatewayCommand.parse([]).given.isEmpty)
    }

    @Test(arguments: options.filter { !["replay", "key", "team-id"].contains($0) })
    func `a replay takes the options that decide verdicts, and refuses the others`(option: String) throws {
        let arguments = ["--replay", "file"] + (try GatewaySettingsTests.arguments(option))
        if GatewaySetting.named(option: option)?.isForReplay == true {
            _ = try GatewayCommand.parse(arguments)
        } else {
            let error = #expect(throws: (any Error).self) { try GatewayCommand.parse(arguments) }
            let message = error.map { GatewayCommand.message(for: $0) } ?? ""
            #expect(message.hasSuffix("so it does not take --\(option)"), "\(message)")
        }
    }

    private static func file(_ text: String) -> GatewayFile {
        GatewayFile(Array(text.utf8), name: "g.yaml", folder: "") { _ in [] }
    }

    @Test func `an option replaces its key, but for webhooks and keys, to which it adds`() throws {
        let file = GatewaySettingsTests.file(
            """
            host: 127.0.0.1
            port: 10
            retain: 20
            devices: open
            seed: 30
            budgets: {silent: 1/1h, location: 2/1h}
            webhooks: ["http://127.0.0.1:1/"]
            maximum-worlds: 40
            """)
        #expect(file.errors.isEmpty)
        let command = try GatewayCommand.parse(
            [
                "--port", "11", "--devices", "strict", "--budget", "silent=3/1h", "--webhook", "http://127.0.0.1:2/",
                "--worlds", "41",
            ])
        let configuration = try command.configuration(over: file.configuration)
        #expect(configuration.host == "127.0.0.1" && configuration.port == 11 && configuration.retain == 20)
        #expect(configuration.devices == .strict && configuration.seed == 30 && configuration.worlds == 41)
        #expect(configuration.budgets.silent?.count == 3 && configuration.budgets.location?.count == 2)
        #expect(configuration.webhooks.map(\.port) == [1, 2])
    }

    @Test func `an error about a value names the option that gave it, or its place in the file`() throws {
        try withTemporaryFile("port: 1\ncontrol-port: 1\n") { path in
            let file = try GatewayConfigurationFile(path: path, environment: nil)
            let error = try #require(#expect(throws: GatewayError.self) { try file.configuration.check() })
            #expect(file.commandError(error, given: []).message.hasPrefix("\(path):2:15: control-port: "))
            #expect(file.commandError(error, given: [.controlPort]).message.hasPrefix("--port and --control-port"))
            #expect(file.commandError(error, given: [.host]).message.hasPrefix("\(path):2:15: "))
        }
    }

    @Test(arguments: options) func `the table says what each option takes`(option: String) throws {
        let setting = try #require(GatewaySetting.named(option: option))
        let sample = try GatewaySettingsTests.arguments(option)
        #expect((setting.form == .flag) == (sample.count == 1))
        // A long name has its text in the line below.
        let help = GatewayCommand.helpMessage(columns: 4000).replacing(/\n {4,}/, with: " ").split(separator: "\n")
        let line = try #require(help.last { $0.firstMatch(of: /^  --([a-z-]+)/)?.1 == option[...] })
        let isRepeated = line.contains("may be repeated") || line.contains("once for each")
        #expect((setting.form == .list) == isRepeated, "\(line)")
    }

    @Test func `no option, and no key of one scope, appears twice`() {
        #expect(Set(GatewaySettingsTests.options).count == GatewaySettingsTests.options.count)
        let keys = GatewaySetting.all.filter { $0.option != "team-id" }.compactMap(\.key)
        #expect(Set(keys).count == keys.count)
    }

    @Test func `the defaults in the help are those of the configuration`() {
        let configuration = GatewayConfiguration()
        for (setting, value) in [
            (GatewaySetting.host, configuration.host), (.port, "\(configuration.port)"),
            (.controlPort, "\(configuration.controlPort)"),
            (.environment, configuration.environment.rawValue), (.devices, configuration.devices.rawValue),
            (.retain, "\(configuration.retain)"), (.retainBytes, "\(configuration.retainBytes)"),
            (.worlds, "\(configuration.worlds)"), (.grace, "\(configuration.grace.components.seconds)s"),
        ] {
            #expect(setting.help.hasSuffix("(default: \(value))."), "\(setting.help)")
        }
    }

    @Test(arguments: [GatewaySetting.Scope.gateway, .world])
    func `docs/configuration.md has the table of settings`(scope: GatewaySetting.Scope) throws {
        let page = try Repository.text("docs/configuration.md")
        let table = GatewaySetting.table(scope)
        #expect(page.contains(table), "put this table into docs/configuration.md:\n\(table)")
    }
}
