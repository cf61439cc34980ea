package import PushDispatch

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
    /// It then has to renew the session, or log the user in again. If the refused token is of a former log-in, it has to
    /// throw: the call would otherwise be repeated in the name of another user.
    public typealias SessionProvider = @Sendable (_ refused: String?) async throws -> ServerSession

    let version: String
    private let limits: JSONLimits
    private let session: SessionProvider
    private let http: any HTTPTransport
    /// Awake time by default: a device that sleeps gets no answer, so its sleep uses up none of the time for one.
    let clock: any DispatchClock
    /// Calls for another user are refused; nil for no limit.
    private var user: String?
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
        self.init(
            version: version, maximumReplyBytes: maximumReplyBytes,
            http: BoundedHTTP(configuration, maximumBytes: maximumReplyBytes), clock: SystemDispatchClock(.awake),
            onEvent: onEvent, session: session)
    }

    package init(
        version: String = "v66.0", maximumReplyBytes: Int = 16_777_216, http: any HTTPTransport,
        clock: any DispatchClock, onEvent: @escaping @Sendable (RESTEvent) -> Void = { _ in },
        session: @escaping SessionProvider
    ) {
        self.version = version
        self.session = session
        self.onEvent = onEvent
        self.http = http
        self.clock = clock
        // Each value takes some bytes of the reply, so this limit follows from the one on bytes.
        limits = JSONLimits(
            maximumBytes: maximumReplyBytes, maximumDepth: 32, maximumValues: max(1, maximumReplyBytes / 4))
    }
}

// Calls.
extension RESTClient {
    /// The same client for the calls of one user. A call fails with `otherUser`, before it is sent, if the session is another
    /// user's by then.
    public func limited(to user: String) -> RESTClient {
        var client = self
        client.user = user
        return client
    }

    public func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        if let filter = request.filter { return try await fetch(request, matching: filter) }
        return try await perform(CollectionCall(request, version: version), request.timeoutMilliseconds)
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

extension RESTClient {
    public func find(_ lookup: RecordLookup) async throws(FetchError) -> ServerRecord? {
        try await perform(LookupCall(lookup, version: version), lookup.timeoutMilliseconds)
    }
}

// Sending.
extension RESTClient {
    func perform<Exchange: RESTExchange>(
        _ exchange: Exchange, _ timeoutMilliseconds: Int64
    ) async throws(FetchError) -> Exchange.Answer {
        try await perform(exchange, timeoutMilliseconds, continuing: nil).answer
    }

    /// - Parameter earlier: The log-in of an earlier call that this one continues; nil for none.
    /// - Returns: The answer, and the log-in whose session it came with.
    func perform<Exchange: RESTExchange>(
        _ exchange: Exchange, _ timeoutMilliseconds: Int64, continuing earlier: Int?
    ) async throws(FetchError) -> (answer: Exchange.Answer, logIn: Int?) {
        var exchange = exchange
        let stopAt = clock.now().advanced(byMilliseconds: timeoutMilliseconds)
        var session = try await open(refused: nil)
        guard earlier == nil || session.logIn == earlier else {
            throw FetchError(.otherUser, advice: .retryLater, "a user has logged in since the first page was fetched")
        }
        var reply = try await send(exchange.call, session, until: stopAt)
        if reply.status == 401 {
            onEvent(.accessTokenRefused)
            let (refused, logIn) = (session.accessToken, session.logIn)
            session = try await open(refused: refused)
            guard session.logIn == logIn else {
                throw FetchError(.otherUser, advice: .retryLater, "a user has logged in since the call was sent")
            }
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
        return (try exchange.read(reply, limits: limits), session.logIn)
    }

    private func open(refused: String?) async throws(FetchError) -> ServerSession {
        do {
            let session = try await session(refused)
            try Task.checkCancellation()
            if let user, let owner = session.user, owner != user {
                throw FetchError(.otherUser, advice: .retryLater, "the session is of another user than the call")
            }
            return session
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
