import APNSModel
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// The decision service as a server: the vendor's paths, the control API and the inspector page on one port.
package final class ServiceServer: Sendable {
    /// A request that was answered, or deliberately not.
    package struct Entry: Hashable, Sendable {
        package let method: String
        package let path: String
        package let status: Int
        package let delivery: ServiceWorld.Delivery
    }

    package struct Options: Sendable {
        package var host = "127.0.0.1"
        /// 0 picks a free port.
        package var port = 0
        /// The bearer token of the control API; required if the host is not loopback.
        package var controlToken: String?
        /// Called for every request before its answer is sent.
        package var onRequest: @Sendable (Entry) -> Void = { _ in }

        package init() {}
    }

    /// Why the server cannot start.
    package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    package let host: String
    package let port: Int
    private let state: ServiceState
    private let running: Task<Void, any Error>

    private static let maximumConnections = 2_000
    private static let idleTimeout: TimeAmount = .seconds(60)
    private static let maximumHeaderBytes = 65_536

    private init(host: String, port: Int, state: ServiceState, running: Task<Void, any Error>) {
        self.host = host
        self.port = port
        self.state = state
        self.running = running
    }

    package var url: String { "http://\(LoopbackHost.inURL(host)):\(port)" }

    /// Opens the port and serves until `stop`.
    ///
    /// - Throws: `StartError` if the port cannot be opened, or the host is not loopback and there is no control token.
    package static func start(_ world: ServiceWorld, _ options: Options) async throws -> ServiceServer {
        guard LoopbackHost.isLoopback(options.host) || options.controlToken != nil else {
            throw StartError(
                description: "\(options.host) is reachable from other machines, and the control API can change "
                    + "everything: a control token is required")
        }
        let state = ServiceState(world)
        var logger = Logger(label: "apns.personalization")
        // At a stop, Hummingbird logs the connections that it closes as errors.
        logger.logLevel = .critical
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let responder = ServiceResponder(
            state: state, controlGuard: ServiceControlGuard(host: options.host, token: options.controlToken),
            onRequest: options.onRequest)
        let server = Server(
            childChannelSetup: HTTP1Channel(
                responder: { try await responder.respond(to: $0, $1, $2) },
                configuration: .init(
                    idleTimeout: idleTimeout,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: maximumHeaderBytes, maxHeaderListSize: maximumHeaderBytes,
                        maxHeaderFieldCount: 200))),
            configuration: ServerConfiguration(
                address: .hostname(options.host, port: options.port),
                availableConnectionsDelegate: MaximumAvailableConnections(maximumConnections)),
            onServerRunning: { channel in bound.yield(channel.localAddress?.port ?? options.port) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let running = Task {
            defer { bound.finish() }
            try await server.run()
        }
        for await port in ports {
            return ServiceServer(host: options.host, port: port, state: state, running: running)
        }
        do {
            try await running.value
        } catch {
            throw StartError(
                description: "port \(options.port) of \(options.host) cannot be opened: \(error); choose another with "
                    + "--port, or 0 for a free one")
        }
        throw CancellationError()
    }

    package func stop() async {
        running.cancel()
        _ = await running.result
    }

    /// Waits until the server ends. Without a call of `stop` the end is a failure.
    package func wait() async throws { try await running.value }

    /// Reads the current world.
    package func read<Result>(_ body: (ServiceWorld) throws -> Result) rethrows -> Result { try state.read(body) }
}
