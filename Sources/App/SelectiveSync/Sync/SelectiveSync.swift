public import PushDispatch

/// Fetches the records that pushes named, and those left from earlier pushes, and merges them into the store.
///
/// ```swift
/// let sync = SelectiveSync(
///     objects: [SyncObject("Account", fields: ["Name", "OwnerId", "Type"])],
///     fetcher: RESTClient { refused in try await account.session(refused: refused) },
///     store: store)
/// let dispatcher = PushDispatcher(handler: sync, pending: store)
/// ```
///
/// Hints are kept in the store before anything is fetched. Those that come close together share a request, and no record
/// is asked for twice at a time. It only ever brings single records up to date; the regular sync stays the authority, and
/// alone moves the mark.
public actor SelectiveSync: HintHandler {
    private var core: SyncCore
    var overlap = Overlap()
    let objects: [String: SyncObject]
    private let fetcher: any RecordFetcher
    let store: any SyncStore
    let clock: any DispatchClock
    private let random: @Sendable () -> UInt64
    private let start: TaskStarter
    let onEvent: @Sendable (SyncEvent) -> Void
    private var waiting: [SyncCore.TicketID: Waiter] = [:]
    /// Pushes whose hints are being kept; a request of another one may have their records already.
    private var arriving: [Int: (hint: Hint, context: HandlerContext)] = [:]
    private var lastArrival = 0
    private var fetches: [SyncCore.RequestID: Task<Void, Never>] = [:]
    /// Requests whose answers the store is at.
    private var storing: Set<SyncCore.RequestID> = []
    private var timer: (at: DispatchMoment, task: Task<Void, Never>)?
    /// How far each object's hints were read from the store.
    private var loaded: [String: PendingMark] = [:]
    /// Whose turn it is.
    private(set) var turn = Turn()
    /// How often a user went, with all that waited here.
    private var resets = 0
    /// Changes of user that the store is still at.
    private var changesOfUser = 0
    /// Whether the last user has logged out, and none has logged in since.
    private var isLoggedOut = false
    /// Regular syncs under way; one of a former user ends by itself, and is in nobody's way.
    var syncing: Set<Job> = []
    /// Uploads under way.
    var uploading: Set<Job> = []
    /// Hints, answers, outcomes of uploads and changes of user, and hints that are read.
    let inOrder = SerialQueue()

    /// The time of one user, from a log-in to the next: what was begun in one is not for another.
    struct Turn: Hashable {
        /// May become known in the course of it: a push can start the process, and comes before the app's log-in.
        var user: String?
        var number = 0

        static func == (left: Turn, right: Turn) -> Bool { left.number == right.number }

        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    /// What is done once at a time for an object.
    struct Job: Hashable {
        let object: String
        let turn: Turn
    }

    private struct Waiter {
        let context: HandlerContext
        let continuation: CheckedContinuation<HandlerReport, Never>
        var isToldOfRequest = false
    }

    /// - Parameters:
    ///   - random: Spreads the tries after a failure.
    ///   - store: The dispatcher keeps unfinished hints in the same one.
    ///   - clock: The dispatcher's.
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
        self.objects = Dictionary(objects.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        self.fetcher = fetcher
        self.store = store
        self.clock = clock
        self.random = random
        start = tasks
        self.onEvent = onEvent
    }

    public nonisolated var announcesRequests: Bool { true }

    public func handle(_ hint: Hint, _ context: HandlerContext) async -> HandlerReport {
        guard objects[hint.object] != nil else {
            onEvent(.unknownObject(hint.object))
            return HandlerReport(changed: 0)
        }
        // It was for somebody who is gone.
        guard !isLoggedOut else { return HandlerReport(changed: 0) }
        let (turn, former) = (self.turn, resets)
        let mark: PendingMark?
        do {
            lastArrival += 1
            let arrival = lastArrival
            arriving[arrival] = (hint, context)
            defer { arriving[arrival] = nil }
            // A hint of a user who goes meanwhile is not kept any more, or goes with that user.
            mark = await inOrder { isStill(turn) ? await keep(hint) : nil }
            if isStill(turn) { await load(hint.object) }
        }
        // Nor does the dispatcher have to keep it for the next one.
        guard former == resets else { return HandlerReport(changed: 0, isFailed: true) }
        // A slow store took the time. Another push may have had the records fetched meanwhile, so they do not join those
        // that wait here; what is still to be fetched is in the store.
        guard context.remainingMilliseconds > 0, !Task.isCancelled, isStill(turn) else {
            let unfinished = hint.records.filter { objects[hint.object]?.isInScope($0) == true }
            return HandlerReport(changed: 0, unfinished: unfinished, isFailed: true)
        }
        return await run(hint.records, of: hint.object, mark: mark, context)
    }

    /// Fetches what is left from earlier pushes, as after coming back online. Not to be called in a process in which nobody
    /// has logged in: the store may have the records of somebody who logged out.
    ///
    /// - Parameter stopAt: No request begins later; on the clock of this sync.
    public func drain(until stopAt: DispatchMoment) async -> HandlerReport {
        var sum = HandlerReport(changed: 0)
        for object in objects.keys.sorted() {
            let report = await drain(object, until: stopAt)
            sum.changed += report.changed
            sum.unfinished += report.unfinished
            sum.isFailed = sum.isFailed || report.isFailed
        }
        return sum
    }

    /// The same for one object.
    public func drain(_ object: String, until stopAt: DispatchMoment) async -> HandlerReport {
        // An upload that ended late may have left a hint.
        guard !isLoggedOut else { return HandlerReport(changed: 0) }
        let context = HandlerContext(stopAt: stopAt, clock: clock, onRequest: {}, onDone: { _, _ in })
        var changed = 0
        while true {
            let isMore = await load(object)
            // Where pushes for other objects have all the room, waiting for nothing makes none.
            let isIdle = !core.hasRecords(of: object)
            var report = await run([], of: object, mark: nil, context)
            changed += report.changed
            report.changed = changed
            report.isFailed = report.isFailed || isMore && isIdle
            guard isMore, !report.isFailed else { return report }
        }
    }

    /// What the device is connected to now. Coming back online fetches nothing by itself: `drain(until:)` does.
    public func networkChanged(to network: Network) {
        core.networkChanged(to: network)
        deliver(core.settled())
        pump(at: clock.now())
    }

    /// Hands everything to `user`: hints and answers for another one are dropped.
    ///
    /// - Throws: What the store throws, such as for edits that were never sent; then nothing has changed.
    public func logIn(_ user: String, discardingEdits: Bool = false) async throws {
        changesOfUser += 1
        defer { userChanged() }
        try await inOrder {
            let former = try await store.user()
            // A store that was nobody's keeps all that is in it.
            let isOther = former != nil && former != user
            // Even where it comes to nothing: what is being read from the store now may be of either.
            if isOther { turn.number += 1 }
            try await store.logIn(user, discardingEdits: discardingEdits)
            turn.user = user
            isLoggedOut = false
            if isOther { reset() }
        }
    }

    /// The user is gone: waiting hints are dropped, here and in the store; records stay, and so do the hints for those that
    /// no regular sync would bring should the same user come back.
    public func logOut() async throws {
        changesOfUser += 1
        defer { userChanged() }
        reset()
        turn.user = nil
        isLoggedOut = true
        try await inOrder {
            // A log-in that was under way may have ended meanwhile.
            isLoggedOut = true
            try await store.forgetAll()
            // What was read of it meanwhile.
            turn.user = nil
            reset()
        }
    }

    func isStill(_ turn: Turn) -> Bool { turn == self.turn }

    /// Whether a regular sync or an upload may ask the server: not while the session may be another user's than the store.
    var hasUser: Bool { changesOfUser == 0 && !isLoggedOut }

    private func userChanged() {
        changesOfUser -= 1
        pump(at: clock.now())
    }

    private func reset() {
        turn.number += 1
        resets += 1
        let (news, requests) = core.reset()
        loaded = [:]
        for request in requests { fetches.removeValue(forKey: request)?.cancel() }
        deliver(news)
    }
}

// MARK: - Pending

extension SelectiveSync {
    @discardableResult
    func keep(_ hint: Hint) async -> PendingMark? {
        do {
            if let mark = try await store.keep(hint) { return mark }
            onEvent(.regularSyncNeeded(object: hint.object))
        } catch {
            onEvent(.pendingFailed(errorType: "\(type(of: error))"))
        }
        return nil
    }

    /// - Returns: Whether there is no room for all until some are served.
    @discardableResult
    private func load(_ object: String) async -> Bool {
        do {
            let turn = self.turn
            // In order, for what is read must not be served before it is here.
            let loading = try await inOrder {
                let pending = try await store.pending(of: object, after: loaded[object])
                guard isStill(turn) else { return SyncCore.Loading() }
                return take(pending, of: object)
            }
            await forget(loading.outOfScope, of: object)
            return loading.left != nil
        } catch {
            onEvent(.pendingFailed(errorType: "\(type(of: error))"))
            return false
        }
    }

    private func take(_ pending: [PendingRecord], of object: String) -> SyncCore.Loading {
        var loading = core.load(pending, of: object)
        if loading.left != nil, loading.added == 0 {
            // Hints of other objects that nobody waits for are in the store as well.
            for other in core.makeRoom(besides: object) { loaded[other] = nil }
            loading = core.load(pending, of: object)
        }
        let last = loading.left.map { PendingMark(number: $0.number - 1) } ?? pending.last?.mark
        if let last { loaded[object] = max(last, loaded[object] ?? last) }
        return loading
    }

    private func forget(_ records: [PendingRecord], of object: String) async {
        guard !records.isEmpty else { return }
        do {
            try await inOrder { try await store.forget(records, of: object) }
        } catch {
            // They are fetched once more with the next push, which changes nothing.
            loaded[object] = nil
            onEvent(.pendingFailed(errorType: "\(type(of: error))"))
        }
    }
}

// MARK: - Tickets

extension SelectiveSync {
    private func run(
        _ records: [RecordID], of object: String, mark: PendingMark?, _ context: HandlerContext
    ) async -> HandlerReport {
        let now = clock.now()
        let reception = core.receive(records, of: object, mark: mark, stopAt: context.stopAt, at: now)
        if reception.isFull { onEvent(.regularSyncNeeded(object: object)) }
        let ticket = reception.ticket
        let report = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[ticket] = Waiter(context: context, continuation: continuation)
                if context.remainingMilliseconds <= 0 { return cancel(ticket) }
                deliver(core.settled())
                pump(at: now)
            }
        } onCancel: {
            start { await self.cancel(ticket) }
        }
        await context.done(reception.outOfScope.map(\.record), changed: 0)
        await forget(reception.outOfScope, of: object)
        return report
    }

    private func cancel(_ ticket: SyncCore.TicketID) {
        let (report, requests) = core.cancel(ticket, storing: storing)
        for request in requests { fetches[request]?.cancel() }
        if let report { waiting.removeValue(forKey: ticket)?.continuation.resume(returning: report) }
    }

    private func deliver(_ news: [SyncCore.News]) {
        for item in news {
            guard let waiter = waiting[item.ticket] else { continue }
            if let report = item.report {
                waiting[item.ticket] = nil
                waiter.continuation.resume(returning: report)
            } else if !item.done.isEmpty || item.changed > 0 {
                start { await waiter.context.done(item.done, changed: item.changed) }
            }
        }
    }
}

// MARK: - Requests

extension SelectiveSync {
    private func pump(at now: DispatchMoment) {
        deliver(core.timeRanOut(at: now))
        // A request now would ask for one user with the session of another.
        guard changesOfUser == 0 else { return }
        for next in core.next(at: now) {
            let told = toBeTold(of: next)
            fetches[next.request] = start { await self.fetch(next, telling: told) }
        }
        guard let moment = core.wakeUp(at: now) else { return }
        if let timer, timer.at <= moment { return }
        timer?.task.cancel()
        let task = start { [clock] in
            guard (try? await clock.sleep(until: moment)) != nil else { return }
            await self.wake(at: moment)
        }
        timer = (moment, task)
    }

    private func wake(at moment: DispatchMoment) {
        timer = nil
        pump(at: max(clock.now(), moment))
    }

    /// Whoever has records in the request, and does not know yet that one goes out.
    private func toBeTold(of start: SyncCore.Start) -> [HandlerContext] {
        var told: [HandlerContext] = []
        for ticket in start.tickets where waiting[ticket]?.isToldOfRequest == false {
            waiting[ticket]?.isToldOfRequest = true
            if let context = waiting[ticket]?.context { told.append(context) }
        }
        guard !arriving.isEmpty else { return told }
        let records = Set(start.fetch.records)
        for (_, (hint, context)) in arriving.sorted(by: { $0.key < $1.key })
        where hint.object == start.fetch.object && hint.records.contains(where: records.contains) {
            told.append(context)
        }
        return told
    }

    private func fetch(_ start: SyncCore.Start, telling told: [HandlerContext]) async {
        for context in told { await context.willSendRequest() }
        let sequence = overlap.begin()
        let user = turn.user
        let result: Result<[FetchedRecord], FetchError>
        do throws(FetchError) {
            guard changesOfUser == 0 else {
                throw FetchError(.cancelled, advice: .retryLater, "the user is being changed")
            }
            let answers = try await fetcher.fetch(start.fetch)
            try start.fetch.check(answers)
            result = .success(answers)
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let answers): await inOrder { await merge(answers, of: start, sequence, user) }
        case .failure(let error): await failed(start, error)
        }
        overlap.end(sequence)
        fetches[start.request] = nil
        pump(at: clock.now())
    }

    private func merge(
        _ answers: [FetchedRecord], of start: SyncCore.Start, _ sequence: Int, _ user: String?
    ) async {
        // Another user since.
        guard core.isOpen(start.request) else { return }
        let object = start.fetch.object
        let (believed, again) = overlap.sort(answers, of: object, from: sequence)
        var batch = MergeBatch(object, believed, rules: objects[object]?.rules ?? MergeRules(), user: user)
        let doubted = Set(again)
        batch.forget = core.served(by: start.request).filter { !doubted.contains($0.record) }
        storing.insert(start.request)
        defer { storing.remove(start.request) }
        do {
            let result = try await store.merge(batch)
            onEvent(.merged(object: object, result.counts))
            deliver(core.stored(start.request, changed: result.changed, again: again, at: clock.now()))
        } catch {
            onEvent(.storeFailed(object: object, errorType: "\(type(of: error))"))
            deliver(core.notStored(start.request))
        }
    }

    private func failed(_ start: SyncCore.Start, _ error: FetchError) async {
        let object = start.fetch.object
        onEvent(.fetchFailed(object: object, error))
        let failure = core.failed(start.request, error, at: clock.now(), random: random())
        if let retryAt = failure.retryAt {
            onEvent(.retrying(object: object, milliseconds: retryAt.milliseconds(since: clock.now())))
        }
        await forget(failure.dropped, of: object)
        deliver(failure.news)
    }
}
