/// Passes every push of an app, from all entry points, to its handler, and reports a truthful result to the system in
/// time.
///
/// ```swift
/// let dispatcher = PushDispatcher(handler: sync, pending: MemoryPendingStore())
/// // In the fetch callback:
/// completionHandler(await dispatcher.handle(Push(userInfo: userInfo), from: .background).backgroundFetchResult)
/// ```
///
/// Each call is answered exactly once and by its deadline, whatever the handler does. Unfinished records go to the
/// pending store first. The rules are those of docs/reference/selective-sync.md 8.4 and 9, rule 4.
public actor PushDispatcher: PushReceiver {
    var core: DispatchCore
    private nonisolated let budgetMilliseconds: Int64
    private nonisolated let routes: PushRoutes
    let pending: any PendingStore
    nonisolated let clock: any DispatchClock
    nonisolated let start: TaskStarter
    let onEvent: @Sendable (DispatchEvent) -> Void
    var waiting: [DispatchCore.CallID: CheckedContinuation<PushResult, Never>] = [:]
    var tasks: [DispatchCore.RunID: RunTasks] = [:]
    /// The timer of all runs. It stays set when they are over.
    var timer: (at: DispatchMoment, task: Task<Void, Never>)?
    package internal(set) var user: PushUser
    /// Whether the pending store may still hold hints of an earlier user.
    var mustForgetHints = false
    /// Counts the changes of user, so that a hint for an earlier user is not kept for the current one.
    var userNumber = 0
    /// Keeps hints, and forgets them when the user changes.
    let inOrder = SerialQueue()

    struct RunTasks {
        /// Nil once the handler has started.
        var handler: PushRoute.Handler?
        var task: Task<Void, Never>?
        var timing: DispatchCore.Timing?
    }

    /// - Parameters:
    ///   - user: Who is logged in when the process starts; `.loggedOut` after a log-out. The push that starts a process is
    ///     handled before the app can call `userChanged(to:)`.
    ///   - onEvent: Called in order, inside the dispatcher; it should return quickly.
    public init(
        types: HintTypes = .standard, policy: DispatchPolicy = DispatchPolicy(), user: PushUser = .unknown,
        handler: any HintHandler, pending: any PendingStore, clock: any DispatchClock = SystemDispatchClock(),
        onEvent: @escaping @Sendable (DispatchEvent) -> Void = { _ in }
    ) {
        self.init(
            routes: PushRoutes(types, handler: handler), policy: policy, user: user, pending: pending, clock: clock,
            onEvent: onEvent)
    }

    /// A dispatcher with a handler for each type.
    public init(
        routes: PushRoutes, policy: DispatchPolicy = DispatchPolicy(), user: PushUser = .unknown,
        pending: any PendingStore, clock: any DispatchClock = SystemDispatchClock(),
        onEvent: @escaping @Sendable (DispatchEvent) -> Void = { _ in }
    ) {
        self.init(
            routes: routes, policy: policy, user: user, pending: pending, clock: clock, tasks: .standard,
            onEvent: onEvent)
    }

    package init(
        routes: PushRoutes, policy: DispatchPolicy, user: PushUser = .unknown, pending: any PendingStore,
        clock: any DispatchClock, tasks: TaskStarter, onEvent: @escaping @Sendable (DispatchEvent) -> Void
    ) {
        core = DispatchCore(policy: policy)
        budgetMilliseconds = policy.budgetMilliseconds
        self.routes = routes
        self.user = user
        self.pending = pending
        self.clock = clock
        start = tasks
        self.onEvent = onEvent
    }

    /// Handles a push and returns when its result is known, by the deadline at the latest. The time counts from this call,
    /// not from the moment at which the actor gets to run.
    ///
    /// Cancelling the caller stops the handler. What is unfinished is kept, and the result is returned as usual.
    ///
    /// - Parameter deadline: When the result has to be reported, on the dispatcher's clock; nil for the policy's
    ///   budget.
    public nonisolated(nonsending) func handle(
        _ push: Push, from entryPoint: EntryPoint, deadline: DispatchMoment? = nil
    ) async -> PushResult {
        await handle(push, from: entryPoint, by: deadline ?? budgetEnd())
    }

    /// When the result of a push that arrives now has to be reported.
    private nonisolated func budgetEnd() -> DispatchMoment { clock.now().advanced(byMilliseconds: budgetMilliseconds) }

    private func handle(_ push: Push, from entryPoint: EntryPoint, by deadline: DispatchMoment) async -> PushResult {
        let now = clock.now()
        onEvent(.received(type: PushIssue.shown(push["type"]?.string ?? ""), entryPoint: entryPoint))
        guard user.accepts(core.policy.userKey.flatMap { push[$0]?.string }) else {
            onEvent(.ignored(.otherUser))
            return .noData
        }
        let (outcome, issues) = routes.read(push)
        let reading: HintReading
        var handler: PushRoute.Handler?
        switch outcome {
        case .nothing(let cause): reading = HintReading(.nothing(cause), issues)
        case .work(let hint, let bound):
            reading = HintReading(.hint(hint), issues)
            handler = bound
        }
        let reception = core.receive(push, reading, from: entryPoint, deadline: deadline, at: now)
        for issue in reception.issues { onEvent(.issue(issue)) }
        switch reception.decision {
        case .ignore(let cause):
            onEvent(.ignored(cause))
            return .noData
        case .dropDuplicate:
            onEvent(.duplicateDropped(entryPoint))
            return .noData
        case .join(let timing):
            onEvent(.duplicateJoined(entryPoint))
            watch(timing)
        case .fetchAgain(let timing):
            onEvent(.fetchAgain(entryPoint))
            tasks[timing.run, default: RunTasks()].handler = handler
            watch(timing)
        case .start(let start):
            tasks[start.timing.run, default: RunTasks()].handler = handler
            // The timer is set before the handler can wait for anything.
            watch(start.timing)
            begin(start)
        case .settle(let settlement, let cause):
            onEvent(.handlerStopped(cause))
            watch(settlement.timing)
            return await result(of: reception.call) { perform(settlement) }
        }
        return await result(of: reception.call) {}
    }

    public nonisolated func handle(
        _ push: Push, from entryPoint: EntryPoint, deadline: DispatchMoment?,
        completion: @escaping @Sendable (PushResult) -> Void
    ) {
        let deadline = deadline ?? budgetEnd()
        start { completion(await self.handle(push, from: entryPoint, by: deadline)) }
    }

    public nonisolated func isShownInForeground(_ push: Push) -> Bool { routes.isShownInForeground(push) }

    public nonisolated func target(of push: Push) -> PushTarget { routes.target(of: push) }

    /// The same push by several entry points at the same moment, as the system brings it to an app on screen. All calls
    /// are received before a handler starts.
    package func handle(_ push: Push, from entryPoints: [EntryPoint]) -> [Task<PushResult, Never>] {
        let deadline = budgetEnd()
        return entryPoints.map { entryPoint in Task { await handle(push, from: entryPoint, by: deadline) } }
    }

    private func result(of call: DispatchCore.CallID, then act: () -> Void) async -> PushResult {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[call] = continuation
                act()
            }
        } onCancel: {
            start { await self.cancel(call) }
        }
    }
}
