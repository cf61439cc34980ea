import APNSModel
import DevelopmentCredentials
package import GatewayConfiguration
import GatewayControl
import GatewayCore
import GatewayListener
import GatewayRuntime
import Logging
import NIOCore
import NIOPosix
import SystemFiles
import TLSSession

/// The gateway simulator as a server: the ports that senders connect to, and the control API.
package struct GatewayServer: Sendable {
    let configuration: GatewayConfiguration
    /// The machine's clock, by which certificates are valid.
    private let secondsSince1970: @Sendable () -> Int64

    package init(
        _ configuration: GatewayConfiguration,
        secondsSince1970: @escaping @Sendable () -> Int64 = { WallClock.secondsSince1970 }
    ) {
        var configuration = configuration
        if configuration.logFormat == .json {
            configuration.logger = Logger(label: configuration.logger.label) { JSONLogHandler(label: $0) }
        }
        self.configuration = configuration
        self.secondsSince1970 = secondsSince1970
    }

    /// Opens all ports.
    ///
    /// The gateway runs until `RunningGateway.shutdown()`, which must be called.
    package func start() async throws(GatewayError) -> RunningGateway {
        try configuration.check()
        let credentials = try credentials()
        let store = try storeQueue()
        let group = MultiThreadedEventLoopGroup.singleton
        // For the timers of all worlds and of the gateway.
        let eventLoop = group.next()
        var limits = configuration.connections
        limits.connections = min(limits.connections, OpenFiles.forConnections)
        // Created before the worlds, because each world starts with a delegate that passes changes on to the
        // connections.
        let connections = SenderConnections(
            limits: limits, refused: RefusalLog(configuration.logger).connectionRefused)
        let worlds: Worlds
        do throws(GatewayError) {
            worlds = try self.worlds(credentials, store, real: WallClock.milliseconds) {
                GatewayWorldDelegate(connections, timersOn: eventLoop)
            }
        } catch {
            store?.close()
            throw error
        }
        do throws(GatewayError) {
            return try await start(worlds, connections, credentials, on: group, timersOn: eventLoop)
        } catch {
            worlds.forEach { world in
                world.stopTimer()
                world.endSubscriptions()
            }
            await worlds.closeStore()
            throw error
        }
    }

    private func start(
        _ worlds: Worlds, _ connections: SenderConnections, _ credentials: DevelopmentCredentials,
        on group: any EventLoopGroup, timersOn eventLoop: any EventLoop
    ) async throws(GatewayError) -> RunningGateway {
        let facts = credentials.server.certificate
        let certificates = WorldCertificates(
            credentials.authority, CertificateValidity(notBefore: facts.notBefore, notAfter: facts.notAfter),
            maximum: configuration.worlds)
        let tls: TLSContext
        do throws(TLSError) {
            tls = try TLSContext.server(
                identity: credentials.server, clientTrust: .certificates(pem: credentials.caPEM),
                requestsClientCertificate: true
            ) { certificates.identity(for: $0) }
        } catch {
            throw GatewayError(.badCredentials, "the server certificate cannot be used: \(error.description)")
        }
        let certificateCheck = CertificateCheck(
            credentials, certificates, configuration.logger, secondsSince1970: secondsSince1970)
        certificateCheck.check()
        worlds.startAll()
        let host = configuration.host
        let listener = APNSListener(worlds, connections, requestTimeout: configuration.requestTimeout)
        let port = try await listener.bind(host: host, port: configuration.port, tls: tls, on: group)
        let channelPort: Int
        let control: ControlServer
        let ports: WorldPorts
        do throws(GatewayError) {
            channelPort = try await bindChannelPort(of: listener, tls, on: group)
            let access = ControlGuard(
                host: host, token: configuration.controlToken, origin: configuration.controlOrigin,
                allowsRemoteWebhooks: configuration.allowsRemoteWebhooks)
            ports = WorldPorts(
                worlds: worlds, listener: listener, host: host, tls: tls, group: group, logger: configuration.logger)
            let api = ControlAPI(worlds, access) {
                listener.isOpen
                    ? certificateCheck.problem : "the ports for senders are not open; the gateway is stopping"
            }
            control = try await ControlServer.start(
                api, ports, host: host, port: configuration.controlPort, maximumConnections: OpenFiles.forControl,
                on: group, configuration.logger)
        } catch {
            await listener.stop(grace: .zero)
            throw error
        }
        let idleWorlds = IdleWorlds(configuration, worlds, ports)
        let timer = GatewayTimer(worlds, connections, idleWorlds, certificateCheck, on: eventLoop)
        return RunningGateway(
            configuration, credentials, worlds, listener, control, timer, idleWorlds, port: port,
            channelPort: channelPort)
    }

    private func bindChannelPort(
        of listener: APNSListener, _ tls: TLSContext, on group: any EventLoopGroup
    ) async throws(GatewayError) -> Int {
        let defaultPort = GatewayConfiguration.defaultChannelPort
        let isFree =
            configuration.port == 0 || configuration.port == defaultPort || configuration.controlPort == defaultPort
        let port = configuration.channelPort ?? (isFree ? 0 : defaultPort)
        func bind(_ port: Int) async throws(GatewayError) -> Int {
            try await listener.bind(
                .manage, host: configuration.host, port: port, option: "--channel-port", tls: tls, on: group)
        }
        do throws(GatewayError) {
            return try await bind(port)
        } catch  where error.code == .portTaken && configuration.channelPort == nil {
            return try await bind(0)
        }
    }

    /// Runs until the task is cancelled, and then shuts down.
    ///
    /// - Parameter ready: Called once, when all ports are open.
    package func run(_ ready: (RunningGateway) async throws -> Void) async throws {
        let gateway = try await start()
        do {
            try await ready(gateway)
            try await gateway.wait()
        } catch {
            await gateway.shutdown()
            if error is CancellationError { return }
            throw error
        }
        await gateway.shutdown()
    }

    /// The configured credentials, after checking that they are valid now, or that the gateway can renew the server certificate
    /// before it opens its ports.
    private func credentials() throws(GatewayError) -> DevelopmentCredentials {
        do throws(CredentialsError) {
            let credentials =
                switch configuration.credentials {
                case .folder(let folder):
                    try DevelopmentCredentials.loadOrMake(
                        in: folder, names: configuration.names, readers: configuration.credentialsReaders)
                case .given(let credentials): credentials
                }
            let now = secondsSince1970()
            do throws(CredentialsError) {
                try credentials.checkValidity(at: now)
            } catch {
                // `CertificateCheck` renews it.
                guard credentials.renewal?.isDue(at: now) == true, (try? credentials.renewed(at: now)) != nil else {
                    throw error
                }
            }
            return try credentials.serving(configuration.names)
        } catch {
            throw GatewayError(error)
        }
    }
}
