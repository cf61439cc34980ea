import APNSModel
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
package import PushDispatch

/// The org as a server: REST interface and control API on one port, and handlers for the pushes to send.
package final class OrgServer: Sendable {
    package typealias PushHandler = @Sendable ([OutgoingPush]) -> Void

    package struct Call: Hashable, Sendable {
        package let method: String
        package let path: String
        package let status: Int
        package let requestBytes: Int
        package let replyBytes: Int
    }

    package struct Options: Sendable {
        package var host = "127.0.0.1"
        /// 0 picks a free port.
        package var port = 0
        /// The bearer token of the control API; required if the host is not loopback.
        package var controlToken: String?
        /// Called for every change with the pushes of the triggers, before the change is answered.
        package var onPush: PushHandler = { _ in }
        /// Called with the notifications to send, before the call that caused them is answered.
        package var onNotifications: @Sendable ([OrgNotification]) -> Void = { _ in }
        /// Asks the gateway what became of notifications; nil if it cannot be asked. Questions without an entry in the
        /// result were not answered.
        package var askGateway: (@Sendable ([OrgDelivery.Question]) async -> [OrgDelivery.Question: OrgDelivery])?
        /// Called after every answered call.
        package var onCall: @Sendable (Call) -> Void = { _ in }

        package init() {}
    }

    package let host: String
    package let port: Int
    let state: OrgState
    private let running: Task<Void, any Error>

    private static let maximumConnections = 2_000
    private static let idleTimeout: TimeAmount = .seconds(60)

    private init(host: String, port: Int, state: OrgState, running: Task<Void, any Error>) {
        self.host = host
        self.port = port
        self.state = state
        self.running = running
    }

    package var url: String { "http://\(LoopbackHost.inURL(host)):\(port)" }

    /// Opens the port on loopback and serves until `stop`.
    ///
    /// - Parameters:
    ///   - port: 0 picks a free port.
    ///   - sessions: The user of each access token.
    ///   - onPush: Called for every change with the pushes of the triggers, before the change is answered.
    ///   - onCall: Called after every answered call.
    package static func start(
        _ org: Org, host: String = "127.0.0.1", port: Int, sessions: [String: RecordID],
        onPush: @escaping PushHandler, onCall: @escaping @Sendable (Call) -> Void = { _ in }
    ) async throws -> OrgServer {
        var options = Options()
        options.host = host
        options.port = port
        options.onPush = onPush
        options.onCall = onCall
        return try await start(OrgWorld(org, rest: OrgREST(sessions: sessions, makeToken: RandomToken.make)), options)
    }

    /// - Throws: `OrgServerError` if the host is not loopback and there is no control token.
    package static func start(_ world: OrgWorld, _ options: Options) async throws -> OrgServer {
        guard LoopbackHost.isLoopback(options.host) || options.controlToken != nil else {
            throw OrgServerError(
                "\(options.host) is reachable from other machines, and the control API can change everything: a "
                    + "control token is required")
        }
        let state = OrgState(world, options)
        var logger = Logger(label: "apns.org")
        // At a stop, Hummingbird logs the connections that it closes as errors.
        logger.logLevel = .critical
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let responder = OrgResponder(
            state: state, controlGuard: OrgControlGuard(host: options.host, token: options.controlToken),
            options: options)
        let server = Server(
            childChannelSetup: HTTP1Channel(
                responder: { try await responder.respond(to: $0, $1, $2) },
                configuration: .init(
                    idleTimeout: idleTimeout,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 4 * OrgREST.maximumAddressBytes,
                        maxHeaderListSize: 4 * OrgREST.maximumAddressBytes, maxHeaderFieldCount: 200))),
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
            let server = OrgServer(host: options.host, port: port, state: state, running: running)
            state.setInstanceURL(server.url)
            return server
        }
        do {
            try await running.value
        } catch {
            throw OrgServerError(
                "port \(options.port) of \(options.host) cannot be opened: \(error); choose another with --port, or 0 for "
                    + "a free one")
        }
        throw CancellationError()
    }

    package func stop() async {
        running.cancel()
        _ = await running.result
    }

    /// Waits until the server ends. Without a call of `stop` the end is a failure.
    package func wait() async throws { try await running.value }

    /// Changes a record like `user` in a browser.
    package func update(
        _ record: RecordID, _ fields: [String: JSONValue], by user: RecordID
    ) throws(OrgError) {
        try state.update([Org.Change(record, fields)], by: user)
    }

    /// Changes records in one save.
    package func update(_ changes: [Org.Change], by user: RecordID) throws(OrgError) {
        try state.update(changes, by: user)
    }

    /// Answers a call as if it came over HTTP.
    package func answer(_ call: OrgRequest) -> OrgResponse { state.answer(call).answer.response }

    /// Records the gateway's answer to a notification; a dead device token is removed from the registry.
    package func answered(_ notification: OrgNotification, _ answer: OrgAnswer) {
        state.answered(notification, answer)
    }

    /// Reads the current world.
    package func read<Result>(_ body: (OrgWorld) throws -> Result) rethrows -> Result { try state.read(body) }

    /// Waits for log entries after a number and returns them; returns none if the task is cancelled.
    package func log(after number: Int) async -> [OrgLog.Entry] {
        while !Task.isCancelled {
            let entries = state.read { $0.org.log.entries(after: number) }
            if !entries.isEmpty { return entries }
            await state.waitForLog(after: number, milliseconds: 1_000)
        }
        return []
    }
}
