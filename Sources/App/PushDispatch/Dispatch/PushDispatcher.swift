/// Takes every push of an app, from all entry points, to the handler, and gives the system a truthful result in time.
///
/// ```swift
/// let dispatcher = PushDispatcher(handler: sync, pending: MemoryPendingStore())
/// // In the fetch callback:
/// completionHandler(await dispatcher.handle(Push(userInfo: userInfo), from: .background).backgroundFetchResult)
/// ```
///
/// Each call is answered exactly once and by its deadline, whatever the handler does. What is unfinished is handed to the
/// pending store first. The rules are those of docs/reference/selective-sync.md 8.4 and 9.4.
public actor PushDispatcher {
    private var core: DispatchCore
    private let routes: PushRoutes
    private let pending: any PendingStore
    private let clock: any DispatchClock
    private let start: TaskStarter
    private let onEvent: @Sendable (DispatchEvent) -> Void
    private var waiting: [DispatchCore.DeliveryID: CheckedContinuation<PushResult, Never>] = [:]
    private var tasks: [DispatchCore.WorkID: WorkTasks] = [:]
    /// The timer for all works; it may run on for a while when they are over.
    private var alarm: (at: DispatchMoment, task: Task<Void, Never>)?
    package private(set) var user: PushUser
    /// Whether hints of a former user may still be in the pending list.
    private var owesForgetting = false
    /// Counts the users, so that what one left to be kept is not kept for the next.
    private var userNumber = 0
    /// Hints that are kept, and changes of user.
    private let inOrder = SerialQueue()

    private struct WorkTasks {
        /// Until the handler starts.
        var run: PushRoute.Run?
        var handler: Task<Void, Never>?
        var timing: DispatchCore.Timing?
    }

    /// - Parameters:
    ///   - user: Who is logged in as the process begins: `.nobody` after a log-out. A push may be what started the
    ///     process, and comes in before `userChanged(to:)` could say.
    ///   - onEvent: Called in order, inside the dispatcher; it should return quickly.
    public init(
        types: HintTypes = .standard, policy: DispatchPolicy = DispatchPolicy(), user: PushUser = .anyone,
        handler: any HintHandler, pending: any PendingStore, clock: any DispatchClock = SystemDispatchClock(),
        onEvent: @escaping @Sendable (DispatchEvent) -> Void = { _ in }
    ) {
        self.init(
            routes: PushRoutes(types, handler: handler), policy: policy, user: user, pending: pending, clock: clock,
            onEvent: onEvent)
    }

    /// The same with a handler for each type.
    public init(
        routes: PushRoutes, policy: DispatchPolicy = DispatchPolicy(), user: PushUser = .anyone,
        pending: any PendingStore, clock: any DispatchClock = SystemDispatchClock(),
        onEvent: @escaping @Sendable (DispatchEvent) -> Void = { _ in }
    ) {
        self.init(
            routes: routes, policy: policy, user: user, pending: pending, clock: clock, tasks: .standard,
            onEvent: onEvent)
    }

    package init(
        routes: PushRoutes, policy: DispatchPolicy, user: PushUser = .anyone, pending: any PendingStore,
        clock: any DispatchClock, tasks: TaskStarter, onEvent: @escaping @Sendable (DispatchEvent) -> Void
    ) {
        core = DispatchCore(types: HintTypes([]), policy: policy)
        self.routes = routes
        self.user = user
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
        case .dropDuplicate:
            onEvent(.duplicateDropped(entryPoint))
            return .noData
        case .join(let timing):
            onEvent(.duplicateJoined(entryPoint))
            watch(timing)
        case .fetchAgain(let timing):
            onEvent(.fetchAgain(entryPoint))
            tasks[timing.work, default: WorkTasks()].run = run
            watch(timing)
        case .start(let start):
            tasks[start.timing.work, default: WorkTasks()].run = run
            // The limit is there before the handler can wait for anything.
            watch(start.timing)
            begin(start)
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

    /// The same push by several entry points at the same moment, as the system brings it to an app in front. All of them
    /// are received before a handler starts.
    package func handle(_ push: Push, from entryPoints: [EntryPoint]) -> [Task<PushResult, Never>] {
        entryPoints.map { entryPoint in Task { await handle(push, from: entryPoint) } }
    }

    /// Another user logs in, or nobody is (`.nobody`). What is under way for the former one ends and is dropped, and so are
    /// the hints that wait (`PendingStore.forgetAll()`); the same user again changes nothing.
    ///
    /// - Throws: What the pending store throws; pushes of the former user are ignored all the same. Call it again then:
    ///   hints of the former user may still wait.
    public func userChanged(to user: PushUser) async throws {
        guard !user.isSame(as: self.user) else { return try await forgetFormer() }
        let isFirst = self.user == .anyone
        self.user = user
        // Whoever was not told apart before may be the one who is named now.
        if isFirst, user != .nobody { return }
        userNumber += 1
        for work in core.dropAll() {
            onEvent(.handlerStopped(.otherUser))
            tasks[work]?.handler?.cancel()
            answer(core.answers(of: work), of: work)
        }
        owesForgetting = true
        try await forgetFormer()
    }

    private func forgetFormer() async throws {
        guard owesForgetting else { return }
        try await inOrder {
            // Another call has done it, and what was kept since is the next user's.
            guard owesForgetting else { return }
            let number = userNumber
            try await pending.forgetAll()
            if number == userNumber { owesForgetting = false }
        }
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
        if !run.announcesRequests { core.willSendRequest(work) }
        onEvent(
            start.hint.records.isEmpty
                ? .startedMessage(type: PushIssue.shown(start.hint.type))
                : .started(object: start.hint.object, records: start.hint.records))
        let context = HandlerContext(
            stopAt: start.timing.stopAt, clock: clock,
            onRequest: { await self.willSendRequest(work) },
            onDone: { records, changed in await self.done(work, records, changed) })
        tasks[work]?.handler = self.start {
            do {
                let report = try await run.body(context)
                await self.returned(work, report)
            } catch {
                await self.threw(work, error)
            }
        }
    }

    /// Looks after the work when it has to stop and again at its deadline; either finds nothing to do when it is over.
    private func watch(_ timing: DispatchCore.Timing) {
        tasks[timing.work, default: WorkTasks()].timing = timing
        setAlarm(at: timing.next(after: clock.now()) ?? timing.deadline)
    }

    /// A timer costs as much as everything else about a push, so one that rings earlier will do, and none is ended when
    /// its push is.
    private func setAlarm(at moment: DispatchMoment) {
        if let alarm {
            guard moment < alarm.at else { return }
            alarm.task.cancel()
        }
        let task = clock.schedule(at: moment) { [weak self] in await self?.alarmRings(at: moment) ?? false }
        alarm = (moment, task)
    }

    /// - Returns: Whether a time was over.
    private func alarmRings(at moment: DispatchMoment) -> Bool {
        guard alarm?.at == moment else { return false }
        alarm = nil
        let now = max(clock.now(), moment)
        var isOver = false
        for timing in tasks.values.compactMap(\.timing).sorted(by: { ($0.stopAt, $0.work) < ($1.stopAt, $1.work) }) {
            if timing.stopAt <= now, timeRanOut(timing.work, at: now) { isOver = true }
            if timing.deadline <= now, deadlineReached(timing.work) { isOver = true }
        }
        if let next = tasks.values.compactMap({ $0.timing?.next(after: now) }).min() { setAlarm(at: next) }
        return isOver
    }

    private func willSendRequest(_ work: DispatchCore.WorkID) { core.willSendRequest(work) }

    private func done(_ work: DispatchCore.WorkID, _ records: [RecordID], _ changed: Int) {
        core.done(work, records, changed: changed)
    }

    private func returned(_ work: DispatchCore.WorkID, _ report: HandlerReport) {
        guard let settlement = core.handlerReturned(work, report) else { return late(work) }
        perform(settlement)
    }

    private func threw(_ work: DispatchCore.WorkID, _ error: any Error) {
        guard let settlement = core.handlerReturned(work, nil) else { return late(work) }
        onEvent(.handlerFailed(errorType: "\(type(of: error))"))
        perform(settlement)
    }

    private func late(_ work: DispatchCore.WorkID) {
        onEvent(.handlerLate)
        answer(core.answers(ready: work), of: work)
    }

    private func timeRanOut(_ work: DispatchCore.WorkID, at now: DispatchMoment) -> Bool {
        guard let settlement = core.timeRanOut(work, at: now) else { return false }
        stop(settlement, .timeRanOut)
        return true
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
        guard let hint = settlement.keep else { return kept(work) }
        start { [userNumber] in await self.keep(hint, of: work, userNumber) }
    }

    private func keep(_ hint: Hint, of work: DispatchCore.WorkID, _ userNumber: Int) async {
        do {
            try await inOrder {
                // A user who went meanwhile takes along what was kept before.
                guard userNumber == self.userNumber else { return }
                try await pending.keep(hint)
                if userNumber == self.userNumber { onEvent(.kept(object: hint.object, records: hint.records)) }
            }
        } catch {
            onEvent(.notKept(object: hint.object, records: hint.records, errorType: "\(type(of: error))"))
        }
        kept(work)
    }

    private func kept(_ work: DispatchCore.WorkID) {
        core.kept(work)
        answer(core.answers(ready: work), of: work)
    }

    private func deadlineReached(_ work: DispatchCore.WorkID) -> Bool {
        // Store and handler may still come back; the system cannot be kept waiting for them.
        guard let answers = core.answers(of: work) else { return false }
        answer(answers, of: work)
        if !answers.isKept { onEvent(.storeLate) }
        return true
    }

    private func answer(_ answers: DispatchCore.Answers?, of work: DispatchCore.WorkID) {
        guard let answers else { return }
        tasks[work] = nil
        onEvent(.finished(answers.result, milliseconds: clock.now().milliseconds(since: answers.arrived)))
        for delivery in answers.deliveries {
            waiting.removeValue(forKey: delivery)?.resume(returning: answers.result)
        }
    }
}

extension DispatchCore.Timing {
    /// Nil once the deadline is reached.
    fileprivate func next(after now: DispatchMoment) -> DispatchMoment? {
        stopAt > now ? stopAt : deadline > now ? deadline : nil
    }
}
