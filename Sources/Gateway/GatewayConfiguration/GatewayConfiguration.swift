package import APNSModel
package import DevelopmentCredentials
package import GatewayCore
package import Logging
package import ProviderToken
package import TLSSession

/// Everything that a gateway has to be told. The defaults are those of the command.
package struct GatewayConfiguration: Sendable {
    package enum Credentials: Sendable {
        /// Read from this folder; made there when it does not exist.
        case folder(String)
        /// Handed over, so that nothing is read or written.
        case given(DevelopmentCredentials)
    }

    /// A key that provider tokens may be signed with, beside the one of the credentials.
    package struct Key: Sendable {
        package var keyID: KeyID
        package var teamID: TeamID
        package var verifyingKey: VerifyingKey
        package var kind = ProviderKey.Kind.team
        package var environments = Set(APNSEnvironment.allCases)

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
    /// 0 takes a free one, for all ports.
    package var port = 8443
    package var controlPort = 8444
    /// Where channels are managed and nothing else. Nil takes `usualChannelPort`, or a free one where that is taken or
    /// `port` is 0, so that a second gateway starts without being told of this port.
    package var channelPort: Int?
    package static let usualChannelPort = 8445
    package var credentials = Credentials.folder("certs/dev")
    package var environment = APNSEnvironment.sandbox
    /// What happens to a device token that nobody registered.
    package var devices = WorldSettings.DeviceRegistration.open
    package var keys: [Key] = []
    /// Further apps; the one of the credentials is always known.
    package var apps: [RegisteredApp] = []
    /// Devices that are registered from the start.
    package var registeredDevices: [DeviceRegistration] = []
    /// What has no field of its own here: limits, rates, availability, streams and contested questions.
    package var settings = WorldSettings()
    /// Whether well-formed provider tokens of unknown keys pass, marked as unverified.
    package var acceptsAnyKey = false
    /// How many journal entries are kept, at least 1.
    package var retain = 10_000
    /// How much memory the journal may hold.
    package var retainBytes = WorldSettings().maximumJournalBytes
    /// The file that everything is kept in; nil keeps it in memory alone.
    package var store: String?
    /// The file that every request is written to with its verdict; nil for none.
    package var record: String?
    package var clock = WorldClock.real
    /// Whether a clock that the store has kept takes on the mode of `clock`.
    package var insistsOnClock = false
    /// Nil is random, because two runs with the same seed give notifications the same ids; or that of the store.
    package var seed: UInt64?
    /// Fault rules to begin with; a reset brings them back.
    package var faults: [FaultRule] = []
    /// How long after an uninstall sends are still accepted, in milliseconds.
    package var unregisteredDelay: Int64 = 0
    /// How many worlds there may be, that of senders that name none included.
    package var worlds = GatewayConfiguration.usualWorlds
    package static let usualWorlds = 1000 + 1
    /// Who is told of every event of every world from the start.
    package var webhooks: [WebhookURL] = []
    /// The authorities that webhooks of `https` are verified by, in PEM; nil for those of the system.
    package var webhookCA: [UInt8]?
    package var webhookTrust: TLSTrust { webhookCA.map { .certificates(pem: $0) } ?? .system }
    /// Whether webhooks may be on other machines.
    package var allowsRemoteWebhooks = false
    /// How many pushes of a kind the system delivers in a period.
    package var budgets = DeliveryBudgets.documented
    /// What clients of the control API have to show; needed when anything but loopback is bound.
    package var controlToken: String?
    package static let leastControlTokenBytes = 16
    /// How long a connection of a sender may be silent, in milliseconds; nil for ever.
    package var idleTimeout: Int64?
    /// What a request may take from its head to its end; a sender that stalls in the middle is reset.
    package var requestTimeout: Duration = .seconds(30)
    /// Connections of senders at once; fewer where the system allows fewer open files.
    package var connections = ConnectionTable.Limits()
    /// What a stop leaves requests that are still coming in.
    package var grace: Duration = .seconds(5)
    package var logger = Logger(label: "apns.gateway")
    /// Further worlds, each with everything that it is set up with; their ports and credentials say nothing.
    package var namedWorlds: [NamedWorld] = []

    /// A world beside the usual one.
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

    /// Whether it can be, as far as that can be told without starting anything.
    package func check() throws(GatewayError) {
        guard isLoopback || controlToken != nil else {
            throw GatewayError(
                .badConfiguration, .host,
                "\(host) opens the control API to other machines, and it has no authentication of its own; pass "
                    + "--control-token, or bind 127.0.0.1")
        }
        if let controlToken, controlToken.utf8.count < GatewayConfiguration.leastControlTokenBytes {
            throw GatewayError(
                .badConfiguration,
                "the control token is shorter than \(GatewayConfiguration.leastControlTokenBytes) characters; pass one that "
                    + "cannot be guessed"
            ).about(.controlToken)
        }
        try checkPorts()
        guard (1...GatewayConfiguration.maximumWorlds).contains(worlds) else {
            throw GatewayError(
                .badConfiguration, .worlds,
                "is \(worlds); a gateway holds 1 to \(GatewayConfiguration.maximumWorlds) worlds")
        }
        guard namedWorlds.count < worlds else {
            throw GatewayError(
                .badConfiguration,
                "the configuration has \(namedWorlds.count) worlds beside the usual one, and --worlds is \(worlds)"
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
        guard webhooks.count <= GatewayConfiguration.maximumWebhooks else {
            throw GatewayError(
                .badConfiguration,
                "there are \(webhooks.count) --webhook; at most \(GatewayConfiguration.maximumWebhooks) are told")
        }
        guard retain >= 1 else {
            throw GatewayError(.badConfiguration, "--retain is \(retain); the journal keeps at least 1 entry")
        }
        guard retainBytes >= 1 else {
            throw GatewayError(
                .badConfiguration, "--retain-bytes is \(retainBytes); the journal holds at least 1 byte")
        }
    }

    private func checkPorts() throws(GatewayError) {
        for port in [port, controlPort, channelPort ?? 0] where !(0...65535).contains(port) {
            throw GatewayError(.badConfiguration, "\(port) is no port; pass 0 to 65535, where 0 takes a free one")
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
    /// Webhooks of a world, those that the control API adds included.
    package static let maximumWebhooks = 64

    /// What worlds begin with; of the fault rules each takes those that are for it.
    ///
    /// - Parameter credentials: Those whose key and app every world knows; nil for none.
    package func worldStart(_ credentials: DevelopmentCredentials?) -> WorldStart {
        var settings = settings
        settings.deviceRegistration = devices
        settings.acceptsAnyKey = acceptsAnyKey
        settings.retain = retain
        settings.maximumJournalBytes = retainBytes
        settings.seed = seed ?? .random(in: .min ... .max)
        settings.idleTimeout = idleTimeout
        settings.unregisteredDelay = unregisteredDelay
        settings.budgets = budgets
        settings.maximumHistory = SubscriberLimits.history
        settings.maximumWaiting = SubscriberLimits.waiting
        var own = credentials.map {
            Key(keyID: $0.keyID, teamID: $0.teamID, verifyingKey: $0.key.publicKey)
        }
        if settings.contested.limitsTeamKeysToOneEnvironment { own?.environments = [environment] }
        let ownApp = credentials.map { RegisteredApp(topic: $0.topic.bundleID, teamID: $0.teamID.value) }
        return WorldStart(
            settings: settings, clock: clock,
            keys: ([own].compactMap(\.self) + keys).map {
                ProviderKey(
                    keyID: $0.keyID.value, teamID: $0.teamID.value, verifyingKey: $0.verifyingKey, kind: $0.kind,
                    environments: $0.environments)
            },
            apps: [ownApp].compactMap(\.self) + apps,
            devices: registeredDevices, faults: faults)
    }
}
