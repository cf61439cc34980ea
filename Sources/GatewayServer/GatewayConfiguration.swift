package import APNSModel
package import GatewayCore
package import Logging
package import ProviderToken

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
    /// Whether well-formed provider tokens of unknown keys pass, marked as unverified.
    package var acceptsAnyKey = false
    /// How many journal entries are kept, at least 1.
    package var retain = 10_000
    package var clock = WorldClock.real
    /// Random, because two runs with the same seed give notifications the same ids.
    package var seed = UInt64.random(in: .min ... .max)
    /// Fault rules to begin with; a reset brings them back.
    package var faults: [FaultRule] = []
    /// How long after an uninstall sends are still accepted, in milliseconds.
    package var unregisteredDelay: Int64 = 0
    /// What clients of the control API have to show; needed when anything but loopback is bound.
    package var controlToken: String?
    /// How long a connection of a sender may be silent, in milliseconds; nil for ever.
    package var idleTimeout: Int64?
    /// What a request may take from its head to its end; a sender that stalls in the middle is reset.
    package var requestTimeout: Duration = .seconds(30)
    /// Connections of senders at once; fewer where the system allows fewer open files.
    package var connections = ConnectionTable.Limits()
    /// What a stop leaves requests that are still coming in.
    package var grace: Duration = .seconds(5)
    package var logger = Logger(label: "apns.gateway")

    package init() {}

    /// Whether only this machine can reach the ports.
    var isLoopback: Bool { LoopbackHost.isLoopback(host) }

    func check() throws(GatewayError) {
        guard isLoopback || controlToken != nil else {
            throw GatewayError(
                .badConfiguration,
                "--host \(host) opens the control API to other machines, and it has no authentication of its own; "
                    + "pass --control-token, or bind 127.0.0.1")
        }
        if let controlToken, controlToken.utf8.count < 16 {
            throw GatewayError(
                .badConfiguration, "the control token is shorter than 16 characters; pass one that cannot be guessed")
        }
        for port in [port, controlPort, channelPort ?? 0] where !(0...65535).contains(port) {
            throw GatewayError(.badConfiguration, "\(port) is no port; pass 0 to 65535, where 0 takes a free one")
        }
        guard port != controlPort || port == 0 else {
            throw GatewayError(
                .badConfiguration, "--port and --control-port are both \(port); pass two different ports, or 0")
        }
        if let channelPort, channelPort != 0, channelPort == port || channelPort == controlPort {
            throw GatewayError(
                .badConfiguration,
                "--channel-port is \(channelPort), as is \(channelPort == port ? "--port" : "--control-port"); pass "
                    + "different ports, or 0")
        }
        guard retain >= 1 else {
            throw GatewayError(.badConfiguration, "--retain is \(retain); the journal keeps at least 1 entry")
        }
    }

    /// What the world of the gateway begins with.
    func worldStart(_ credentials: DevelopmentCredentials) -> WorldStart {
        var settings = WorldSettings()
        settings.deviceRegistration = devices
        settings.acceptsAnyKey = acceptsAnyKey
        settings.retain = retain
        settings.seed = seed
        settings.idleTimeout = idleTimeout
        settings.unregisteredDelay = unregisteredDelay
        settings.maximumHistory = DeviceFeed.history
        settings.maximumWaiting = DeviceFeed.waiting
        let own = Key(
            keyID: credentials.keyID, teamID: credentials.teamID, verifyingKey: credentials.key.publicKey)
        return WorldStart(
            settings: settings, clock: clock,
            keys: ([own] + keys).map {
                ProviderKey(keyID: $0.keyID.value, teamID: $0.teamID.value, verifyingKey: $0.verifyingKey)
            },
            apps: [RegisteredApp(topic: credentials.topic.bundleID, teamID: credentials.teamID.value)] + apps,
            faults: faults)
    }
}
