package import APNSModel
package import DevelopmentCredentials
import GatewayConfiguration
import GatewayControl
package import GatewayCore
import GatewayListener
import GatewayRuntime
import Logging
import PayloadJSON
package import ProviderToken

/// A gateway whose ports are open.
package final class RunningGateway: Sendable {
    package let credentials: DevelopmentCredentials
    package let environment: APNSEnvironment
    package let host: String
    package let port: Int
    package let controlPort: Int
    /// The port that only takes channel management.
    package let channelPort: Int
    /// The default world.
    var state: LiveWorld { worlds.standard }
    let worlds: Worlds
    let listener: APNSListener
    private let control: ControlServer
    private let timer: GatewayTimer
    let idleWorlds: IdleWorlds
    private let grace: Duration
    private let logger: Logger
    /// Whether clients of the control API must send a token.
    package let needsControlToken: Bool

    init(
        _ configuration: GatewayConfiguration, _ credentials: DevelopmentCredentials, _ worlds: Worlds,
        _ listener: APNSListener, _ control: ControlServer, _ timer: GatewayTimer, _ idleWorlds: IdleWorlds,
        port: Int, channelPort: Int
    ) {
        self.credentials = credentials
        environment = configuration.environment
        host = LoopbackHost.inURL(configuration.host)
        self.port = port
        self.channelPort = channelPort
        controlPort = control.port
        self.worlds = worlds
        self.listener = listener
        self.control = control
        self.timer = timer
        self.idleWorlds = idleWorlds
        grace = configuration.grace
        logger = configuration.logger
        needsControlToken = configuration.controlToken != nil
    }

    /// The URL that senders connect to.
    package var url: String { "https://\(host):\(port)" }
    package var controlURL: String { "http://\(host):\(controlPort)" }
    package var channelURL: String { "https://\(host):\(channelPort)" }
    /// The file that senders must trust; nil for credentials that were passed in.
    package var caFile: String? { credentials.folder.map { DevelopmentCredentials.caFile(in: $0) } }

    /// The ready line of docs/reference/interfaces.md 1.4, without line end. Paths are absent for credentials that were
    /// passed in.
    package var readyLine: String {
        let text = JSONText.object { object in
            object.add("event", "ready")
            object.add("gateway", url)
            object.add("control", controlURL)
            object.addIfAny("ca", caFile)
            object.addIfAny("key", credentials.keyFile)
            object.add("key-id", credentials.keyID.value)
            object.add("team-id", credentials.teamID.value)
            object.add("topic", credentials.topic.value)
            object.add("channels", channelURL)
        }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Waits until the task is cancelled or the control port fails.
    package func wait() async throws { try await control.wait() }

    /// Sends GOAWAY with `Shutdown`, answers requests in progress, posts what is queued for webhooks while the control API can
    /// only be read, disconnects listeners and closes all ports. A second call does nothing.
    package func shutdown() async {
        let deadline = ContinuousClock.now + grace
        timer.stop()
        worlds.forEach { $0.stopTimer() }
        await listener.stop(grace: grace)
        // The events of later ones would not be posted.
        await control.refuseChanges()
        // A change may have made a world meanwhile, with a port of its own.
        worlds.forEach { $0.stopTimer() }
        await listener.stop(grace: .zero)
        await idleWorlds.finish()
        let undelivered = await worlds.drainWebhooks(within: max(.zero, deadline - .now))
        if undelivered > 0 {
            logger.warning(
                "Events for webhooks were not delivered before the gateway stopped; a longer --grace gives them more time.",
                metadata: ["events": "\(undelivered)"])
        }
        worlds.forEach { $0.endSubscriptions() }
        await control.stop()
        await worlds.closeStore()
    }
}

/// Access to the world, for tests and for a command that prints what happened.
extension RunningGateway {
    package func read<Result: Sendable>(_ body: (borrowing World) -> Result) -> Result {
        state.read { world, _ in body(world) }
    }

    /// A device token that a first notification to the topic of the credentials can name: `ab12` where unknown devices
    /// are registered, otherwise the first registered one. Nil if every device would be refused.
    package var exampleDevice: String? {
        let topic = credentials.topic.value
        return read { world in
            guard world.settings.unknownDevices == .strict else { return "ab12" }
            let (_, devices) = world.devices(in: environment, limit: .max)
            return devices.first { $0.topic.value == topic && $0.registration == .active }?.token.hex
        }
    }

    /// The world's time in milliseconds since 1970.
    package var now: Int64 { state.now() }

    package func advanceClock(by milliseconds: Int64) { state.advanceClock(by: milliseconds) }

    package func setClock(_ mode: WorldClock.Mode?, to now: Int64?) { state.setClock(mode, to: now) }

    package func register(_ device: DeviceRegistration) throws(RegistrationError) -> Device {
        try state.register(device)
    }

    package func register(_ app: RegisteredApp) throws(RegistrationError) { try state.register(app) }

    package func register(_ key: ProviderKey) throws(RegistrationError) { try state.register(key) }

    /// Nil if the device does not exist.
    package func patch(_ token: DeviceToken, _ patch: DevicePatch) -> Device? {
        state.patch(token, in: environment, patch)
    }

    /// Nil if the device does not exist.
    package func uninstall(_ token: DeviceToken) -> Device? { state.uninstall(token, in: environment) }

    /// Connects a device without a reader: deliveries only go into its history.
    ///
    /// - Returns: Whether the device exists.
    package func connect(_ token: DeviceToken) -> Bool { state.connect(token, in: environment) }

    package func reset() { state.reset() }

    /// Takes effect with the next request; a reset restores the initial settings.
    package func changeSettings<Failure>(
        _ body: (inout WorldSettings) throws(Failure) -> Void
    ) throws(Failure) {
        try state.changeSettings(body)
    }

    /// - Returns: Whether the key existed and was not revoked yet.
    package func revokeKey(_ keyID: KeyID) -> Bool { state.revokeKey(keyID.value) }
}
