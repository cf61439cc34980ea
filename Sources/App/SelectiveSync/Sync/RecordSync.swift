public import PushDispatch

/// Fetches the records that pushes name, and those left over from earlier pushes, and merges them into the store.
///
/// ```swift
/// let sync = RecordSync(
///     objects: [SyncObject("Account", fields: ["Name", "OwnerId", "Type"])],
///     fetcher: RESTClient { refused in try await account.session(refused: refused) },
///     store: store)
/// let dispatcher = PushDispatcher(handler: sync, pending: store)
/// ```
///
/// The store keeps each hint before anything is fetched. Hints that come close together share a request, and a record is
/// never in two requests at the same time. A push only brings single records up to date. The regular sync decides what is
/// right, and it alone moves the mark.
public actor RecordSync: HintHandler {
    var scopes: ObjectScopes
    /// Who has logged in last in this process.
    var lastUser: String?
    let fetcher: any RecordFetcher
    let store: any SyncStore
    let clock: any DispatchClock
    let random: @Sendable () -> UInt64
    let start: TaskStarter
    let onEvent: @Sendable (SyncEvent) -> Void
    /// Orders everything that writes to the store or reads hints from it: hints, answers, outcomes of uploads, log-ins
    /// and log-outs. Without it a slow store could take in an answer after a newer one.
    let inOrder = SerialQueue()

    var core: SyncCore
    var concurrentAnswers = ConcurrentAnswers()
    var waiters = SyncWaiters()
    var fetches = SyncFetches()
    var timers = SyncTimers()
    /// The mark up to which each object's hints were read from the store.
    var loaded: [String: PendingMark] = [:]
    var sessions = UserSessions()
    var jobs = SyncJobs()
    var uploadRetries = UploadRetries()

    /// - Parameters:
    ///   - random: Spreads the tries after a failure.
    ///   - store: The dispatcher has to use the same store for unfinished hints.
    ///   - clock: The dispatcher's clock.
    ///   - onEvent: Called in order, inside the actor; it should return quickly.
    public init(
        objects: [SyncObject], policy: SyncPolicy = SyncPolicy(),
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) },
        fetcher: any RecordFetcher, store: any SyncStore, clock: any DispatchClock = SystemDispatchClock(),
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) {
        self.init(
            objects: objects, policy: policy, random: random, fetcher: fetcher, store: store, clock: clock,
            tasks: .standard, onEvent: onEvent)
    }

    package init(
        objects: [SyncObject], policy: SyncPolicy, random: @escaping @Sendable () -> UInt64,
        fetcher: any RecordFetcher, store: any SyncStore, clock: any DispatchClock, tasks: TaskStarter,
        onEvent: @escaping @Sendable (SyncEvent) -> Void
    ) {
        core = SyncCore(objects: objects, policy: policy)
        scopes = ObjectScopes(objects)
        self.fetcher = fetcher
        self.store = store
        self.clock = clock
        self.random = random
        start = tasks
        self.onEvent = onEvent
    }

    public nonisolated var announcesRequests: Bool { true }

    public func handle(_ hint: Hint, _ context: HandlerContext) async -> HandlerReport {
        guard scopes.objects[hint.object] != nil else {
            onEvent(.unknownObject(hint.object))
            return HandlerReport(changed: 0)
        }
        // The hint was for the previous user.
        guard !sessions.isLoggedOut else { return HandlerReport(changed: 0) }
        let (session, resets) = (sessions.current, sessions.resets)
        let mark: PendingMark?
        var areOlderHintsKnown = true
        do {
            let arrival = waiters.arrive(hint, context)
            defer { waiters.endArrival(arrival) }
            // If the user changes now, the hint is either not kept or dropped with the other hints of that user.
            mark = await inOrder { sessions.isCurrent(session) ? await keep(hint) : nil }
            if sessions.isCurrent(session), case .failed = await load(hint.object) { areOlderHintsKnown = false }
        }
        // Unfinished records would make the dispatcher keep the hint for the next user.
        guard resets == sessions.resets else { return HandlerReport(changed: 0, isFailed: true) }
        // A slow store used up the time. The records do not become a ticket, because another push may have fetched them
        // meanwhile; those that are not fetched yet are in the store.
        guard context.remainingMilliseconds > 0, !Task.isCancelled, sessions.isCurrent(session) else {
            let unfinished = hint.records.filter { scopes.objects[hint.object]?.isInScope($0) == true }
            return HandlerReport(changed: 0, unfinished: unfinished, isFailed: true)
        }
        var report = await run(hint.records, of: hint.object, mark: mark, context)
        report.isFailed = report.isFailed || !areOlderHintsKnown
        return report
    }

    /// Fetches what is left over from earlier pushes, for example after coming back online. Call it only after a user has
    /// logged in during this process: the store may hold the records of a user who has logged out.
    ///
    /// - Parameter stopAt: No request starts later; on the clock of this sync.
    public func drain(until stopAt: DispatchMoment) async -> HandlerReport {
        var sum = HandlerReport(changed: 0)
        for object in scopes.objects.keys.sorted() {
            let report = await drain(object, until: stopAt)
            sum.changed += report.changed
            sum.unfinished += report.unfinished
            sum.isFailed = sum.isFailed || report.isFailed
        }
        return sum
    }

    /// The same for one object.
    public func drain(_ object: String, until stopAt: DispatchMoment) async -> HandlerReport {
        // The store may hold hints even now: an upload that ended late can leave one.
        guard !sessions.isLoggedOut else { return HandlerReport(changed: 0) }
        let context = HandlerContext(stopAt: stopAt, clock: clock, onRequest: {}, onDone: { _, _ in })
        var changed = 0
        while true {
            let loaded = await load(object)
            // If pushes for other objects fill the memory, waiting for this object frees none of it.
            let isIdle = !core.hasRecords(of: object)
            var report = await run([], of: object, mark: nil, context)
            changed += report.changed
            report.changed = changed
            report.isFailed = report.isFailed || loaded == .failed || loaded == .part && isIdle
            guard loaded == .part, !report.isFailed else { return report }
        }
    }

    /// Reports whether the app is in the foreground. Hints of objects that wait for it are then fetched by `drain(until:)`.
    public func foregroundChanged(to isInForeground: Bool) {
        core.foregroundChanged(to: isInForeground)
        deliver(core.settled())
        pump(at: clock.now())
    }

    /// Reports what the device is connected to. Coming back online fetches nothing by itself; `drain(until:)` does.
    public func networkChanged(to network: SyncNetwork) {
        core.networkChanged(to: network)
        uploadRetries.networkChanged()
        deliver(core.settled())
        pump(at: clock.now())
    }
}
