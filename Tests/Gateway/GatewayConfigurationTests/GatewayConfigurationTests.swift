import APNSModel
import DevelopmentCredentials
import GatewayConfiguration
import GatewayCore
import ProviderToken
import Testing

struct GatewayConfigurationTests {
    /// A change that keeps a gateway from starting, and what the error says.
    struct Mistake: CustomTestStringConvertible, Sendable {
        let setting: GatewaySetting?
        let words: String
        let change: @Sendable (inout GatewayConfiguration) -> Void

        init(
            _ setting: GatewaySetting?, _ words: String,
            _ change: @escaping @Sendable (inout GatewayConfiguration) -> Void
        ) {
            (self.setting, self.words, self.change) = (setting, words, change)
        }

        var testDescription: String { words }
    }

    static let mistakes: [Mistake] = [
        Mistake(.host, "--host 0.0.0.0 opens the control API to other machines") { $0.host = "0.0.0.0" },
        Mistake(.host, "set APNS_GATEWAY_CONTROL_TOKEN, --control-token-file or --control-token") { $0.host = "::" },
        Mistake(.name, "--name cannot be used: \"a b\" is neither a host name") { $0.names = ["gateway", "a b"] },
        Mistake(nil, "there are 101 --name; at most 100 are allowed") {
            $0.names = Array(repeating: "a", count: 101)
        },
        Mistake(.controlToken, "shorter than 16 characters") { $0.controlToken = "hunter2" },
        Mistake(.controlToken, "not visible ASCII") { $0.controlToken = "correct horse battery" },
        Mistake(.controlToken, "not visible ASCII") { $0.controlToken = "0123456789abcdéf" },
        Mistake(nil, "70000 is not a port") { $0.port = 70_000 },
        Mistake(nil, "-1 is not a port") { $0.channelPort = -1 },
        Mistake(.controlPort, "--port and --control-port are both 9000") { ($0.port, $0.controlPort) = (9000, 9000) },
        Mistake(.channelPort, "--channel-port is 8443, as is --port") { $0.channelPort = 8443 },
        Mistake(.channelPort, "--channel-port is 8444, as is --control-port") { $0.channelPort = 8444 },
        Mistake(.grace, "it must be a duration such as 5s or 1m, at most 10m") { $0.grace = .seconds(601) },
        Mistake(.worlds, "--worlds is 0") { $0.worlds = 0 },
        Mistake(.worlds, "--worlds is 100001") { $0.worlds = 100_001 },
        Mistake(.worlds, "the configuration has 1 worlds beside the default one, and --worlds is 1") { configuration in
            configuration.worlds = 1
            configuration.namedWorlds = [WorldName("a")].compactMap(\.self).map {
                GatewayConfiguration.NamedWorld(name: $0, configuration: GatewayConfiguration())
            }
        },
        Mistake(.webhook, "--webhook http://192.0.2.1:80/ sends what happens here to another machine") {
            $0.webhooks = [WebhookURL("http://192.0.2.1")].compactMap(\.self)
        },
        Mistake(.recordFiles, "--record-files is 0; 1 to 1000") { $0.recordFiles = 0 },
        Mistake(.recordFiles, "--record-files is 1001; 1 to 1000") { $0.recordFiles = 1001 },
        Mistake(.webhookCA, "--webhook-ca cannot be used") { $0.webhookCA = Array("nonsense".utf8) },
        Mistake(nil, "there are 65 --webhook; at most 64 are allowed") {
            $0.webhooks = Array(repeating: WebhookURL("http://localhost"), count: 65).compactMap(\.self)
        },
        Mistake(nil, "--retain is 0") { $0.retain = 0 }, Mistake(nil, "--retain-bytes is 0") { $0.retainBytes = 0 },
    ]

    @Test(arguments: mistakes)
    func `an invalid configuration is refused with the setting that is wrong`(mistake: Mistake) {
        let configuration = {
            var changed = GatewayConfiguration()
            mistake.change(&changed)
            return changed
        }()
        let error = #expect(throws: GatewayError.self) { try configuration.check() }
        #expect(error?.code == .badConfiguration)
        #expect(error?.setting == mistake.setting)
        #expect(error?.detail.contains(mistake.words) == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("hunter2") != true, "a secret is not in a message")
    }

    @Test func `the defaults, free ports and what is allowed explicitly are good`() throws {
        var configuration = GatewayConfiguration()
        try configuration.check()
        (configuration.port, configuration.controlPort, configuration.channelPort) = (0, 0, 0)
        try configuration.check()
        configuration.host = "0.0.0.0"
        configuration.controlToken = "0123456789abcdef"
        configuration.webhooks = [try #require(WebhookURL("http://192.0.2.1"))]
        configuration.allowsRemoteWebhooks = true
        try configuration.check()
    }

    @Test func `worlds start with what the configuration says`() throws {
        var configuration = GatewayConfiguration()
        configuration.devices = .strict
        configuration.acceptsAnyKey = true
        (configuration.retain, configuration.retainBytes, configuration.seed) = (5, 6, 7)
        (configuration.idleTimeout, configuration.unregisteredDelay) = (8, 9)
        configuration.budgets = .lifted
        configuration.clock = .manual(at: 10)
        configuration.apps = [RegisteredApp(topic: "com.example.mail", teamID: "ABCDE12345")]
        configuration.faults = [FaultRule(.lose)]
        let start = configuration.worldStart(nil)
        #expect(start.settings.unknownDevices == .strict && start.settings.acceptsAnyKey)
        #expect(start.settings.retain == 5 && start.settings.maximumJournalBytes == 6 && start.settings.seed == 7)
        #expect(start.settings.idleTimeout == 8 && start.settings.unregisteredDelay == 9)
        #expect(start.settings.budgets == .lifted && start.clock == .manual(at: 10))
        #expect(start.settings.maximumHistory == SubscriberLimits.history)
        #expect(start.settings.maximumWaiting == SubscriberLimits.waiting)
        #expect(start.keys.isEmpty && start.apps.map(\.topic) == ["com.example.mail"] && start.faults.count == 1)
    }

    @Test func `the key and the app of the credentials come first`() throws {
        let credentials = try DevelopmentCredentials.make()
        var configuration = GatewayConfiguration()
        configuration.environment = .production
        configuration.apps = [RegisteredApp(topic: "com.example.mail", teamID: "ABCDE12345")]
        let start = configuration.worldStart(credentials)
        #expect(start.apps.map(\.topic) == ["com.example.agent", "com.example.mail"])
        #expect(start.apps.first?.teamID == credentials.teamID.value)
        #expect(start.keys.map(\.keyID) == [credentials.keyID.value])
        #expect(start.keys.map(\.environments) == [[.sandbox, .production]])
        configuration.settings.contested.limitsTeamKeysToOneEnvironment = true
        #expect(configuration.worldStart(credentials).keys.map(\.environments) == [[.production]])
    }

    @Test func `a key is read from a p8 file and from a public key`() throws {
        let key = try SigningKey.generate()
        let keyID = try #require(KeyID("ABC123DEFG"))
        let teamID = try #require(TeamID("ABCDE12345"))
        let secret = try GatewayConfiguration.Key(keyID: keyID, teamID: teamID, file: try key.p8)
        let open = try GatewayConfiguration.Key(keyID: keyID, teamID: teamID, file: Array(key.publicKey.pem.utf8))
        #expect(secret.verifyingKey == key.publicKey)
        #expect(open.verifyingKey == key.publicKey)
        #expect(throws: KeyError.self) { try GatewayConfiguration.Key(keyID: keyID, teamID: teamID, file: [1, 2]) }
    }

    @Test func `a gateway has the documented budgets unless configured otherwise`() {
        #expect(GatewayConfiguration().budgets == .documented)
    }
}
