package import GatewayConfiguration
import GatewayRuntime
import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
import NIOPosix

/// The control port of a gateway.
package final class ControlServer: Sendable {
    package let port: Int
    private let running: Task<Void, any Error>

    private static let idleTimeout: TimeAmount = .seconds(60)
    private static let maximumHeaderBytes = 16 << 10

    private init(port: Int, running: Task<Void, any Error>) {
        self.port = port
        self.running = running
    }

    /// Binds the port and serves until `stop`.
    ///
    /// - Parameter maximumConnections: Further ones wait until others end.
    package static func start(
        _ api: ControlAPI, _ worldOpener: any WorldOpener, host: String, port: Int, maximumConnections: Int,
        on group: any EventLoopGroup, _ logger: Logger
    ) async throws(GatewayError) -> ControlServer {
        var quiet = logger
        // When the server stops, Hummingbird logs the connections of listeners that it ends as errors. Errors that keep
        // the port from being served are thrown as well.
        quiet.logLevel = .critical
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: ControlResponder(api: api, worldOpener: worldOpener),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ControlConnection.Installer()], idleTimeout: idleTimeout,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: maximumHeaderBytes, maxHeaderListSize: maximumHeaderBytes,
                        maxHeaderFieldCount: 100))),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(maximumConnections)),
            onServerRunning: { channel in bound.yield(channel.localAddress?.port ?? port) },
            eventLoopGroupProvider: .shared(group), logger: quiet)
        let running = Task {
            defer { bound.finish() }
            try await application.run()
        }
        for await port in ports { return ControlServer(port: port, running: running) }
        switch await running.result {
        case .success: throw GatewayError(.cannotBind, "the control port was closed while it was being opened")
        case .failure(let error): throw GatewayError(binding: host, port, option: "--control-port", error)
        }
    }

    /// Waits until the server ends; cancelling the task ends it.
    package func wait() async throws {
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            running.cancel()
        }
    }

    package func stop() async {
        running.cancel()
        _ = await running.result
    }
}
