package import PushDispatch

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The session of the user who is logged in. It returns the access token, and renews it when the server refuses it.
///
/// ```swift
/// let session = try OAuthSession(app, storage: keychain) { event in log(event) }
/// let client = RESTClient(session: session)
/// ```
///
/// One renewal runs at a time, and all calls that need it wait for it. It continues if those calls are cancelled, because
/// its answer may contain a new refresh token. A new refresh token is stored before the answer is used. If the storage
/// fails, the new tokens stay in memory, no call gets them, and the next call stores them first.
///
/// One gap remains: if the process ends after the server has replaced the refresh token and before the answer is stored,
/// the stored refresh token is no longer valid. The stored access token is used as long as the server accepts it. A renewal
/// without an answer is tried again with the old refresh token, which the server may still accept; otherwise the user has
/// to log in again. Pending hints and unsent edits are kept in all these cases.
public actor OAuthSession {
    private typealias Waiter = CheckedContinuation<Result<ServerSession, FetchError>, Never>

    private let app: OAuthApp
    private let storage: any TokenStorage
    private let http: any HTTPTransport
    private let start: TaskStarter
    private let timeoutMilliseconds: Int64
    private let onEvent: @Sendable (OAuthEvent) -> Void

    private var state = OAuthTokenState.unread
    /// Counts log-ins and log-outs. Work that started before one must not change anything after it.
    private var generation = 0
    /// Log-ins and log-outs, one after the other.
    private let changes = SerialQueue()
    private var renewal: Task<Void, Never>?
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0

    /// - Parameters:
    ///   - storage: Stores the tokens; another process of the app may use the same storage.
    ///   - timeoutMilliseconds: The limit for one renewal.
    ///   - onEvent: Called in order, inside the actor; it should return quickly.
    /// - Throws: `badRequest` if the token address is not https.
    public init(
        _ app: OAuthApp, storage: any TokenStorage, timeoutMilliseconds: Int64 = 20_000,
        configuration: URLSessionConfiguration = .ephemeral,
        onEvent: @escaping @Sendable (OAuthEvent) -> Void = { _ in }
    ) throws(FetchError) {
        try self.init(
            app, storage: storage, timeoutMilliseconds: timeoutMilliseconds,
            http: BoundedHTTP(configuration, maximumBytes: RefreshCall.maximumReplyBytes), tasks: .standard,
            onEvent: onEvent)
    }

    package init(
        _ app: OAuthApp, storage: any TokenStorage, timeoutMilliseconds: Int64 = 20_000, http: any HTTPTransport,
        tasks: TaskStarter, onEvent: @escaping @Sendable (OAuthEvent) -> Void = { _ in }
    ) throws(FetchError) {
        guard SecureAddress.isSecure(app.tokenAddress) else {
            throw FetchError(.badRequest, advice: .stop, "the token address has to begin with https://")
        }
        self.app = app
        self.storage = storage
        self.timeoutMilliseconds = timeoutMilliseconds
        self.onEvent = onEvent
        self.http = http
        start = tasks
    }

    /// The session to use.
    ///
    /// - Parameter refused: The access token that the server has refused; nil before the first try of a call.
    /// - Throws: An error with the advice `logIn` if nobody is logged in or the user has to log in again, with `retryLater`
    ///   if the renewal got no answer.
    public func session(replacing refused: String? = nil) async throws(FetchError) -> ServerSession {
        try await read()
        guard state.tokens != nil else { throw OAuthSession.nobody }
        if renewal == nil, let tokens = state.usable(replacing: refused) { return numbered(tokens.session) }
        return try await renewed()
    }

    /// Stores the tokens of a user who has logged in.
    ///
    /// - Throws: What the storage throws; nobody is logged in then. `badRequest` if the instance URL is not https.
    public func logIn(_ tokens: OAuthTokens) async throws {
        guard SecureAddress.isSecure(tokens.instance) else {
            throw FetchError(.badRequest, advice: .stop, "the instance URL has to begin with https://")
        }
        try await changes {
            await stop()
            try await storage.save(tokens)
            state = .loggedIn(tokens)
        }
    }

    /// Removes the tokens. Calls that wait for the session fail.
    ///
    /// - Throws: What the storage throws. Even then no call gets a session.
    public func logOut() async throws {
        try await changes {
            await stop()
            try await storage.clear()
        }
    }

    private func stop() async {
        generation += 1
        state = .loggedOut
        let former = renewal
        renewal = nil
        end(.failure(FetchError(.noSession, advice: .logIn, "the user has logged out")))
        former?.cancel()
        // The renewal may still store tokens. They must not replace the tokens that are stored next.
        await former?.value
    }

    /// The tokens of the user who is logged in, as the storage has them at the start; nil if nobody is.
    ///
    /// - Throws: An error with the advice `logIn` for tokens that cannot be decoded, and with `retryLater` for a storage that
    ///   cannot be read now.
    package func currentTokens() async throws(FetchError) -> OAuthTokens? {
        try await read()
        return state.tokens
    }

    private func numbered(_ session: ServerSession) -> ServerSession {
        var session = session
        session.logIn = generation
        return session
    }

    private func read() async throws(FetchError) {
        guard state == .unread else { return }
        let stored: OAuthTokens?
        do {
            stored = try await storage.load()
        } catch {
            guard (error as? TokenStorageError)?.code != .unreadable else {
                throw FetchError(
                    .noSession, advice: .logIn, "the stored tokens cannot be decoded; a log-in replaces them")
            }
            throw FetchError(.noSession, advice: .retryLater, "the tokens cannot be read: \(type(of: error))")
        }
        state.read(stored)
    }

    private static let nobody = FetchError(.noSession, advice: .logIn, "nobody is logged in")
}

// Waiting for a renewal.
extension OAuthSession {
    private func renewed() async throws(FetchError) -> ServerSession {
        lastWaiter += 1
        let number = lastWaiter
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Waiter) in
                guard !Task.isCancelled else {
                    return continuation.resume(returning: .failure(OAuthSession.cancelled))
                }
                waiters[number] = continuation
                guard renewal == nil else { return }
                let generation = generation
                renewal = start { await self.renew(generation) }
            }
        } onCancel: {
            start { await self.leave(number) }
        }
        return try result.get()
    }

    private func leave(_ number: Int) {
        waiters.removeValue(forKey: number)?.resume(returning: .failure(OAuthSession.cancelled))
    }

    private func end(_ result: Result<ServerSession, FetchError>) {
        let all = waiters.sorted { $0.key < $1.key }
        waiters = [:]
        // The calls go on in the order in which they came.
        for (_, waiter) in all { waiter.resume(returning: result) }
    }

    private static let cancelled = FetchError(
        .cancelled, advice: .retryLater, "stopped while waiting for a session")
}

// Renewing.
extension OAuthSession {
    private func renew(_ generation: Int) async {
        let result: Result<ServerSession, FetchError>
        do throws(FetchError) {
            result = .success(try await renewTokens(generation))
        } catch {
            result = .failure(error)
        }
        // After a log-in or log-out no call waits for this renewal.
        guard generation == self.generation else { return }
        renewal = nil
        if case .failure(let error) = result, error.advice != .logIn { onEvent(.renewalFailed(error)) }
        end(result)
    }

    private func renewTokens(_ generation: Int) async throws(FetchError) -> ServerSession {
        guard var former = state.tokens else { throw OAuthSession.nobody }
        if case .refused = state { throw OAuthSession.refused }
        if case .unsaved(let kept, _) = state {
            try await save(kept, generation)
            if kept.accessToken != former.accessToken { return use(kept, after: former) }
            former = kept
        }
        let renewal = try await ask(former, generation)
        // Another process has renewed and stored them.
        if renewal.isStored { return use(renewal.tokens, after: former) }
        let isReplaced = renewal.tokens.refreshToken != former.refreshToken
        if isReplaced { state.replaced(by: renewal.tokens) }
        if renewal.error == nil || isReplaced { try await save(renewal.tokens, generation) }
        if let error = renewal.error { throw error }
        return use(renewal.tokens, after: former)
    }

    private func use(_ fresh: OAuthTokens, after former: OAuthTokens) -> ServerSession {
        state = .loggedIn(fresh)
        onEvent(.renewed)
        if fresh.instance.host != former.instance.host { onEvent(.moved(host: fresh.instance.host ?? "?")) }
        return numbered(fresh.session)
    }

    /// - Throws: If a new refresh token could not be stored. A new access token alone is used without being stored: the next
    ///   start of the app renews it once more.
    private func save(_ fresh: OAuthTokens, _ generation: Int) async throws(FetchError) {
        do {
            try await storage.save(fresh)
        } catch {
            onEvent(.notSaved(errorType: "\(type(of: error))"))
            try check(generation)
            if case .unsaved = state {
                throw FetchError(.noSession, advice: .retryLater, "the new tokens cannot be stored: \(type(of: error))")
            }
        }
        try check(generation)
        state = .loggedIn(fresh)
    }

    private func check(_ generation: Int) throws(FetchError) {
        guard generation == self.generation else { throw OAuthSession.cancelled }
    }

    private static let refused = FetchError(
        .invalidGrant, status: 400, advice: .logIn, "the server no longer accepts the refresh token")

    private func ask(
        _ former: OAuthTokens, _ generation: Int, isFirst: Bool = true
    ) async throws(FetchError) -> RefreshCall.Renewal {
        do throws(FetchError) {
            let renewal = try await send(former)
            try check(generation)
            return renewal
        } catch  where error.advice == .logIn {
            let stored = isFirst ? try? await storage.load() : nil
            try check(generation)
            if let stored, stored.refreshToken != former.refreshToken, stored.identity == former.identity,
                stored.user == former.user, SecureAddress.isSecure(stored.instance)
            {
                state = .loggedIn(stored)
                guard stored.accessToken == former.accessToken else {
                    return RefreshCall.Renewal(tokens: stored, isStored: true)
                }
                return try await ask(stored, generation, isFirst: false)
            }
            state.refuse()
            onEvent(.logInNeeded)
            throw error
        }
    }

    private func send(_ tokens: OAuthTokens) async throws(FetchError) -> RefreshCall.Renewal {
        let call = try RefreshCall(tokens, for: app)
        var message = URLRequest(url: app.tokenAddress)
        message.httpMethod = "POST"
        message.httpBody = Data(call.body)
        message.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        message.setValue("application/json", forHTTPHeaderField: "Accept")
        return try call.read(try await http.send(message, within: timeoutMilliseconds))
    }
}

extension RESTClient {
    /// A client for the user of `session`.
    public init(
        version: String = "v66.0", maximumReplyBytes: Int = 16_777_216,
        configuration: URLSessionConfiguration = .ephemeral,
        onEvent: @escaping @Sendable (RESTEvent) -> Void = { _ in }, session: OAuthSession
    ) {
        self.init(
            version: version, maximumReplyBytes: maximumReplyBytes, configuration: configuration, onEvent: onEvent
        ) { refused in
            try await session.session(replacing: refused)
        }
    }
}
