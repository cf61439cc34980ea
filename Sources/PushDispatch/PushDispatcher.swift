/// Takes every push of an app, from all entry points, to the handler, and gives the system a truthful result in time.
///
/// ```swift
/// let dispatcher = PushDispatcher(handler: sync, pending: MemoryPendingStore())
/// // In the fetch callback:
/// completionHandler(await dispatcher.handle(Push(userInfo: userInfo), from: .background).backgroundFetchResult)
/// ```
///
/// Each call is answered exactly once and by its deadline, whatever the handler does. What is unfinished is handed to the
/// pending store first. The rules are those of selective-sync.md 8.4 and 9.4.
public actor PushDispatcher {
    private var core: DispatchCore
    private let routes: PushRoutes
    private let pending: any PendingStore
    private let clock: any DispatchClock
    private let start: TaskStarter
    private let onEvent: @Sendable (DispatchEvent) -> Void
    private var waiting: [DispatchCore.DeliveryID: CheckedContinuation<PushResult, Never>] = [:]
    private var tasks: [DispatchCore.WorkID: WorkTasks] = [:]
    private var user = PushUser.anyone
    /// Counts the users, so that what one left to be kept is not kept for the next.
    private var userNumber = 0

    private struct WorkTasks {
        /// Until the handler starts.
        var run: PushRoute.Run?
        var handler: Task<Void, Never>?
        var timers: [Task<Void, Never>] = []
    }

    /// - Parameter onEvent: Called in order, inside the dispatcher; it should return quickly.
    public init(
        types: HintTypes = .standard, policy: DispatchPolicy = DispatchPolicy(), handler: any HintHandler,
        pending: any PendingStore, clock: any DispatchClock = SystemDispatchClock(),
        onEvent: @escaping @Sendable (DispatchEvent) -> Void = { _ in }
    ) {
        self.init(
            routes: PushRoutes(types, handler: handler), policy: policy, pending: pending, clock: clock,
            onEvent: onEvent)
    }

    /// The same with a handler for each type.
    public init(
        routes: PushRoutes, policy: DispatchPolicy = DispatchPolicy(), pending: any PendingStore,
        clock: any DispatchClock = SystemDispatchClock(),
        onEvent: @escaping @Sendable (DispatchEvent) -> Void = { _ in }
    ) {
        self.init(
            routes: routes, policy: policy, pending: pending, clock: clock, tasks: .usual, onEvent: onEvent)
    }

    package init(
        routes: PushRoutes, policy: DispatchPolicy, pending: any PendingStore, clock: any DispatchClock,
        tasks: TaskStarter, onEvent: @escaping @Sendable (DispatchEvent) -> Void
    ) {
        core = DispatchCore(types: HintTypes([]), policy: policy)
        self.routes = routes
        self.pending = pending
        self.clock = clock
        start = tasks
        self.onEvent = onEvent
    }

    /// Handles a push and returns when its result is known, by the deadline at the latest.
    ///
    /// Cancelling the caller stops the handler; what is unfinished is kept and the result is told as usual.
    ///
    /// - Parameter deadline: When the result has to be out, on the dispatcher's clock; nil for the policy's budget.
    public func handle(
        _ push: Push, from entryPoint: EntryPoint, deadline: DispatchMoment? = nil
    ) async -> PushResult {
        let now = clock.now()
        onEvent(.received(type: PushIssue.shown(push["type"]?.string ?? ""), entryPoint: entryPoint))
        guard user.accepts(core.policy.userKey.flatMap { push[$0]?.string }) else {
            onEvent(.ignored(.otherUser))
            return .noData
        }
        let (outcome, issues) = routes.read(push)
        let reading: HintReading
        var run: PushRoute.Run?
        switch outcome {
        case .nothing(let reason): reading = HintReading(.nothing(reason), issues)
        case .work(let hint, let handler):
            reading = HintReading(.hint(hint), issues)
            run = handler
        }
        let reception = core.receive(push, reading, from: entryPoint, deadline: deadline, at: now)
        for issue in reception.issues { onEvent(.issue(issue)) }
        switch reception.decision {
        case .ignore(let reason):
            onEvent(.ignored(reason))
            return .noData
        case .dropTwin:
            onEvent(.twinDropped(entryPoint))
            return .noData
        case .join(let timing):
            onEvent(.twinJoined(entryPoint))
            watch(timing)
        case .fetchAgain(let timing):
            onEvent(.fetchAgain(entryPoint))
            tasks[timing.work, default: WorkTasks()].run = run
            watch(timing)
        case .start(let start):
            tasks[start.timing.work, default: WorkTasks()].run = run
            begin(start)
            watch(start.timing)
        case .settle(let settlement, let cause):
            onEvent(.handlerStopped(cause))
            watch(settlement.timing)
            return await result(of: reception.delivery) { perform(settlement) }
        }
        return await result(of: reception.delivery) {}
    }

    /// The same for callers that bring a completion, which is called exactly once.
    public nonisolated func handle(
        _ push: Push, from entryPoint: EntryPoint, deadline: DispatchMoment? = nil,
        completion: @escaping @Sendable (PushResult) -> Void
    ) {
        start { completion(await self.handle(push, from: entryPoint, deadline: deadline)) }
    }

    /// Another user logs in, or nobody is (`.nobody`). What is under way for the former one ends and is dropped, and so is
    /// the pending list; the same user again changes nothing.
    ///
    /// - Throws: What the pending store throws; pushes of the former user are ignored all the same.
    public func userChanged(to user: PushUser) async throws {
        guard user != self.user else { return }
        let isFirst = self.user == .anyone
        self.user = user
        // Whoever was not told apart before may be the one who is named now.
        if isFirst, user != .nobody { return }
        userNumber += 1
        for work in core.dropAll() {
            onEvent(.handlerStopped(.otherUser))
            tasks[work]?.handler?.cancel()
            answer(work)
        }
        try await pending.forgetAll()
    }

    private func result(of delivery: DispatchCore.DeliveryID, then act: () -> Void) async -> PushResult {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[delivery] = continuation
                act()
            }
        } onCancel: {
            start { await self.cancel(delivery) }
        }
    }

    private func begin(_ start: DispatchCore.Start) {
        let work = start.timing.work
        guard let run = tasks[work]?.run else { return }
        tasks[work]?.run = nil
        onEvent(
            start.hint.records.isEmpty
                ? .startedMessage(type: PushIssue.shown(start.hint.type))
                : .started(object: start.hint.object, records: start.hint.records))
        let context = HandlerContext(
            stopAt: start.timing.stopAt, clock: clock,
            onRequest: { await self.requestGoesOut(work) },
            onDone: { records, changed in await self.done(work, records, changed) })
        tasks[work]?.handler = self.start {
            do {
                let report = try await run(context)
                await self.returned(work, report)
            } catch {
                await self.threw(work, error)
            }
        }
    }

    /// Wakes up when the work has to stop and again at its deadline; either finds nothing to do when it is over.
    private func watch(_ timing: DispatchCore.Timing) {
        let timer = start { [clock] in
            guard (try? await clock.sleep(until: timing.stopAt)) != nil else { return }
            await self.timeRanOut(timing.work)
            guard (try? await clock.sleep(until: timing.deadline)) != nil else { return }
            await self.deadlineReached(timing.work)
        }
        tasks[timing.work, default: WorkTasks()].timers.append(timer)
    }

    private func requestGoesOut(_ work: DispatchCore.WorkID) { core.requestGoesOut(work) }

    private func done(_ work: DispatchCore.WorkID, _ records: [RecordID], _ changed: Int) {
        core.done(work, records, changed: changed)
    }

    private func returned(_ work: DispatchCore.WorkID, _ report: HandlerReport) {
        guard let settlement = core.handlerReturned(work, report) else { return onEvent(.handlerLate) }
        perform(settlement)
    }

    private func threw(_ work: DispatchCore.WorkID, _ error: any Error) {
        guard let settlement = core.handlerReturned(work, nil) else { return onEvent(.handlerLate) }
        onEvent(.handlerFailed(errorType: "\(type(of: error))"))
        perform(settlement)
    }

    private func timeRanOut(_ work: DispatchCore.WorkID) {
        guard let settlement = core.timeRanOut(work, at: clock.now()) else { return }
        stop(settlement, .timeRanOut)
    }

    private func cancel(_ delivery: DispatchCore.DeliveryID) {
        guard let settlement = core.cancelled(delivery) else { return }
        stop(settlement, .cancelled)
    }

    private func stop(_ settlement: DispatchCore.Settlement, _ cause: DispatchEvent.StopCause) {
        onEvent(.handlerStopped(cause))
        tasks[settlement.timing.work]?.handler?.cancel()
        perform(settlement)
    }

    private func perform(_ settlement: DispatchCore.Settlement) {
        let work = settlement.timing.work
        if let next = settlement.next { begin(next) }
        guard let hint = settlement.keep else {
            answer(work)
            return
        }
        start { [userNumber] in await self.keep(hint, of: work, userNumber) }
    }

    private func keep(_ hint: Hint, of work: DispatchCore.WorkID, _ userNumber: Int) async {
        do {
            let mark = try await pending.keep(hint)
            if userNumber == self.userNumber {
                kept(work, hint)
            } else if let mark {
                try await pending.forget(hint.records.map { PendingRecord($0, mark: mark) }, of: hint.object)
                answer(work)
            }
        } catch {
            notKept(work, hint, errorType: "\(type(of: error))")
        }
    }

    private func kept(_ work: DispatchCore.WorkID, _ hint: Hint) {
        onEvent(.kept(object: hint.object, records: hint.records))
        answer(work)
    }

    private func notKept(_ work: DispatchCore.WorkID, _ hint: Hint, errorType: String) {
        onEvent(.notKept(object: hint.object, records: hint.records, errorType: errorType))
        answer(work)
    }

    private func deadlineReached(_ work: DispatchCore.WorkID) {
        // The store may still come back; the system cannot be kept waiting for it.
        if answer(work) { onEvent(.storeLate) }
    }

    @discardableResult
    private func answer(_ work: DispatchCore.WorkID) -> Bool {
        guard let answers = core.answers(of: work) else { return false }
        for timer in tasks.removeValue(forKey: work)?.timers ?? [] { timer.cancel() }
        onEvent(.finished(answers.result, milliseconds: clock.now().milliseconds(since: answers.arrived)))
        for delivery in answers.deliveries {
            waiting.removeValue(forKey: delivery)?.resume(returning: answers.result)
        }
        return true
    }
}
