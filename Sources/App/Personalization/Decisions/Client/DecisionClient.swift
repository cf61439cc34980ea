public import EventDelivery
import Foundation
public import PushDispatch

/// Asks a decision service what to show, and keeps the last good answers (docs/reference/personalization.md 1 to 3.1).
///
/// ```swift
/// let client = DecisionClient(
///     DecisionConfiguration(endpoint: endpoint),
///     store: FileDecisionStore(file: folder.appendingPathComponent("decisions").path))
/// ```
///
/// Before the first fetch it must know who uses the app and what they have agreed to: ``identityChanged(to:)`` and
/// ``consentChanged(to:)``. What it decides is in `DecisionCore`.
public actor DecisionClient {
    public nonisolated let configuration: DecisionConfiguration
    var core: DecisionCore
    let transport: any DecisionTransport
    let store: any DecisionStore
    let clock: any DispatchClock
    let wallClock: @Sendable () -> EventTime
    let start: TaskStarter
    let onEvent: @Sendable (DecisionEvent) -> Void

    var requests: [DecisionCore.RequestID: (task: Task<Void, Never>, limit: Task<Void, Never>)] = [:]
    var waiting: [DecisionCore.CallID: Waiter] = [:]
    /// Answers that were there before their call began to wait.
    var early: [DecisionCore.CallID: DecisionAnswer] = [:]
    var isLoaded = false
    /// What was stored must not stay, and could not be replaced yet.
    var mustErase = false
    /// The last failure of the store that was reported. The same one is reported once.
    var reportedFailure: DecisionStoreError?

    typealias DecisionAnswer = Result<FetchedDecisions, DecisionError>

    struct Waiter {
        var continuation: CheckedContinuation<DecisionAnswer, Never>
        var limit: Task<Void, Never>
    }

    /// - Parameters:
    ///   - transport: Nil for ``URLSessionDecisionTransport``.
    ///   - clock: For timeouts and pauses. A change of the device's time does not affect it.
    ///   - wallClock: The device's clock, for the time and age of cached replies.
    ///   - onEvent: Called in order, inside the actor; it should return quickly.
    public init(
        _ configuration: DecisionConfiguration, transport: (any DecisionTransport)? = nil,
        store: any DecisionStore = MemoryDecisionStore(), clock: any DispatchClock = SystemDispatchClock(.awake),
        wallClock: @escaping @Sendable () -> EventTime = { .now() },
        onEvent: @escaping @Sendable (DecisionEvent) -> Void = { _ in }
    ) {
        self.init(
            configuration, transport: transport ?? URLSessionDecisionTransport(), store: store, clock: clock,
            wallClock: wallClock, tasks: .standard, onEvent: onEvent)
    }

    package init(
        _ configuration: DecisionConfiguration, transport: any DecisionTransport, store: any DecisionStore,
        clock: any DispatchClock, wallClock: @escaping @Sendable () -> EventTime, tasks: TaskStarter,
        onEvent: @escaping @Sendable (DecisionEvent) -> Void
    ) {
        self.configuration = configuration
        core = DecisionCore(configuration: configuration)
        self.transport = transport
        self.store = store
        self.clock = clock
        self.wallClock = wallClock
        start = tasks
        self.onEvent = onEvent
    }

    deinit {
        for request in requests.values {
            request.task.cancel()
            request.limit.cancel()
        }
    }

    /// Somebody logs in or out; also called at the start of the app. Waiting fetches end with `userChanged`, and what another
    /// person has in the cache is removed.
    public func identityChanged(to identity: IdentitySnapshot) {
        perform(core.identityChanged(to: identity))
        load()
    }

    /// The person answers, or the app says at its start what they have answered. Without `optedIn` waiting fetches end with
    /// `consent`; `optedOut` empties the cache. Opting in repeats no fetch.
    public func consentChanged(to consent: ConsentState) {
        load()
        perform(core.consentChanged(to: consent))
    }

    /// The app's network monitor says whether there is a connection. Offline no request is sent. Until the first call the
    /// client assumes that there is one.
    public func networkChanged(isOnline: Bool) { core.networkChanged(isOnline: isOnline) }

    /// Asks what to show at some points. Points of several profile graphs are asked for in a request each.
    ///
    /// Fetches of the same thing at the same time share one request. If there is no answer in time, or none that can be used,
    /// the result has the last good reply, or the app's own content, and says why.
    ///
    /// - Parameters:
    ///   - points: The names, at most 100. A repeated one counts once.
    ///   - timeoutMilliseconds: Nil for the configuration's. A later reply refreshes the cache only.
    /// - Throws: `notInitialized`, `consent`, `requestInvalid`, `cancelled`, `userChanged`; any other code only if there is
    ///   neither a cached reply nor default content.
    public func fetchDecisions(
        _ points: [String], context: DecisionContext = DecisionContext(), flags: Set<DecisionRequest.Flag> = [],
        timeoutMilliseconds: Int64? = nil
    ) async throws(DecisionError) -> FetchedDecisions {
        try await fetch(
            DecisionQuery(points: points, context: context, flags: flags), timeoutMilliseconds: timeoutMilliseconds)
    }

    /// As ``fetchDecisions(_:context:flags:timeoutMilliseconds:)``.
    func fetch(
        _ query: DecisionQuery, timeoutMilliseconds: Int64?
    ) async throws(DecisionError) -> FetchedDecisions {
        guard !Task.isCancelled else { throw .cancelled }
        load()
        let (outcome, actions) = core.fetch(query, timeout: timeoutMilliseconds, at: clock.now(), wallTime: wallClock())
        perform(actions)
        switch outcome {
        case .finished(let answer): return try answer.get()
        case .waiting(let call, let until): return try await answer(to: call, until: until).get()
        }
    }

    /// What can be shown at once: the cached reply, or the app's own content. No request is sent. Without consent and before
    /// the identity is known it is the app's own content.
    public func cachedDecisions(
        _ points: [String], context: DecisionContext = DecisionContext(), flags: Set<DecisionRequest.Flag> = []
    ) -> FetchedDecisions {
        load()
        return core.cached(DecisionQuery(points: points, context: context, flags: flags), wallTime: wallClock())
    }

    /// Starts requests whose replies go into the cache, and returns. A fetch of the same thing waits for the same request.
    ///
    /// - Parameter ageMilliseconds: Points with a younger cached reply are not asked for, which saves their credits.
    /// - Throws: `notInitialized`, `consent`, `requestInvalid`.
    public func prefetchDecisions(
        _ points: [String], context: DecisionContext = DecisionContext(), flags: Set<DecisionRequest.Flag> = [],
        ifOlderThan ageMilliseconds: Int64 = 0
    ) throws(DecisionError) {
        try prefetch(
            DecisionQuery(points: points, context: context, flags: flags), ifOlderThan: ageMilliseconds)
    }

    /// As ``prefetchDecisions(_:context:flags:ifOlderThan:)``.
    func prefetch(_ query: DecisionQuery, ifOlderThan ageMilliseconds: Int64) throws(DecisionError) {
        load()
        perform(try core.prefetch(query, olderThan: ageMilliseconds, at: clock.now(), wallTime: wallClock()))
    }

    /// What the requests of this client have cost so far: one for each point that was asked for.
    public var credits: Int { core.credits }

    /// Requests that are in progress.
    public var requestsInProgress: Int { core.requests.count }

    /// Removes all cached replies, also from the store.
    public func eraseCache() {
        load()
        perform(core.eraseCache())
    }
}
