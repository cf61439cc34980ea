package import APNSModel
package import DevelopmentCredentials
package import GatewayCore
package import Logging
package import ProviderToken
package import SystemFiles
package import TLSSession

/// The configuration of a gateway. The defaults are those of the command.
package struct GatewayConfiguration: Sendable {
    package enum Credentials: Sendable {
        /// Read from this folder, which is created if it does not exist.
        case folder(String)
        /// Passed in, so that nothing is read or written.
        case given(DevelopmentCredentials)
    }

    /// A key that provider tokens may be signed with, in addition to the key of the credentials.
    package struct Key: Sendable {
        package var keyID: KeyID
        package var teamID: TeamID
        package var verifyingKey: VerifyingKey
        package var kind = ProviderKey.Kind.team
        package var environments = Set(APNSEnvironment.allCases)
        package var isRevoked = false

        package init(keyID: KeyID, teamID: TeamID, verifyingKey: VerifyingKey) {
            self.keyID = keyID
            self.teamID = teamID
            self.verifyingKey = verifyingKey
        }

        /// Reads a `.p8` file or the PEM text of a public key.
        package init(keyID: KeyID, teamID: TeamID, file: [UInt8]) throws(KeyError) {
            do throws(KeyError) {
                self.init(keyID: keyID, teamID: teamID, verifyingKey: try SigningKey(p8: file).publicKey)
            } catch  where error.code == .publicKey {
                self.init(keyID: keyID, teamID: teamID, verifyingKey: try VerifyingKey(pem: file))
            }
        }
    }

    package var host = "127.0.0.1"
    /// 0 selects a free one; this holds for all ports.
    package var port = 8443
    package var controlPort = 8444
    /// The port that only takes channel management. Nil selects `defaultChannelPort`, or a free one if that is in use or
    /// `port` is 0, so that a second gateway starts without setting it.
    package var channelPort: Int?
    package static let defaultChannelPort = 8445
    package var credentials = Credentials.folder("certs/dev")
    /// The group that may read what senders need of the credentials; nil for only their owner.
    package var credentialsReaders: FileReaders?
    /// Host names and addresses of the server certificate, beside those of this machine.
    package var names: [String] = []
    package static let maximumNames = 100
    package var environment = APNSEnvironment.sandbox
    /// What happens to a device token that is not registered.
    package var devices = WorldSettings.UnknownDevicePolicy.open
    package var keys: [Key] = []
    /// Further apps; the app of the credentials is always registered.
    package var apps: [RegisteredApp] = []
    /// Devices that are registered from the start.
    package var registeredDevices: [DeviceRegistration] = []
    /// Settings without a property here: limits, rates, availability, streams and contested questions.
    package var settings = WorldSettings()
    /// Whether well-formed provider tokens of unknown keys are accepted, and marked as unverified.
    package var acceptsAnyKey = false
    /// How many journal entries are kept, at least 1.
    package var retain = 10_000
    /// How much memory the journal may use.
    package var retainBytes = WorldSettings().maximumJournalBytes
    /// How much memory all worlds and subscribers may use together, in bytes.
    package var memory = GatewayConfiguration.defaultMemory
    /// Half of what the machine, or the container, has.
    package static let defaultMemory = max(minimumMemory, MachineMemory.bytes / 2)
    package static let minimumMemory = 16 << 20
    /// The file in which all worlds are stored; nil keeps them only in memory.
    package var store: String?
    /// The file to which every request is written with its verdict; nil for none.
    package var record: String?
    /// The size at which a new file of the record is begun, in bytes.
    package var recordBytes = 1 << 30
    /// How many files of a record are kept, the one that is written included.
    package var recordFiles = 8
    package static let maximumRecordFiles = 1000
    /// How messages are logged.
    package var logFormat = LogFormat.text
    /// The origin at which browsers reach the control port through a proxy, such as `https://push.example.com`; nil for none.
    package var controlOrigin: WebOrigin?
    package var clock = WorldClock.real
    /// Whether a clock that is restored from the store gets the mode of `clock`.
    package var overridesStoredClock = false
    /// Nil takes the seed of the store, or a random one, because two runs with the same seed give notifications the
    /// same ids.
    package var seed: UInt64?
    /// The initial fault rules; a reset restores them.
    package var faults: [FaultRule] = []
    /// The answers of a record, for requests like the recorded ones.
    package var answers = RecordedAnswers()
    /// How long after an uninstall sends are still accepted, in milliseconds.
    package var unregisteredDelay: Int64 = 0
    /// How many worlds there may be, the default world included.
    package var worlds = GatewayConfiguration.defaultWorlds
    package static let defaultWorlds = 1000 + 1
    /// Worlds that nobody has used for so many milliseconds are removed; nil for no limit.
    package var worldIdle: Int64?
    /// How many worlds that nobody uses are kept; nil for no limit.
    package var idleWorlds: Int?
    /// Webhooks that get every event of every world from the start.
    package var webhooks: [WebhookURL] = []
    /// The authorities that verify webhooks of `https`, in PEM; nil for those of the system.
    package var webhookCA: [UInt8]?
    package var webhookTrust: TLSTrust { webhookCA.map { .certificates(pem: $0) } ?? .system }
    /// Whether webhooks may be on other machines.
    package var allowsRemoteWebhooks = false
    /// How many pushes of a kind the system delivers in a period.
    package var budgets = DeliveryBudgets.documented
    /// The bearer token that clients of the control API must send; required when the host is not loopback.
    package var controlToken: String?
    package static let minimumControlTokenBytes = 16

    /// What is wrong with the token of a gateway or of a world, as in "the control token …"; nil for one that clients can
    /// send.
    package static func problem(ofControlToken text: String) -> String? {
        guard text.utf8.count >= minimumControlTokenBytes else {
            return "is shorter than \(minimumControlTokenBytes) characters"
        }
        let isVisible = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isVisible ? nil : "has a character that is not visible ASCII, which not every client can send"
    }

    /// How long a connection of a sender may be silent, in milliseconds; nil for no limit.
    package var idleTimeout: Int64?
    /// How long a request may take from its head to its end; a slower one is reset.
    package var requestTimeout: Duration = .seconds(30)
    /// Concurrent connections of senders; fewer where the system allows fewer open files.
    package var connections = ConnectionTable.Limits()
    /// How long a shutdown waits for requests that are not complete, and posts what is queued for webhooks.
    package var grace: Duration = .seconds(5)
    package static let graceRange: ClosedRange<Duration> = Duration.zero...Duration.seconds(600)
    package var logger = Logger(label: "apns.gateway")
    /// Further worlds, each with its complete configuration; their ports and credentials are ignored.
    package var namedWorlds: [NamedWorld] = []

    /// A world other than the default world.
    package struct NamedWorld: Sendable {
        package var name: WorldName
        package var configuration: GatewayConfiguration

        package init(name: WorldName, configuration: GatewayConfiguration) {
            self.name = name
            self.configuration = configuration
        }
    }

    package init() {}

    /// Whether only this machine can reach the ports.
    package var isLoopback: Bool { LoopbackHost.isLoopback(host) }

    /// The address at which this machine reaches the gateway.
    package var hostToAsk: String { LoopbackHost.address(reaching: host) }

    /// Validates the configuration, as far as possible without starting anything.
    package func check() throws(GatewayError) {
        guard isLoopback || controlToken != nil else {
            throw GatewayError(
                .badConfiguration, .host,
                "\(host) opens the control API to other machines, without authentication; set \(GatewayConfiguration.tokenWays), "
                    + "or bind 127.0.0.1")
        }
        if let problem = controlToken.flatMap({ GatewayConfiguration.problem(ofControlToken: $0) }) {
            throw GatewayError(
                .badConfiguration, "the control token \(problem); pass one that cannot be guessed"
            ).about(.controlToken)
        }
        try checkPorts()
        try checkNames()
        guard (1...GatewayConfiguration.maximumWorlds).contains(worlds) else {
            throw GatewayError(
                .badConfiguration, .worlds,
                "is \(worlds); a gateway holds 1 to \(GatewayConfiguration.maximumWorlds) worlds")
        }
        guard namedWorlds.count < worlds else {
            throw GatewayError(
                .badConfiguration,
                "the configuration has \(namedWorlds.count) worlds beside the default one, and --worlds is \(worlds)"
            ).about(.worlds)
        }
        for (index, url) in webhooks.enumerated() where !url.isLoopback && !allowsRemoteWebhooks {
            throw GatewayError(
                .badConfiguration, .webhook, key: "webhooks[\(index)]",
                "\(url) sends what happens here to another machine; pass --remote-webhooks to allow that")
        }
        if webhookCA != nil {
            do throws(TLSError) {
                _ = try WebhookTLS(webhookTrust).context()
            } catch {
                throw GatewayError(
                    .badConfiguration, .webhookCA, "cannot be used: \(error.description)")
            }
        }
        guard memory >= GatewayConfiguration.minimumMemory else {
            throw GatewayError(
                .badConfiguration, .memory,
                "is \(memory); a gateway needs at least \(GatewayConfiguration.minimumMemory) bytes (16MiB)")
        }
        guard (1...GatewayConfiguration.maximumRecordFiles).contains(recordFiles) else {
            throw GatewayError(
                .badConfiguration, .recordFiles,
                "is \(recordFiles); 1 to \(GatewayConfiguration.maximumRecordFiles) files of a record are kept")
        }
        guard GatewayConfiguration.graceRange.contains(grace) else {
            throw GatewayError(
                .badConfiguration, .grace, "is \(grace); it must be \(GatewayDurationText.graceForm)")
        }
        if let controlOrigin, !LoopbackHost.isLoopback(controlOrigin.host), controlToken == nil {
            throw GatewayError(
                .badConfiguration, .controlOrigin,
                "\(controlOrigin) opens the control API to other machines, without authentication; pass --control-token"
            )
        }
        guard webhooks.count <= GatewayConfiguration.maximumWebhooks else {
            throw GatewayError(
                .badConfiguration,
                "there are \(webhooks.count) --webhook; at most \(GatewayConfiguration.maximumWebhooks) are allowed")
        }
        guard retain >= 1 else {
            throw GatewayError(.badConfiguration, "--retain is \(retain); the journal keeps at least 1 entry")
        }
        guard retainBytes >= 1 else {
            throw GatewayError(
                .badConfiguration, "--retain-bytes is \(retainBytes); the journal holds at least 1 byte")
        }
    }

    /// How to set the control token, without showing it in the list of processes first.
    private static let tokenWays =
        "\(GatewaySetting.controlToken.variable ?? ""), \(GatewaySetting.controlTokenFile.flag) or "
        + GatewaySetting.controlToken.flag

    private func checkNames() throws(GatewayError) {
        guard names.count <= GatewayConfiguration.maximumNames else {
            throw GatewayError(
                .badConfiguration,
                "there are \(names.count) --name; at most \(GatewayConfiguration.maximumNames) are allowed")
        }
        for (index, name) in names.enumerated() {
            do throws(CredentialsError) {
                try DevelopmentCredentials.check(name: name)
            } catch {
                throw GatewayError(.badConfiguration, .name, key: "names[\(index)]", "cannot be used: \(error.detail)")
            }
        }
    }

    private func checkPorts() throws(GatewayError) {
        for port in [port, controlPort, channelPort ?? 0] where !(0...65535).contains(port) {
            throw GatewayError(.badConfiguration, "\(port) is not a port; pass 0 to 65535, where 0 takes a free one")
        }
        guard port != controlPort || port == 0 else {
            throw GatewayError(
                .badConfiguration, "--port and --control-port are both \(port); pass two different ports, or 0"
            ).about(.controlPort)
        }
        if let channelPort, channelPort != 0, channelPort == port || channelPort == controlPort {
            throw GatewayError(
                .badConfiguration, .channelPort,
                "is \(channelPort), as is \(channelPort == port ? "--port" : "--control-port"); pass different ports, or 0"
            )
        }
    }

    package static let maximumWorlds = 100_000
    /// The maximum number of webhooks of a world, including those added by the control API.
    package static let maximumWebhooks = 64

    /// The configuration that worlds start with; each world takes the fault rules that apply to it.
    ///
    /// - Parameter credentials: Every world gets their key, before all others, and their app. What `keys` and `apps` say about
    ///   the same key id and topic counts. Nil for none.
    package func worldStart(_ credentials: DevelopmentCredentials?) -> WorldStart {
        var settings = settings
        settings.unknownDevices = devices
        settings.acceptsAnyKey = acceptsAnyKey
        settings.retain = retain
        settings.maximumJournalBytes = retainBytes
        settings.seed = seed ?? .random(in: .min ... .max)
        settings.idleTimeout = idleTimeout
        settings.unregisteredDelay = unregisteredDelay
        settings.budgets = budgets
        settings.maximumHistory = SubscriberLimits.history
        settings.maximumWaiting = SubscriberLimits.waiting
        var keys = keys
        var apps = apps
        if let credentials {
            var own = Key(keyID: credentials.keyID, teamID: credentials.teamID, verifyingKey: credentials.key.publicKey)
            if settings.contested.limitsTeamKeysToOneEnvironment { own.environments = [environment] }
            own = keys.last { $0.keyID == credentials.keyID } ?? own
            keys.removeAll { $0.keyID == credentials.keyID }
            keys.insert(own, at: 0)
            let topic = credentials.topic.bundleID
            if !apps.contains(where: { $0.topic == topic }) {
                apps.insert(RegisteredApp(topic: topic, teamID: credentials.teamID.value), at: 0)
            }
        }
        var start = WorldStart(
            settings: settings, clock: clock,
            keys: keys.map {
                ProviderKey(
                    keyID: $0.keyID.value, teamID: $0.teamID.value, verifyingKey: $0.verifyingKey, kind: $0.kind,
                    environments: $0.environments, isRevoked: $0.isRevoked)
            },
            apps: apps, devices: registeredDevices, faults: faults)
        start.answers = answers
        return start
    }
}
