import APNSModel
import HTTPServing
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// The port of a simulated service: HTTP/1.1 with limits, on which a closure answers each request.
package final class ServicePort: Sendable {
    package struct Options: Sendable {
        package var host = "127.0.0.1"
        /// 0 picks a free port.
        package var port = 0
        /// The bearer token of the control API; required if the host is not loopback.
        package var controlToken: String?
        /// The length of a body that is read. A longer one is passed on cut, one byte above the limit, so that the
        /// service can refuse it, and the connection closes after the answer.
        package var maximumBodyBytes: Int
        /// Of one header field, and of all together.
        package var maximumHeaderBytes = 65_536
        /// Whether no request can change anything. Then it may listen on any address without a control token.
        package var changesNothing = false

        package init(maximumBodyBytes: Int) { self.maximumBodyBytes = maximumBodyBytes }
    }

    /// Why the port cannot be opened.
    package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    package let host: String
    package let port: Int
    private let running: Task<Void, any Error>
    private let listener: any Channel
    private let accepted: AcceptedConnections

    private static let maximumConnections = 2_000
    private static let maximumHeaders = 200
    private static let idleTimeout: TimeAmount = .seconds(60)

    private init(
        host: String, port: Int, running: Task<Void, any Error>, listener: any Channel, accepted: AcceptedConnections
    ) {
        self.host = host
        self.port = port
        self.running = running
        self.listener = listener
        self.accepted = accepted
    }

    package var url: String { "http://\(LoopbackHost.inURL(host)):\(port)" }

    /// Opens the port and serves until `stop`.
    ///
    /// - Parameters:
    ///   - name: The name of the service in its log.
    ///   - answer: Called for each request, for several at a time.
    /// - Throws: `StartError` if the port cannot be opened, or if the host is not loopback and there is no control token.
    package static func open(
        _ options: Options, name: String,
        answer: @escaping @Sendable (ServiceRequest) async throws -> ServiceDelivery
    ) async throws -> ServicePort {
        guard LoopbackHost.isLoopback(options.host) || options.controlToken != nil || options.changesNothing else {
            throw StartError(
                description: "\(options.host) is reachable from other machines, and the control API can change "
                    + "everything: pass --control-token, or listen on 127.0.0.1")
        }
        var logger = Logger(label: "apns.\(name)")
        // At a stop, Hummingbird logs the connections that it closes as errors.
        logger.logLevel = .critical
        let (listeners, bound) = AsyncStream.makeStream(of: (any Channel).self)
        let accepted = AcceptedConnections()
        let exchange = ServiceExchange(maximumBodyBytes: options.maximumBodyBytes, answer: answer)
        let bytes = options.maximumHeaderBytes
        let server = Server(
            childChannelSetup: accepted.channel(
                HTTP1Channel(
                    responder: { try await exchange.respond(to: $0, $1, $2) },
                    configuration: .init(
                        idleTimeout: idleTimeout,
                        httpDecoderConfiguration: .init(
                            maxHeaderFieldSize: bytes, maxHeaderListSize: bytes, maxHeaderFieldCount: maximumHeaders)))),
            configuration: ServerConfiguration(
                address: .hostname(options.host, port: options.port),
                availableConnectionsDelegate: MaximumAvailableConnections(maximumConnections)),
            onServerRunning: { listener in bound.yield(listener) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let running = Task {
            defer { bound.finish() }
            try await server.run()
        }
        for await listener in listeners {
            return ServicePort(
                host: options.host, port: listener.localAddress?.port ?? options.port, running: running,
                listener: listener, accepted: accepted)
        }
        do {
            try await running.value
        } catch {
            throw StartError(binding: options.host, options.port, error)
        }
        throw CancellationError()
    }

    /// Closes the port, and ends what it serves.
    package func stop() async {
        try? await listener.close()
        running.cancel()
        _ = await running.result
        await accepted.close()
    }

    /// Waits until the server ends. Without a call of `stop` the end is a failure.
    package func wait() async throws { try await running.value }
}
