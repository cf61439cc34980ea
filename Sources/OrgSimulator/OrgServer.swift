import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
package import PushDispatch
import SelectiveSync
import Synchronization

/// The org as a server: its REST interface on a port, and somebody who is told of its pushes.
package final class OrgServer: Sendable {
    package typealias PushHandler = @Sendable ([OutgoingPush]) -> Void

    package struct Call: Hashable, Sendable {
        package let method: String
        package let path: String
        package let status: Int
        package let requestBytes: Int
        package let replyBytes: Int
    }

    package let host: String
    package let port: Int
    private let state: OrgState
    private let running: Task<Void, any Error>

    private init(host: String, port: Int, state: OrgState, running: Task<Void, any Error>) {
        self.host = host
        self.port = port
        self.state = state
        self.running = running
    }

    package var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Opens the port on loopback and serves until `stop`.
    ///
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - sessions: Who is behind each access token.
    ///   - onPush: Called for every change with what the triggers want sent, before the change is answered.
    ///   - onCall: Called for every call that was answered.
    package static func start(
        _ org: Org, host: String = "127.0.0.1", port: Int, sessions: [String: RecordID],
        onPush: @escaping PushHandler, onCall: @escaping @Sendable (Call) -> Void = { _ in }
    ) async throws -> OrgServer {
        let state = OrgState(org, rest: OrgREST(sessions: sessions), onPush: onPush)
        var logger = Logger(label: "apns.org")
        // When it is stopped, Hummingbird logs the connections that it ends as errors.
        logger.logLevel = .critical
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: OrgResponder(state: state, onCall: onCall),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in bound.yield(channel.localAddress?.port ?? port) },
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), logger: logger)
        let running = Task {
            defer { bound.finish() }
            try await application.run()
        }
        for await port in ports { return OrgServer(host: host, port: port, state: state, running: running) }
        try await running.value
        throw CancellationError()
    }

    package func stop() async {
        running.cancel()
        _ = await running.result
    }

    /// Changes a record as `user` does in a browser.
    package func update(
        _ record: RecordID, _ fields: [String: JSONValue], by user: RecordID
    ) throws(OrgError) {
        try state.update(record, fields, by: user)
    }
}

/// The org behind its lock.
final class OrgState: Sendable {
    private let org: Mutex<Org>
    private let rest: OrgREST
    private let onPush: OrgServer.PushHandler

    init(_ org: Org, rest: OrgREST, onPush: @escaping OrgServer.PushHandler) {
        self.org = Mutex(org)
        self.rest = rest
        self.onPush = onPush
    }

    private static var now: ServerDate {
        ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
    }

    func answer(_ request: OrgRequest) -> OrgResponse {
        let answer = org.withLock { rest.answer(request, &$0, at: OrgState.now) }
        if !answer.pushes.isEmpty { onPush(answer.pushes) }
        return answer.response
    }

    func update(_ record: RecordID, _ fields: [String: JSONValue], by user: RecordID) throws(OrgError) {
        let pushes = try org.withLock { (org) throws(OrgError) in
            try org.update(record, fields, by: user, at: OrgState.now)
        }
        if !pushes.isEmpty { onPush(pushes) }
    }
}

private struct OrgResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let state: OrgState
    let onCall: @Sendable (OrgServer.Call) -> Void

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        let target = request.head.path ?? "/"
        let question = target.firstIndex(of: "?")
        var read = OrgRequest(
            request.method.rawValue, String(target[..<(question ?? target.endIndex)]),
            query: question.map { String(target[target.index(after: $0)...]) } ?? "")
        for field in request.headers { read.headers[field.name.canonicalName] = field.value }
        // One byte more than is allowed, so that the org itself says no.
        var body = try await request.body.collect(upTo: OrgREST.maximumBodyBytes + 1)
        read.body = body.readBytes(length: body.readableBytes) ?? []
        let answer = state.answer(read)
        onCall(
            OrgServer.Call(
                method: read.method, path: read.path, status: answer.status, requestBytes: read.body.count,
                replyBytes: answer.body.count))
        var headers = HTTPFields()
        for (name, value) in answer.headers { HTTPFields.Element.Name(name).map { headers[$0] = value } }
        return Response(
            status: .init(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}
