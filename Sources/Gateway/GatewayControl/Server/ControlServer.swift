package import GatewayConfiguration
import GatewayRuntime
import HTTPServing
import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
import NIOPosix

/// The control port of a gateway.
package final class ControlServer: Sendable {
    package let port: Int
    private let running: Task<Void, any Error>
    private let listener: any Channel
    private let accepted: AcceptedConnections
    private let changes: ControlChanges

    private static let idleTimeout: TimeAmount = .seconds(60)
    private static let maximumHeaderBytes = 16 << 10

    private init(
        port: Int, running: Task<Void, any Error>, listener: any Channel, accepted: AcceptedConnections,
        changes: ControlChanges
    ) {
        self.port = port
        self.running = running
        self.listener = listener
        self.accepted = accepted
        self.changes = changes
    }

    /// Binds the port and serves until `stop`.
    ///
    /// - Parameters:
    ///   - maximumConnections: Further ones wait until others end.
    ///   - readingTime: How long clients may take to read large answers.
    package static func start(
        _ api: ControlAPI, _ worldOpener: any WorldOpener, host: String, port: Int, maximumConnections: Int,
        readingTime: ReadingTime = ReadingTime(), on group: any EventLoopGroup, _ logger: Logger
    ) async throws(GatewayError) -> ControlServer {
        var quiet = logger
        // When the server stops, Hummingbird logs the connections of listeners that it ends as errors. Errors that keep
        // the port from being served are thrown as well.
        quiet.logLevel = .critical
        let (listeners, bound) = AsyncStream.makeStream(of: (any Channel).self)
        let accepted = AcceptedConnections()
        let changes = ControlChanges()
        let application = Application(
            responder: ControlResponder(
                api: api, worldOpener: worldOpener, readingTime: readingTime, changes: changes),
            server: HTTPServerBuilder { responder in
                accepted.channel(
                    HTTP1Channel(
                        responder: responder,
                        configuration: .init(
                            additionalChannelHandlers: [ControlConnection.Installer()], idleTimeout: idleTimeout,
                            httpDecoderConfiguration: .init(
                                maxHeaderFieldSize: maximumHeaderBytes, maxHeaderListSize: maximumHeaderBytes,
                                maxHeaderFieldCount: 100))))
            },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(maximumConnections)),
            onServerRunning: { listener in bound.yield(listener) },
            eventLoopGroupProvider: .shared(group), logger: quiet)
        let running = Task {
            defer { bound.finish() }
            try await application.run()
        }
        for await listener in listeners {
            return ControlServer(
                port: listener.localAddress?.port ?? port, running: running, listener: listener, accepted: accepted,
                changes: changes)
        }
        switch await running.result {
        case .success: throw GatewayError(.cannotBind, "the control port was closed while it was being opened")
        case .failure(let error): throw GatewayError(binding: host, port, option: "--control-port", error)
        }
    }

    /// Waits until the server ends; cancelling the task ends it.
    package func wait() async throws {
        do {
            try await withTaskCancellationHandler {
                try await running.value
            } onCancel: {
                Task { await stop() }
            }
        } catch {
            // Without a listener the server ends by itself, which it reports as an error of its own.
            try Task.checkCancellation()
            throw error
        }
    }

    /// Refuses changes from now on, and returns when those that have begun are made. What only reads is answered as before.
    package func refuseChanges() async { await changes.close() }

    /// Closes the port, and ends what it serves. A second call waits for the first.
    package func stop() async {
        try? await listener.close()
        running.cancel()
        _ = await running.result
        await accepted.close()
    }
}
