import Foundation
package import PushDispatch
package import ServiceHost

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

    private let listener: ServicePort
    let state: OrgState

    private init(_ listener: ServicePort, _ state: OrgState) {
        self.listener = listener
        self.state = state
    }

    package var host: String { listener.host }
    package var port: Int { listener.port }
    package var url: String { listener.url }

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

    /// - Throws: `ServicePort.StartError` if the port cannot be opened, or if the host is not loopback and there is no
    ///   control token.
    package static func start(_ world: OrgWorld, _ options: Options) async throws -> OrgServer {
        var listening = ServicePort.Options(maximumBodyBytes: OrgREST.maximumBodyBytes)
        listening.host = options.host
        listening.port = options.port
        listening.controlToken = options.controlToken
        listening.maximumHeaderBytes = 4 * OrgREST.maximumAddressBytes
        let state = OrgState(world, options)
        let responder = OrgResponder(
            state: state,
            controlGuard: ControlGuard(
                host: options.host, token: options.controlToken, pages: .none, service: "the org"),
            options: options)
        let listener = try await ServicePort.open(listening, name: "org") { try await responder.answer($0) }
        state.setInstanceURL(listener.url)
        return OrgServer(listener, state)
    }

    package func stop() async { await listener.stop() }

    /// Waits until the server ends. Without a call of `stop` the end is a failure.
    package func wait() async throws { try await listener.wait() }

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
    package func answer(_ call: ServiceRequest) -> ServiceResponse { state.answer(call).answer.response }

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
