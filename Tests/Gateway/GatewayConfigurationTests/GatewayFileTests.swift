import APNSModel
import ConfigurationText
import Foundation
import GatewayConfiguration
import GatewayCore
import ProviderToken
import RepositoryFiles
import Testing

struct GatewayFileTests {
    static let key = Result { () throws(KeyError) in try SigningKey.generate() }

    struct NoFile: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads a string as the file `g.yaml` in the folder `conf`, which also has a key, its public key and fault rules.
    static func read(_ text: String, environment: APNSEnvironment? = nil) throws -> GatewayFile {
        let key = try key.get()
        let files = [
            "conf/AuthKey_ABC123DEFG.p8": try key.p8, "conf/public.pem": Array(key.publicKey.pem.utf8),
            "conf/hooks-ca.pem": Array("PEM".utf8), "conf/answers.ndjson": [],
            "conf/control-token": Array("a-secret-of-16-or-more\n".utf8),
            "conf/faults.json": Array(#"[{"effect":{"lose":true}}]"#.utf8),
            "conf/until.json": Array(#"[{"effect":{"lose":true},"until":"2020-01-02T00:00:00Z"}]"#.utf8),
            "conf/bad.json": Array("[\n{\"effect\":{\"lose\":1}}]".utf8),
        ]
        return GatewayFile(Array(text.utf8), name: "g.yaml", folder: "conf/", environment: environment) { path in
            guard let bytes = files[path] else { throw NoFile(description: "\(path) cannot be read: there is none") }
            return bytes
        }
    }

    /// The first YAML of the page.
    private static func example() throws -> String {
        let page = try Repository.text("docs/configuration.md")
        return page.components(separatedBy: "```yaml\n")[1].components(separatedBy: "```")[0]
    }

    @Test func `the example of the page says all that there is to say`() throws {
        let file = try Self.read(try Self.example())
        #expect(file.errors.map(\.description) == [])
        let read = file.configuration
        #expect(read.host == "127.0.0.1" && read.port == 8443 && read.controlPort == 8444 && read.channelPort == 8445)
        guard case .folder("conf/certs/dev") = read.credentials else {
            Issue.record("\(read.credentials)")
            return
        }
        #expect(read.controlToken == "a-secret-of-16-or-more")
        #expect(read.environment == .sandbox && read.devices == .strict && !read.acceptsAnyKey)
        #expect(read.clock == .manual(at: 1_795_244_400_000))
        #expect(read.overridesStoredClock)
        #expect(read.seed == 7 && read.retain == 5000 && read.retainBytes == 50_000_000)
        #expect(read.store == "conf/gateway.sqlite" && read.record == "conf/record.ndjson")
        #expect(read.controlOrigin == WebOrigin("https://push.example.com") && read.credentialsReaders != nil)
        #expect(read.grace == .seconds(10))
        #expect(read.memory == 512 << 20 && read.recordBytes == 64 << 20 && read.recordFiles == 4)
        #expect(read.worldIdle == 3_600_000 && read.idleWorlds == 20 && read.logFormat == .json)
        #expect(file.isVerbose == true && file.printsJSON == false)
        #expect(read.settings.availability == .serving && read.idleTimeout == 600_000)
        #expect(read.unregisteredDelay == 1_800_000)
        #expect(read.settings.deviceRate == WorldSettings.DeviceRate(count: 10, period: 60_000))
        #expect(read.settings.channelRate == nil && read.settings.maximumConcurrentStreams == 500)
        #expect(read.settings.contested.refusesMalformedJSON && read.settings.contested.revokedKey == .forbidden)
        #expect(read.settings.maximumDevices == 50_000 && read.settings.maximumChannelsOfApp == 100)
        #expect(read.apps.map(\.topic) == ["com.example.mail", "com.example.chat"])
        #expect(read.apps.map(\.capabilities) == [RegisteredApp.everyCapability, ["push"]])
        #expect(read.keys.map(\.keyID.value) == ["ABC123DEFG", "TOPICKEY01"])
        #expect(read.keys.map(\.kind) == [.team, .topics(["com.example.mail"])])
        #expect(read.keys.map(\.environments) == [[.sandbox, .production], [.sandbox]])
        #expect(read.registeredDevices.map(\.token) == ["ab12", "cd34"])
        #expect(read.registeredDevices.map(\.kind) == [nil, .voip])
        #expect(read.faults.count == 2)
        #expect(read.faults.first?.effect == .refuse(.tooManyRequests) && read.faults.first?.count == 1)
        #expect(read.faults.last?.probability == 0.1)
        #expect(read.budgets.silent == DeliveryBudget(count: 2, period: 3_600_000) && read.budgets.complication == nil)
        #expect(read.webhooks.map(\.description) == ["http://127.0.0.1:9000/events"] && !read.allowsRemoteWebhooks)
        #expect(read.webhookCA == Array("PEM".utf8))
        #expect(read.worlds == 50)
        let world = try #require(read.namedWorlds.first)
        #expect(world.name.text == "alpha" && world.configuration.environment == .production)
        #expect(world.configuration.apps.map(\.topic) == ["com.example.alpha"])
        // What it does not say is what the file says for all.
        #expect(world.configuration.seed == 7 && world.configuration.settings.contested.refusesMalformedJSON)
        #expect(world.configuration.namedWorlds.isEmpty)
    }

    @Test func `the example has every key of the page's table`() throws {
        let example = try Self.example()
        let file = try Self.read("nothing: 1")
        let known = file.errors[0].message.components(separatedBy: "expected ")[1].components(separatedBy: ", ")
        #expect(known.count == 47)
        // Of the two ways to give the token the example shows the file.
        for key in known where key != "control-token" {
            #expect(example.contains("\n\(key):") || example.contains("    \(key):"), "\(key)")
        }
    }

    @Test(arguments: ["", "# nothing\n", "---\n", "~"])
    func `an empty file leaves everything as it is`(text: String) throws {
        let file = try Self.read(text, environment: .production)
        #expect(file.errors.isEmpty)
        #expect(file.configuration.port == 8443 && file.configuration.environment == .production)
    }

    static let bad: [(String, String)] = [
        ("prt: 1", "g.yaml:1:1: prt: there is no such key; did you mean port?"),
        ("port: high", "g.yaml:1:7: port: \"high\" is given where a whole number from 0 to 65535 is expected"),
        ("port: 70000", "g.yaml:1:7: port: \"70000\" is given where a whole number from 0 to 65535 is expected"),
        ("\nhost: [a]", "g.yaml:2:7: host: a list is given where a string is expected"),
        ("control-token: short", "g.yaml:1:16: control-token: it is shorter than 16 characters; one that cannot"),
        (
            "environment: sandbx",
            "g.yaml:1:14: environment: \"sandbx\" is none of sandbox, production; did you mean sandbox?"
        ),
        ("devices: closed", "g.yaml:1:10: devices: \"closed\" is none of open, strict"),
        ("any-key: perhaps", "g.yaml:1:10: any-key: \"perhaps\" is given where true or false is expected"),
        ("budgets: {silent: 3}", "g.yaml:1:19: budgets.silent: \"3\" is given where a number from 1"),
        ("webhooks: [ftp://x]", "g.yaml:1:12: webhooks[0]: \"ftp://x\" is not a webhook URL"),
        ("grace: 11m", "g.yaml:1:8: grace: \"11m\" is given where a duration such as 5s or 1m, at most 10m, is"),
        ("grace: -1s", "g.yaml:1:8: grace: \"-1s\" is given where a duration such as 5s or 1m"),
        ("world-idle: 0s", "g.yaml:1:13: world-idle: \"0s\" is given where a duration such as 10m or 2h, or off, is"),
        ("maximum-worlds: 0", "g.yaml:1:17: maximum-worlds: \"0\" is given where a whole number from 1"),
        ("retain: 0", "g.yaml:1:9: retain: \"0\" is given where a whole number from 1"),
        ("seed: -1", "g.yaml:1:7: seed: \"-1\" is given where a whole number from 0 is expected"),
        ("clock: slow", "g.yaml:1:8: clock: \"slow\" is none of real, manual"),
        ("clock: {now: noon}", "g.yaml:1:14: clock.now: \"noon\" is given where a time such as"),
        ("idle-timeout: 0s", "g.yaml:1:15: idle-timeout: \"0s\" is given where a duration such as 250ms"),
        ("unregistered-delay: 10", "g.yaml:1:21: unregistered-delay: \"10\" is given where a duration such as 250ms"),
        (
            "device-rate: 10",
            "g.yaml:1:14: device-rate: \"10\" is given where a count and a duration such as 10/1m, or off"
        ),
        (
            "max-concurrent-streams: 0",
            "g.yaml:1:25: max-concurrent-streams: \"0\" is given where a whole number from 1"
        ),
        ("availability: gone", "g.yaml:1:15: availability: \"gone\" is none of serving, failing, overloaded, stopping"),
        (
            "contested:\n  malformed-jsn: refuse",
            "g.yaml:2:3: contested.malformed-jsn: there is no such key; did you mean malformed-json?"
        ),
        ("contested:\n  malformed-json: no", "g.yaml:2:19: contested.malformed-json: \"no\" is none of accept, refuse"),
        ("limits: {devices: 0}", "g.yaml:1:19: limits.devices: \"0\" is given where a whole number from 1"),
        ("apps: com.example.mail", "g.yaml:1:7: apps: \"com.example.mail\" is given where a list is expected"),
        ("apps: [{topic: com.example.mail}]", "g.yaml:1:8: apps[0]: the key team-id is missing"),
        ("apps: [{topic: a b, team-id: ABCDE12345}]", "g.yaml:1:8: apps[0]: the topic \"a b\" is not well formed"),
        ("apps: [{topic: com.example.mail, team-id: abc}]", "g.yaml:1:43: apps[0].team-id: \"abc\" is not a team id"),
        (
            "keys: [{team-id: ABCDE12345, key-id: ABC123DEFG}]",
            "g.yaml:1:8: keys[0]: one of file and public-key is expected"
        ),
        (
            "keys: [{file: none.p8, key-id: ABC123DEFG, team-id: ABCDE12345}]",
            "g.yaml:1:15: keys[0].file: conf/none.p8 cannot be read"
        ),
        (
            "keys: [{file: public.pem, team-id: ABCDE12345}]",
            "g.yaml:1:15: keys[0].file: the key id is read from a name of the form AuthKey_XXXXXXXXXX.p8"
        ),
        (
            "keys: [{public-key: no key, key-id: ABC123DEFG, team-id: ABCDE12345}]",
            "g.yaml:1:21: keys[0].public-key: it cannot be used"
        ),
        (
            "keys: [{file: AuthKey_ABC123DEFG.p8, team-id: ABCDE12345, kind: topic}]",
            "g.yaml:1:8: keys[0]: a topic-specific key names 1 to 400 topics"
        ),
        (
            "keys: [{file: AuthKey_ABC123DEFG.p8, team-id: ABCDE12345, topics: [a], environments: [sandbox, production]}]",
            "g.yaml:1:8: keys[0]: a topic-specific key is for one environment"
        ),
        (
            "apps: [{topic: com.example.mail, team-id: ABCDE12345, capabilities: [fly]}]",
            "g.yaml:1:8: apps[0]: there is no capability \"fly\""
        ),
        (
            "keys: [{file: AuthKey_ABC123DEFG.p8, team-id: ABCDE12345, kind: team, topics: [a]}]",
            "g.yaml:1:8: keys[0]: a key with topics is of the kind topic"
        ),
        ("registered-devices: [{token: ab12}]", "g.yaml:1:22: registered-devices[0]: the key topic is missing"),
        (
            "registered-devices: [{topic: com.example.mail, token: xyz}]",
            "g.yaml:1:22: registered-devices[0]: the device token has to be"
        ),
        (
            "registered-devices: [{topic: com.example.mail, kind: phone}]",
            "g.yaml:1:54: registered-devices[0].kind: \"phone\" is none of app"
        ),
        ("faults:\n  - effect:\n      lose: perhaps", "g.yaml:3:13: faults[0]: \"lose\" must be true"),
        (
            "faults:\n  - effect: {lose: true}\n    counts: 2",
            "g.yaml:3:5: faults[0]: the key \"counts\" is not known here"
        ),
        ("faults: [{effect: {delay: 40 ms}}]", "g.yaml:1:27: faults[0]: \"delay\" must be"),
        ("faults: bad.json", "g.yaml:1:9: faults: bad.json: line 2, column 19: \"lose\" must be true"),
        ("faults: none.json", "g.yaml:1:9: faults: conf/none.json cannot be read"),
        ("worlds: [{name: al_pha}]", "g.yaml:1:17: worlds[0].name: \"al_pha\" is not a world name"),
        ("worlds: [{name: Default}]", "g.yaml:1:17: worlds[0].name: the default world has its settings at the top"),
        ("worlds: [{name: default}]", "g.yaml:1:17: worlds[0].name: the default world has its settings at the top"),
        (
            "worlds: [{name: a, apns-world: 2}]",
            "g.yaml:1:32: worlds[0].apns-world: \"2\" is given where 1 is expected; the world was exported by another"
        ),
        (
            "worlds: [{name: a, state: {devices: []}}]",
            "g.yaml:1:27: worlds[0].state: a configuration file cannot have what happened in a world; export it without"
        ),
        ("worlds: [{seed: 1}]", "g.yaml:1:10: worlds[0]: the key name is missing"),
        ("worlds: [{name: a}, {name: A}]", "g.yaml:1:28: worlds[1].name: a world named a is already in the list"),
        ("worlds: [{name: a}, {name: a}]", "g.yaml:1:28: worlds[1].name: a world named a is already in the list"),
        ("worlds: [{name: a, port: 1}]", "g.yaml:1:20: worlds[0].port: there is no such key"),
        ("port: [", "g.yaml:2:1: it is not YAML"), ("port: 1\nport: 2", "a key occurs twice here: port"),
        ("- port", "g.yaml:1:1: a list is given where a mapping of keys to values is expected"),
    ]

    @Test(arguments: bad)
    func `what cannot be used is reported with its place`(text: String, message: String) throws {
        let file = try Self.read(text)
        #expect(file.errors.count == 1, "\(file.errors)")
        #expect(file.errors.first?.description.contains(message) == true, "\(file.errors)")
    }

    @Test func `the page shows the messages that there are`() throws {
        var lines = Array(repeating: "# a comment", count: 20)
        lines[4] = "environment: sandbx"
        lines.replaceSubrange(
            16..., with: ["faults:", "  - effect: {lose: true}", "  - effect: {lose: true}", "    counts: 2"])
        let file = GatewayFile(Array(lines.joined(separator: "\n").utf8), name: "gateway.yaml", folder: "") { _ in [] }
        let shown = file.errors.map(\.description).joined(separator: "\n")
        #expect(try Repository.text("docs/configuration.md").contains("```\n\(shown)\n```"), "\(shown)")
    }

    @Test func `all that cannot be used is reported at once, in the order of the file, and the rest is read`() throws {
        let file = try Self.read("port: x\nretain: 7\nworlds: [{name: a_b}]\ndevices: y\n")
        #expect(file.errors.map(\.line) == [1, 3, 4])
        #expect(file.configuration.retain == 7)
    }

    @Test func `a world has its name in lower case, however the file writes it`() throws {
        let file = try Self.read("worlds: [{name: Orders-A}]")
        #expect(file.errors.isEmpty, "\(file.errors)")
        #expect(file.configuration.namedWorlds.map(\.name.text) == ["orders-a"])
    }

    @Test(arguments: ["hunter2", "correct horse battery"])
    func `a secret is not in the message that refuses it`(token: String) throws {
        let file = try Self.read("control-token: \(token)")
        #expect(file.errors.count == 1 && file.errors.first?.description.contains(token) == false)
    }

    @Test func `the control token is in the file, or in a file that it names`() throws {
        let own = try Self.read("control-token: another-secret-of-16")
        #expect(own.hasControlToken && own.controlTokenFile == nil && own.errors.isEmpty)
        let named = try Self.read("control-token-file: control-token")
        #expect(!named.hasControlToken && named.controlTokenFile == "conf/control-token" && named.errors.isEmpty)
        for lines in [
            "control-token-file: control-token\ncontrol-token: another-secret-of-16",
            "control-token: another-secret-of-16\ncontrol-token-file: control-token",
        ] {
            let both = try Self.read(lines)
            #expect(both.errors.map(\.key) == ["control-token-file"])
            #expect(both.errors.first?.message == "control-token sets the token too; one of them is expected")
        }
    }

    @Test func `devices are of the gateway's environment, which the command may say`() throws {
        let text = "registered-devices: [{topic: com.example.mail, token: ab12}]\nenvironment: sandbox"
        #expect(try Self.read(text).configuration.registeredDevices.map(\.environment) == [.sandbox])
        let other = try Self.read(text, environment: .production).configuration
        #expect(other.environment == .production && other.registeredDevices.map(\.environment) == [.production])
    }

    @Test func `a world has the environment that it says, whatever the command says`() throws {
        let text = "worlds: [{name: a, environment: sandbox}, {name: b}]"
        let read = try Self.read(text, environment: .production).configuration
        #expect(read.namedWorlds.map(\.configuration.environment) == [.sandbox, .production])
    }

    @Test func `fault rules come from a file as well`() throws {
        #expect(try Self.read("faults: faults.json").configuration.faults.map(\.effect) == [.lose])
    }

    @Test(arguments: ["2020-01-01T00:00:00Z", "2040-01-01T00:00:00Z"])
    func `a rule of a file and one in the list are judged by the clock of the world`(now: String) throws {
        let clock = "clock: {mode: manual, now: \(now)}\n"
        let file = try Self.read(clock + "faults: until.json")
        let list = try Self.read(clock + "faults: [{effect: {lose: true}, until: 2020-01-02T00:00:00Z}]")
        #expect(file.errors.map(\.description) == [] && list.errors.map(\.description) == [])
        #expect(file.configuration.faults == list.configuration.faults)
        // The machine's clock makes no difference.
        let over = file.configuration.worldStart(nil).faultsOver(real: 0)
        #expect(over.count == (now.hasPrefix("2040") ? 1 : 0))
    }

    @Test func `anchors that make a tree of a few lines huge are refused`() throws {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<9 {
            let before = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(before)]\n"
        }
        let file = try Self.read(text + "faults: [*a8]")
        #expect(file.errors.last?.description.contains("nests too deep, for a fault rule") == true)
    }
}
