public import PushDispatch

/// Handles the personalization pushes that a person opens (docs/reference/personalization.md 7).
///
/// For each: the open event is queued first, and once for a notification; then the app opens its screen without waiting for
/// anything else; then the landing points are fetched with the context that the payload may bring.
public actor PushOpenedHandler<Route: Sendable> {
    public nonisolated let rules: PushOpenedRules
    private let actions: PushOpenedActions<Route>
    private let installation: String
    private let store: any DecisionStore
    private let clock: any DispatchClock
    private let start: TaskStarter
    private let onEvent: @Sendable (PushOpenedEvent) -> Void
    private let eventLimitMilliseconds: Int64

    private var opened = OpenedNotifications()
    private var isLoaded = false
    /// Notifications whose open event is on its way into the queue.
    private var queueing: Set<String> = []
    private var waiting: [Int: CheckedContinuation<OpenEventOutcome, Never>] = [:]
    private var nextWaiter = 0

    /// - Parameters:
    ///   - installation: Names this installation, for as long as the app is installed. Open events of two installations differ.
    ///   - store: Remembers which notifications were opened: a ``FileDecisionStore`` with a file of its own.
    ///   - eventLimitMilliseconds: How long the screen waits for the open event to be queued. It goes on being queued.
    ///   - onEvent: Called in order, inside the actor; it should return quickly.
    public init(
        rules: PushOpenedRules = PushOpenedRules(), installation: String, store: any DecisionStore,
        clock: any DispatchClock = SystemDispatchClock(.awake), eventLimitMilliseconds: Int64 = 1_000,
        onEvent: @escaping @Sendable (PushOpenedEvent) -> Void = { _ in }, actions: PushOpenedActions<Route>
    ) {
        self.init(
            rules: rules, installation: installation, store: store, clock: clock,
            eventLimitMilliseconds: eventLimitMilliseconds, tasks: .standard, onEvent: onEvent, actions: actions)
    }

    package init(
        rules: PushOpenedRules, installation: String, store: any DecisionStore, clock: any DispatchClock,
        eventLimitMilliseconds: Int64 = 1_000, tasks: TaskStarter,
        onEvent: @escaping @Sendable (PushOpenedEvent) -> Void,
        actions: PushOpenedActions<Route>
    ) {
        self.rules = rules
        self.installation = installation
        self.store = store
        self.clock = clock
        self.eventLimitMilliseconds = eventLimitMilliseconds
        start = tasks
        self.onEvent = onEvent
        self.actions = actions
    }

    /// Handles a push that was opened, and returns once the fetch is started.
    ///
    /// - Parameter requestID: `UNNotificationRequest.identifier`. For pushes with a collapse id that is the collapse id, so an
    ///   app that uses these for several campaigns adds the notification's date.
    /// - Returns: Nil for a push of another type, which nothing was done for.
    @discardableResult
    public func opened(_ push: Push, requestID: String) async -> PushOpening<Route>? {
        guard let content = rules.read(push) else { return nil }
        let eventID = OpenedNotifications.eventID(requestID, installation: installation)
        let notification = OpenedPush(requestID: requestID, eventID: eventID, content: content, push: push)
        for issue in content.issues { onEvent(.issue(issue)) }
        let event = await queueOpen(notification)
        onEvent(.opened(event))
        let route = content.link.flatMap { actions.route($0) }
        await actions.navigate(notification, route)
        start { [actions] in
            let result: Result<FetchedDecisions, any Error>
            do {
                result = .success(try await actions.fetch(content.points, content.context))
            } catch {
                result = .failure(error)
            }
            await actions.show(notification, result)
        }
        return PushOpening(push: notification, event: event, route: route)
    }

    /// The same for a callback with a completion handler, which is called once, when the fetch is started.
    public nonisolated func opened(
        _ push: Push, requestID: String, completion: @escaping @Sendable (PushOpening<Route>?) -> Void
    ) {
        start { completion(await self.opened(push, requestID: requestID)) }
    }

    // MARK: The open event

    private func queueOpen(_ notification: OpenedPush) async -> OpenEventOutcome {
        load()
        let id = notification.requestID
        // No other call runs between the question and the answer.
        guard !opened.contains(id), queueing.insert(id).inserted else { return .repeated }
        let waiter = nextWaiter
        nextWaiter += 1
        let end = clock.now().advanced(byMilliseconds: max(0, eventLimitMilliseconds))
        let limit = clock.schedule(at: end) { [weak self] in await self?.finish(waiter, .late) ?? false }
        defer { limit.cancel() }
        return await withCheckedContinuation { continuation in
            waiting[waiter] = continuation
            start { [actions] in
                do {
                    try await actions.queueOpen(notification)
                    await self.queued(id, waiter, nil)
                } catch {
                    await self.queued(id, waiter, "\(error)")
                }
            }
        }
    }

    private func queued(_ id: String, _ waiter: Int, _ failure: String?) {
        queueing.remove(id)
        if failure == nil {
            opened.insert(id)
            save()
        }
        let outcome = failure.map { OpenEventOutcome.failed($0) } ?? .queued
        // After the limit a delay was reported, so a failure is reported as well.
        if !finish(waiter, outcome), failure != nil { onEvent(.opened(outcome)) }
    }

    /// - Returns: Whether anything still waited.
    private func finish(_ waiter: Int, _ outcome: OpenEventOutcome) -> Bool {
        guard let continuation = waiting.removeValue(forKey: waiter) else { return false }
        continuation.resume(returning: outcome)
        return true
    }

    // MARK: The store

    private static var maximumStoredBytes: Int { 65_536 }

    /// If the list cannot be read now, each later call tries again.
    private func load() {
        guard !isLoaded else { return }
        do throws(DecisionStoreError) {
            guard let bytes = try store.load(maximumBytes: Self.maximumStoredBytes) else {
                isLoaded = true
                return
            }
            guard let stored = OpenedNotifications(encoded: bytes) else { return setAside() }
            // What was opened meanwhile is newer.
            opened = OpenedNotifications(hashes: stored.hashes.filter { !opened.hashes.contains($0) } + opened.hashes)
            isLoaded = true
        } catch {
            if error.code == .damaged { setAside() } else { onEvent(.storeFailed(error)) }
        }
    }

    private func setAside() {
        do throws(DecisionStoreError) {
            onEvent(.storeDamaged(movedTo: try store.setAside()))
            isLoaded = true
        } catch {
            onEvent(.storeFailed(error))
        }
    }

    private func save() {
        // What could not be read is not replaced.
        guard isLoaded else { return }
        do throws(DecisionStoreError) {
            try store.save(opened.encoded())
        } catch {
            onEvent(.storeFailed(error))
        }
    }
}
