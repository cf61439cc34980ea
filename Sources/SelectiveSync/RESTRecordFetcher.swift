import PushDispatch

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Fetches records over the CRM's REST interface with URLSession.
public struct RESTRecordFetcher: RecordFetcher {
    /// Gives the session to use. Called with nil before each request, and after a 401 with the access token that was
    /// refused, which then has to be refreshed, or the user logged in again.
    public typealias SessionProvider = @Sendable (_ refused: String?) async throws -> ServerSession

    private let version: String
    private let maximumReplyBytes: Int
    private let session: SessionProvider
    private let http: BoundedHTTP

    /// - Parameters:
    ///   - version: API version such as `v66.0`.
    ///   - maximumReplyBytes: A longer reply is broken off and is an error.
    ///   - session: Where the org is and what opens it.
    public init(
        version: String = "v66.0", maximumReplyBytes: Int = 16_777_216,
        configuration: URLSessionConfiguration = .ephemeral, session: @escaping SessionProvider
    ) {
        self.version = version
        self.maximumReplyBytes = maximumReplyBytes
        self.session = session
        http = BoundedHTTP(configuration, maximumBytes: maximumReplyBytes)
    }

    public func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        let call = try CollectionCall(request, version: version)
        let first = try await open(refused: nil)
        var reply = try await send(call, first, request)
        if reply.status == 401 {
            let second = try await open(refused: first.accessToken)
            guard second.accessToken != first.accessToken else {
                throw FetchError(
                    .invalidSessionID, status: 401, advice: .logIn, "the access token was refused and not renewed")
            }
            reply = try await send(call, second, request)
        }
        // A field of a record has at least a few bytes, so the bound on bytes bounds the values as well.
        let limits = JSONLimits(
            maximumBytes: maximumReplyBytes, maximumDepth: 32, maximumValues: max(1, maximumReplyBytes / 4))
        return try call.records(status: reply.status, body: reply.body, limits: limits)
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
        _ call: CollectionCall, _ session: ServerSession, _ request: FetchRequest
    ) async throws(FetchError) -> BoundedHTTP.Reply {
        guard request.timeoutMilliseconds > 0 else {
            throw FetchError(.timeout, advice: .retryLater, "no time left for a request")
        }
        var message = URLRequest(url: try RESTRecordFetcher.address(session.instance, call.path))
        message.httpMethod = "POST"
        message.httpBody = Data(call.body)
        message.timeoutInterval = Double(request.timeoutMilliseconds) / 1_000
        message.setValue("Bearer \(session.accessToken)", forHTTPHeaderField: "Authorization")
        message.setValue("application/json", forHTTPHeaderField: "Content-Type")
        message.setValue("application/json", forHTTPHeaderField: "Accept")
        return try await http.send(message)
    }

    /// - Throws: `badRequest` where the access token would travel in the clear.
    static func address(_ instance: URL, _ path: String) throws(FetchError) -> URL {
        let isLocal = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(instance.host ?? "")
        guard instance.scheme == "https" || (instance.scheme == "http" && isLocal), instance.host != nil else {
            throw FetchError(.badRequest, advice: .stop, "the instance URL has to begin with https://")
        }
        guard var parts = URLComponents(url: instance, resolvingAgainstBaseURL: false) else {
            throw FetchError(.badRequest, advice: .stop, "the instance URL cannot be read")
        }
        parts.path = path
        parts.query = nil
        parts.fragment = nil
        guard let url = parts.url else {
            throw FetchError(.badRequest, advice: .stop, "the instance URL cannot be read")
        }
        return url
    }
}
