import Foundation
public import PushDispatch

/// The app's connection to the CRM: one object that owns session, REST client, store, sync, dispatcher and registration, and
/// orders log-in, log-out, pushes and regular syncs among them.
///
/// ```swift
/// let crm = try CRMSync(configuration)
/// crm.start()
/// ```
///
/// Create it once, before the system delivers anything, and pass everything that happens to it: pushes (`receive`), the device
/// token, log-ins and log-outs, the app's coming to the foreground. It opens the store off the main thread. If the device was
/// not unlocked since its start, the store cannot be read: pushes are answered with `failed`, each later occasion tries again,
/// and the regular sync that follows brings what the pushes named.
///
/// The parts can be used without it.
public actor CRMSync: PushReceiver {
    /// What exists as soon as the store is open.
    struct Parts: Sendable {
        let store: any QueryableStore
        let sync: RecordSync
        let dispatcher: PushDispatcher
    }

    let configuration: Configuration
    /// The session of the user who is logged in.
    public nonisolated let session: OAuthSession
    let server: any RecordSource & RecordUploader
    let registration: PushRegistration?
    nonisolated let board = CRMBoard()
    private nonisolated let routes: PushRoutes

    var parts: Parts?
    private var opening: Task<Result<Parts, CRMSyncError>, Never>?
    /// Log-ins and log-outs, one after the other.
    let changes = SerialQueue()
    /// The log-in or log-out that waits for edits to end.
    var waitingChange: CheckedContinuation<Void, Never>?
    /// The refresh that runs. Calls that come meanwhile wait for it.
    var refreshing: RunningRefresh?
    /// What the network watcher has started.
    var networkWork = NetworkWork.none
    private var opened: StoreOpener.Opened?
    private var following: [Task<Void, Never>] = []

    /// - Throws: `badRequest` if the token address is not https.
    public init(_ configuration: Configuration) throws(FetchError) {
        self.configuration = configuration
        let (board, onEvent) = (board, configuration.onEvent)
        session = try OAuthSession(configuration.app, storage: configuration.tokens) { event in
            board.update { $0.take(event) }
            onEvent(.session(event))
        }
        let client = RESTClient(
            version: configuration.apiVersion, onEvent: { onEvent(.server($0)) }, session: session)
        server = configuration.server ?? client
        let registrar = configuration.registrar ?? client
        registration = configuration.registration.map { registration in
            PushRegistration(
                bundleID: registration.bundleID, registrar: registrar, storage: registration.storage,
                configure: registration.configure, onEvent: { onEvent(.registration($0)) })
        }
        routes = configuration.routes(.reading, .regularSyncReading)
    }

    deinit { for task in following { task.cancel() } }

    /// Opens the store and follows the network. Call it once, at launch; it returns at once.
    public nonisolated func start() {
        Task { await self.startNow() }
    }

    private func startNow() async {
        if let watcher = configuration.network {
            following.append(
                Task { [weak self] in
                    for await network in watcher.networks() { await self?.follow(network) }
                })
        }
        _ = try? await open()
    }

    /// The state for a screen.
    public nonisolated var status: CRMStatus { board.status }

    /// The state now and after each change. A slow reader misses intermediate values, but never the last one.
    public nonisolated func statuses() -> AsyncStream<CRMStatus> { board.statuses() }

    var clock: any DispatchClock { configuration.clock }

    func report(_ event: CRMEvent) { configuration.onEvent(event) }
}

// Opening.
extension CRMSync {
    /// The open store, for the app's screens. Edit through the methods of this object: they wait for a change of users.
    ///
    /// - Throws: `CRMSyncError.locked`. The next call tries again.
    public func store() async throws -> any QueryableStore { try await open().store }

    func open() async throws(CRMSyncError) -> Parts {
        switch board.update({ $0.lifecycle.open() }) {
        case .isOpen: if let parts { return parts }
        case .wait: break
        case .start: opening = Task { await self.openNow() }
        }
        guard let opening else { throw .locked("it is not open") }
        return try await opening.value.get()
    }

    private func openNow() async -> Result<Parts, CRMSyncError> {
        do {
            let (tokens, unreadable) = try await storedTokens()
            let opened: StoreOpener.Opened
            if let earlier = self.opened { opened = earlier } else { opened = try await configuration.store.opened() }
            self.opened = opened
            let owner = try await opened.store.user()
            var user = tokens.flatMap { $0.user ?? owner }
            let parts = parts(opened.store, user)
            var problem = unreadable
            if let known = user {
                do {
                    try await parts.sync.logIn(known, objects: configuration.objects(for: known))
                } catch let error as SyncStoreError {
                    // Another user's edits are in the store. The app has to log in again, and gets the same error.
                    (user, problem) = (nil, error.description)
                    try await parts.dispatcher.userChanged(to: .loggedOut)
                }
            }
            if user == nil { try await parts.sync.logOut() }
            let lastSync = try await lastSync(in: opened.store)
            // Nobody else sees these parts yet, so what changes meanwhile is reported here.
            var reported: CRMState.Surroundings
            repeat {
                reported = board.read(\.surroundings)
                await parts.sync.networkChanged(to: reported.network)
                await parts.sync.foregroundChanged(to: reported.isInForeground)
            } while reported != board.read(\.surroundings)
            self.parts = parts
            board.update { state in
                (state.problem, state.lastSync) = (problem, lastSync)
                state.lifecycle.opened(user)
                if opened.replacement != nil { state.lifecycle.syncIsDue() }
            }
            report(.opened(replacement: opened.replacement))
            follow(opened.store)
            if let user { await begin(user) }
            return .success(parts)
        } catch {
            board.update { state in
                state.problem = "\(error)"
                state.lifecycle.openingFailed()
            }
            report(.notOpened(errorType: "\(type(of: error))"))
            return .failure(.locked("\(error)"))
        }
    }

    /// Tokens that cannot be decoded are as good as none: the user has to log in again, which needs the store.
    private func storedTokens() async throws -> (OAuthTokens?, unreadable: String?) {
        do throws(FetchError) {
            return (try await session.currentTokens(), nil)
        } catch  where error.advice == .logIn {
            return (nil, error.description)
        }
    }

    private func parts(_ store: any QueryableStore, _ user: String?) -> Parts {
        let (board, onEvent) = (board, configuration.onEvent)
        let sync = RecordSync(
            objects: configuration.objects, policy: configuration.policy, fetcher: server, store: store, clock: clock
        ) { event in
            board.update { $0.take(event) }
            onEvent(.sync(event))
        }
        let now = configuration.now
        let regular = PushRoute.regularSync(sync, from: server, policy: configuration.regularSync) { ServerDate(now()) }
        let dispatcher = PushDispatcher(
            routes: configuration.routes(sync, regular), policy: configuration.dispatch,
            user: user.map { .user($0) } ?? .loggedOut, pending: store, clock: clock, onEvent: { onEvent(.push($0)) })
        return Parts(store: store, sync: sync, dispatcher: dispatcher)
    }

    private func follow(_ store: any ObservableStore) {
        following.append(
            Task { [board] in
                do {
                    for try await counts in store.observeCounts() { board.update { $0.waiting = counts } }
                } catch {
                    board.update { $0.problem = "\(error)" }
                }
            })
    }

    /// The store is open for a user, or a user has logged in. Nobody waits for the requests that this starts.
    func begin(_ user: String) async {
        if let registration, await registration.begin(user) { Task { await registration.register() } }
        if board.read(\.lifecycle.isSyncDue) { Task { await self.refreshIfDue() } }
    }
}

// Screens.
extension CRMSync {
    public nonisolated func isShownInForeground(_ push: Push) -> Bool { routes.isShownInForeground(push) }

    public nonisolated func target(of push: Push) -> PushTarget { routes.target(of: push) }
}

extension ServerDate {
    init(_ date: Date) { self.init(millisecondsSince1970: Int64(date.timeIntervalSince1970 * 1_000)) }
}
