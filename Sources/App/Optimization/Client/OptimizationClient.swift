public import EventDelivery
public import PushDispatch

/// Chooses variants of entries for the person who uses the app, and reports what they see.
///
/// ```swift
/// let client = OptimizationClient()
/// try await client.initialize(configuration)
/// await client.consent(true)
/// let resolution = client.personalizeEntry(baseline: entry)
/// ```
///
/// One client lives as long as the app.
@MainActor
public final class OptimizationClient {
    let storage: any OptimizationStorage
    let transport: any OptimizationTransport
    private let eventStore: any EventStore
    let clock: any DispatchClock
    private let tasks: TaskStarter
    let mainTasks: MainTaskStarter
    let makeStamp: @Sendable () -> EventStamp
    private let makeViewID: () -> String
    private let random: @Sendable () -> UInt64
    private let monitor: (any OptimizationMonitor)?
    private let onReport: @Sendable (OptimizationReport) -> Void

    /// Nil before `initialize`.
    var core: OptimizationCore?
    var urls: ServiceURLs?
    var queue: EventQueue?
    /// Counts calls of `initialize`, so that an answer from before is not taken for one of now.
    var run = 0
    private var isInitializing = false
    private(set) var isOnline = true
    let serial = SerialQueue()

    var tracker = ViewTracker()
    var viewTimer: (moment: DispatchMoment, task: Task<Void, Never>)?
    /// What views have reported and is on its way into the queues.
    var posts: Task<Void, Never>?
    /// Ends the queue of a client that was destroyed.
    private var endOfQueue: Task<Void, Never>?

    let states = Broadcast<OptimizationState>()
    let displays = Broadcast<EntryDisplay>()
    let rawEvents = Broadcast<JSONValue>()
    let blocked = Broadcast<BlockedEvent>()
    /// The views of entries, which the client does not keep alive.
    private var models: [() -> OptimizedEntryModel?] = []
    /// Takes pushes about entries.
    weak var entryUpdates: EntryUpdateHandler?
    private var sentState = OptimizationState()
    private var sentDisplay = EntryDisplay()

    /// - Parameters:
    ///   - eventStore: Where events wait. In memory, as in the original, what is not sent when the process ends is lost; with a
    ///     `FileEventStore` it is not.
    ///   - monitor: Tells the client about network and life cycle. Nil for an app that calls `setOnline`,
    ///     `willResignActive` and `didBecomeActive` itself.
    ///   - clock: For views and waits.
    ///   - makeStamp: The id and the time of a new event.
    ///   - makeViewID: A new id of a view, a UUID.
    ///   - random: Spreads the tries after failures.
    ///   - onReport: Called in order.
    public convenience init(
        storage: any OptimizationStorage = UserDefaultsOptimizationStorage(),
        transport: any OptimizationTransport = URLSessionOptimizationTransport(),
        eventStore: any EventStore = MemoryEventStore(), monitor: (any OptimizationMonitor)? = nil,
        clock: any DispatchClock = SystemDispatchClock(.awake),
        makeStamp: @escaping @Sendable () -> EventStamp = { EventStamp(id: EventID(), time: .now()) },
        makeViewID: @escaping () -> String = { "\(EventID())" },
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        onReport: @escaping @Sendable (OptimizationReport) -> Void = { _ in }
    ) {
        self.init(
            storage: storage, transport: transport, eventStore: eventStore, monitor: monitor, clock: clock,
            makeStamp: makeStamp, makeViewID: makeViewID, random: random, tasks: .standard,
            mainTasks: .standard, onReport: onReport)
    }

    package init(
        storage: any OptimizationStorage, transport: any OptimizationTransport, eventStore: any EventStore,
        monitor: (any OptimizationMonitor)? = nil, clock: any DispatchClock,
        makeStamp: @escaping @Sendable () -> EventStamp, makeViewID: @escaping () -> String = { "\(EventID())" },
        random: @escaping @Sendable () -> UInt64, tasks: TaskStarter,
        mainTasks: MainTaskStarter, onReport: @escaping @Sendable (OptimizationReport) -> Void
    ) {
        self.storage = storage
        self.transport = transport
        self.eventStore = eventStore
        self.monitor = monitor
        self.clock = clock
        self.tasks = tasks
        self.mainTasks = mainTasks
        self.makeStamp = makeStamp
        self.makeViewID = makeViewID
        self.random = random
        self.onReport = onReport
    }

    // Life cycle.

    /// Whether `initialize` has returned.
    public private(set) var isInitialized = false

    /// Loads what is stored, merges the start values, and starts the monitor.
    ///
    /// - Throws: `configuration` with what is wrong, also for a client that is initialized already; `resourceLoad` if the stored
    ///   values or the queue cannot be read. The client is not initialized then, and the call can be repeated.
    public func initialize(_ configuration: OptimizationConfiguration) async throws(OptimizationError) {
        guard !isInitialized, !isInitializing else {
            throw OptimizationError(
                .configuration, "the client is initialized already; keep the one client, or call destroy() first")
        }
        isInitializing = true
        defer { isInitializing = false }
        let urls = try ServiceURLs(configuration)
        let stored: [String: String]
        do {
            stored = try storage.load()
        } catch {
            throw OptimizationError(
                .resourceLoad,
                "the stored values cannot be read, perhaps because the device is locked; try again later (\(error))")
        }
        run += 1
        await endOfQueue?.value
        endOfQueue = nil
        var core = OptimizationCore(configuration)
        let issues = core.load(stored)
        let queue = makeQueue(configuration)
        // What an earlier process has left is sent at the end, when the client can take the answer.
        await queue.networkChanged(isOnline: false)
        do throws(EventStoreError) {
            try await queue.resume()
        } catch {
            throw OptimizationError(.resourceLoad, "the queue of events cannot be opened; try again later (\(error))")
        }
        // A queue that cannot be written holds the answer in memory, and reports it.
        try? await queue.setConsent(core.queueConsent, for: OptimizationCore.purpose)
        self.core = core
        self.urls = urls
        self.queue = queue
        isInitialized = true
        if !issues.isEmpty { report(.leftOut(issues)) }
        changed()
        monitor?.start { [weak self] event in self?.observe(event) }
        await queue.networkChanged(isOnline: isOnline)
        entryUpdates?.tryAgain()
    }

    private func makeQueue(_ configuration: OptimizationConfiguration) -> EventQueue {
        let (run, report) = (run, onReport)
        var profiles = configuration.profileQueue
        profiles.form = ProfileForm.form(features: configuration.features)
        profiles.answerMilliseconds = configuration.requestMilliseconds
        let destinations = [
            EventDestination(
                OptimizationCore.profileQueue, policy: profiles,
                transport: ClosureTransport { [weak self] in await self?.sendProfile($0, run: run) ?? .noAnswer }),
            EventDestination(
                OptimizationCore.analyticsQueue, policy: configuration.analyticsQueue,
                transport: ClosureTransport { [weak self] in await self?.sendAnalytics($0, run: run) ?? .noAnswer }),
        ]
        let log = configuration.isDebug
        return EventQueue(
            store: eventStore, destinations: destinations, clock: clock, makeStamp: makeStamp, random: random,
            tasks: tasks,
            onReport: { event in
                if log { OptimizationLog.write(.queue(event)) }
                report(.queue(event))
            })
    }

    /// Stops monitor and timers, and empties the state; what is stored stays. For tests and hard resets.
    public func destroy() {
        guard isInitialized else { return }
        monitor?.stop()
        viewTimer?.task.cancel()
        viewTimer = nil
        tracker = ViewTracker()
        if let queue {
            // After the events of earlier calls. The next `initialize` waits for it, so that two queues never use the store.
            endOfQueue = mainTasks { [serial] in await serial { await queue.end() } }
        }
        (core, urls, queue) = (nil, nil, nil)
        run += 1
        isInitialized = false
        changed()
    }

    private func observe(_ event: MonitorEvent) {
        mainTasks { [weak self] in
            switch event {
            case .online(let isOnline): await self?.setOnline(isOnline)
            case .willResignActive: await self?.willResignActive()
            case .didBecomeActive: self?.didBecomeActive()
            }
        }
    }

    /// Whether there is a connection. Coming back online sends what is kept; a repeated value does nothing.
    public func setOnline(_ isOnline: Bool) async {
        guard let queue else { return }
        let isBack = isOnline && !self.isOnline
        self.isOnline = isOnline
        await queue.networkChanged(isOnline: isOnline)
        if isBack { entryUpdates?.tryAgain() }
    }

    /// The app leaves the foreground: ends all views, and sends what is kept. Call it inside a background task of the system.
    ///
    /// - Parameter milliseconds: The limit for sending.
    @discardableResult
    public func willResignActive(within milliseconds: Int64 = 5_000) async -> FlushReport? {
        guard let queue else { return nil }
        post(tracker.enteredBackground(at: clock.now()))
        setViewTimer()
        await posts?.value
        return await queue.willEnterBackground(within: milliseconds)
    }

    /// The app is in front again. Views count as new once their position is reported, and entries that a push has named are
    /// fetched if they could not be before.
    public func didBecomeActive() {
        setViewTimer()
        entryUpdates?.tryAgain()
    }

    /// Sends what is kept, and waits for it.
    ///
    /// - Parameter isForced: Ignores the connection, the back-off and the circuit, but not a request that is under way.
    /// - Throws: `notInitialized`.
    @discardableResult
    public func flush(isForced: Bool = false, within milliseconds: Int64 = 10_000) async throws(OptimizationError)
        -> FlushReport
    {
        guard let queue else { throw .notInitialized("flush") }
        await posts?.value
        return await queue.flush(isForced: isForced, within: milliseconds)
    }

    /// Forgets the person: profile, changes and selections, also the stored ones. Their answer about consent stays, and what they
    /// did before is still sent, for their own profile.
    public func reset() {
        guard core != nil else { return }
        post(tracker.enteredBackground(at: clock.now()))
        core?.reset()
        changed()
    }

    // Observable state.

    /// What the client knows; empty before `initialize`.
    public var state: OptimizationState { core?.state ?? OptimizationState() }

    /// The selections with the overrides of the preview panel; nil before the first reply.
    public var selectedPersonalizations: [ExperienceSelection]? { core?.shownSelections }

    /// The same, by the name of the later generation.
    public var selectedOptimizations: [ExperienceSelection]? { selectedPersonalizations }

    /// The state now, and after each change.
    public func stateUpdates() -> AsyncStream<OptimizationState> { states.stream(startingWith: state, limit: 1) }

    /// What entries are shown with, now and after each change.
    public func displayUpdates() -> AsyncStream<EntryDisplay> { displays.stream(startingWith: display, limit: 1) }

    /// Each event as it goes into a queue, as JSON. A reader that is slow misses the oldest beyond 1,000.
    public func eventUpdates() -> AsyncStream<JSONValue> { rawEvents.stream(limit: 1_000) }

    /// Each call that is dropped because of the person's choice.
    public func blockedEvents() -> AsyncStream<BlockedEvent> { blocked.stream(limit: 1_000) }

    /// Stores and publishes what has changed.
    func changed() {
        if let values = core?.takeUnsaved() {
            do {
                try storage.save(values)
            } catch {
                core?.putBack(values)
                report(
                    .notStored(
                        error as? OptimizationError
                            ?? OptimizationError(.storage, "the storage failed with \(type(of: error))")))
            }
        }
        let (state, display) = (state, display)
        if state != sentState {
            sentState = state
            states.send(state)
        }
        if display != sentDisplay {
            sentDisplay = display
            models.removeAll { $0() == nil }
            for model in models { model()?.refresh() }
            displays.send(display)
        }
    }

    /// Tells a view of an entry about each change.
    func add(_ model: OptimizedEntryModel) {
        if models.count.isMultiple(of: 64) { models.removeAll { $0() == nil } }
        models.append { [weak model] in model }
    }

    /// The views of entries that are there now.
    var shownModels: [OptimizedEntryModel] { models.compactMap { $0() } }

    func report(_ report: OptimizationReport) {
        if core?.configuration.isDebug == true { OptimizationLog.write(report) }
        onReport(report)
    }

    func newViewID() -> String { makeViewID() }
}
