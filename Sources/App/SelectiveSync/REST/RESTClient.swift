import PushDispatch

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A client of the CRM's REST interface over URLSession: records, queries, deletions, edits, device registration.
///
/// The access token is sent to the session's host only; a redirect is an error. If the server refuses the access token, the
/// session is renewed once and the call repeated once. Replies are limited in size and time, and checked against the
/// request.
public struct RESTClient: RecordSource, RecordUploader {
    /// Returns the session to use. It is called with nil before each request, and after a 401 with the refused access token.
    /// It then has to renew the session, or log the user in again.
    public typealias SessionProvider = @Sendable (_ refused: String?) async throws -> ServerSession

    let version: String
    private let limits: JSONLimits
    private let session: SessionProvider
    private let http: BoundedHTTP
    private let clock = SystemDispatchClock()
    private let onEvent: @Sendable (RESTEvent) -> Void

    /// - Parameters:
    ///   - version: The API version, such as `v66.0`.
    ///   - maximumReplyBytes: A longer reply is cancelled, and is an error.
    ///   - onEvent: Called on any thread; it should return quickly.
    ///   - session: Returns the address of the org and the access token.
    public init(
        version: String = "v66.0", maximumReplyBytes: Int = 16_777_216,
        configuration: URLSessionConfiguration = .ephemeral,
        onEvent: @escaping @Sendable (RESTEvent) -> Void = { _ in }, session: @escaping SessionProvider
    ) {
        self.version = version
        self.session = session
        self.onEvent = onEvent
        http = BoundedHTTP(configuration, maximumBytes: maximumReplyBytes)
        // Each value takes some bytes of the reply, so this limit follows from the one on bytes.
        limits = JSONLimits(
            maximumBytes: maximumReplyBytes, maximumDepth: 32, maximumValues: max(1, maximumReplyBytes / 4))
    }
}

// Calls.
extension RESTClient {
    public func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        try await perform(CollectionCall(request, version: version), request.timeoutMilliseconds)
    }

    public func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage {
        try await perform(QueryCall(request, version: version), request.timeoutMilliseconds)
    }

    public func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
        try await perform(DeletedCall(request, version: version), request.timeoutMilliseconds)
    }

    /// Sends one change as its own call, several in one composite call.
    public func write(
        _ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64
    ) async throws(FetchError) -> [UploadReply] {
        var calls: [WriteCall] = []
        for write in writes { calls.append(try WriteCall(write, of: object, version: version)) }
        switch calls.count {
        case 0: return []
        case 1: return [try await perform(calls[0], timeoutMilliseconds)]
        default:
            let replies = try await perform(
                CompositeCall(calls.map(\.call), version: version), timeoutMilliseconds)
            return zip(calls, replies).map { $0.read($1, limits: limits) }
        }
    }
}

// Sending.
extension RESTClient {
    func perform<Exchange: RESTExchange>(
        _ exchange: Exchange, _ timeoutMilliseconds: Int64
    ) async throws(FetchError) -> Exchange.Answer {
        var exchange = exchange
        let stopAt = clock.now().advanced(byMilliseconds: timeoutMilliseconds)
        var session = try await open(refused: nil)
        var reply = try await send(exchange.call, session, until: stopAt)
        if reply.status == 401 {
            onEvent(.accessTokenRefused)
            let refused = session.accessToken
            session = try await open(refused: refused)
            guard session.accessToken != refused else {
                throw FetchError(
                    .invalidSessionID, status: 401, advice: .logIn, "the access token was refused and not renewed")
            }
            reply = try await send(exchange.call, session, until: stopAt)
        }
        if reply.status == 414 || reply.status == 431, exchange.shorten() {
            onEvent(.addressRefused)
            reply = try await send(exchange.call, session, until: stopAt)
        }
        return try exchange.read(reply, limits: limits)
    }

    private func open(refused: String?) async throws(FetchError) -> ServerSession {
        do {
            return try await session(refused)
        } catch is CancellationError {
            throw FetchError(.cancelled, advice: .retryLater, "stopped while waiting for a session")
        } catch let error as FetchError {
            throw error
        } catch {
            throw FetchError(.noSession, advice: .logIn, "no session: \(type(of: error))")
        }
    }

    private func send(
        _ call: RESTCall, _ session: ServerSession, until stopAt: DispatchMoment
    ) async throws(FetchError) -> RESTReply {
        var message = URLRequest(url: try SecureAddress.url(session.instance, call.path, call.query))
        message.httpMethod = call.method.rawValue
        for (name, value) in call.headers { message.setValue(value, forHTTPHeaderField: name) }
        if !call.body.isEmpty {
            message.httpBody = Data(call.body)
            message.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        message.setValue("Bearer \(session.accessToken)", forHTTPHeaderField: "Authorization")
        message.setValue("application/json", forHTTPHeaderField: "Accept")
        let reply = try await http.send(message, within: stopAt.milliseconds(since: clock.now()))
        if let usage = reply.limitInfo { onEvent(.usage(usage)) }
        return reply
    }
}
