import APNSModel
import PushDispatch
import SelectiveSync

/// A running app: the dispatcher and the sync as an app uses them, and the app's own code around them.
///
/// @unchecked: only the thread of the simulation uses it.
final class AppProcess: @unchecked Sendable {
    let device: AuditedDevice
    let run: Run
    let clock: ProcessClock
    let dispatcher: PushDispatcher
    let sync: RecordSync
    let store: FaultyStore
    let session: OAuthSession
    let source: AuditedClient
    private var isReady = false
    private var whenReady: [() -> Void] = []
    /// The wakes without a result.
    var wakes: [Wake] = []
    /// The wakes of the last seconds, including those with a result.
    var latestWakes: [Wake] = []
    /// The number of running syncs.
    private var runningSyncs = 0
    /// Whether a handler was stopped, which may still be running.
    var hasStopped = false
    var isSwitching = false
    /// The time since which the sync knows that no user is logged in.
    var loggedOutSince: Int64?
    /// When a selective fetch last stored a change that the user sees (`visibleChange`), and when it last stored any
    /// change (`write`).
    private(set) var latest = (visibleChange: 0, write: 0)
    var reportedNetwork: SyncNetwork?
    var isReportingNetwork = false
    var reportedFilters: [String: DeviceScope.Filter]
    var isReportingFilters = false

    static let objects = ["Account", "Interaction"]

    init(_ device: AuditedDevice) {
        self.device = device
        run = device.run
        let run = device.run
        let clock = ProcessClock(run.timeline, run.executor.tasks)
        self.clock = clock
        store = FaultyStore(device, clock)
        let http = SimulatedHTTP(device, clock)
        session = AppProcess.session(device, clock, http)
        source = AuditedClient(device, clock, http, session)
        let settings = run.settings
        let objects = AppProcess.objects.map { AppProcess.object($0, device.scope, settings) }
        reportedFilters = device.scope.filters
        sync = RecordSync(
            objects: objects, policy: settings.sync, random: { run.random.next() }, fetcher: source, store: store,
            clock: clock, tasks: run.executor.tasks,
            onEvent: { event in if case .regularSyncNeeded = event { run.count(.overflow) } })
        dispatcher = PushDispatcher(
            routes: PushRoutes(.standard, handler: sync), policy: settings.dispatch,
            user: device.account.map { .user($0.description) } ?? .loggedOut, pending: store, clock: clock,
            tasks: run.executor.tasks, onEvent: { event in if clock.isRunning { device.process?.note(event) } })
    }

    static func object(_ name: String, _ scope: DeviceScope, _ settings: SimulationSettings) -> SyncObject {
        var object = SyncObject(name, fields: scope.fields(of: name), isInScope: { settings.isInScope($0) })
        object.filter = scope.filters[name]?.condition
        object.rules.missing = settings.missing
        object.rules.conflicts = settings.conflicts
        object.externalIDField = settings.usesExternalIDs ? SimulatedOrg.externalIDField : nil
        return object
    }

    func start(_ operation: @escaping TaskStarter.Operation) { run.executor.tasks(operation) }

    func end() {
        whenReady = []
        for wake in latestWakes { wake.end() }
        wakes = []
        latestWakes = []
        clock.stop()
    }

    /// Starts the app: first it reports who is logged in. A push may be handled before that, because the dispatcher
    /// knows the user from its creation.
    func open() {
        start { [self] in
            await reportNetwork()
            if let account = device.account, device.tokens == nil { await openSession(for: account) }
            while clock.isRunning {
                do {
                    if let account = device.account {
                        try await logInToSync(account)
                        try await dispatcher.userChanged(to: .user(account.description))
                    } else {
                        try await dispatcher.userChanged(to: .loggedOut)
                    }
                    break
                } catch {
                    await clock.pass(500)
                }
            }
            guard clock.isRunning else { return }
            isReady = true
            let waiting = whenReady
            whenReady = []
            for action in waiting { action() }
        }
    }

    func ready(_ action: @escaping () -> Void) {
        if isReady { action() } else { whenReady.append(action) }
    }

    func beginSync() {
        runningSyncs += 1
        for wake in wakes { wake.isDisturbed = true }
    }

    func endSync() { runningSyncs -= 1 }

    // MARK: Pushes

    func wake(_ payload: [UInt8], from entryPoint: EntryPoint) {
        guard clock.isRunning else { return }
        let push = Push(bytes: payload)
        var hint: Hint?
        if case .hint(let read) = HintTypes.standard.read(push).outcome { hint = read }
        let user = push["userId"]?.string.flatMap { RecordID($0) }
        let budget = run.injectsFault(10) ? Int64(run.number(below: 6_000)) : run.settings.dispatch.budgetMilliseconds
        let now = run.timeline.now
        let wake = Wake(
            number: run.nextNumber(), push: push, hint: hint, user: user, entryPoint: entryPoint, arrived: now,
            began: run.nextNumber(), deadline: now + budget, mark: device.audit.list.mark,
            isDisturbed: runningSyncs > 0 || hasStopped || user != device.account || isSwitching, concurrentWakes: wakes
        )
        if let hint, user == device.account { device.audit.named(hint.records, number: wake.began) }
        wakes.append(wake)
        let isOver = { (wake: Wake) in
            wake.completions > 0 && now - wake.arrived > self.run.settings.dispatch.duplicateWindowMilliseconds
        }
        for wake in latestWakes where isOver(wake) { wake.end() }
        latestWakes.removeAll(where: isOver)
        latestWakes.append(wake)
        run.count(.wake)
        run.trace(
            "\(device.name) wake \(wake.number) by \(entryPoint.rawValue): \(hint?.type ?? "nothing to fetch") "
                + run.short(hint?.records ?? []))
        start { [self] in
            Wake.$current.withValue(wake) {
                dispatcher.handle(
                    push, from: entryPoint, deadline: DispatchMoment(milliseconds: wake.deadline)
                ) { result in
                    self.completed(wake, result)
                }
            }
        }
        // The result must have been reported by this time.
        run.timeline.at(wake.deadline + 1) { [self] in
            guard clock.isRunning, wake.completions == 0 else { return }
            run.reportViolation("\(device.name) wake \(wake.number) has no result in time")
        }
    }

    /// One timer serves all wakes, so the event belongs to each wake that has no time left.
    private func note(_ event: DispatchEvent) {
        switch event {
        case .handlerStopped(.timeRanOut), .handlerLate:
            let reserve = run.settings.dispatch.reserveMilliseconds
            for wake in wakes where run.timeline.now >= wake.runLimit - reserve {
                wake.isStopped = true
                wake.hasRunOutOfTime = true
            }
            hasStopped = true
        case .storeLate:
            for wake in wakes where run.timeline.now >= wake.runLimit { wake.isNotKept = true }
        case .notKept(_, let records, _):
            for wake in wakes where wake.hint?.records.contains(where: records.contains) == true {
                wake.isNotKept = true
            }
        default:
            guard let wake = Wake.current else { return }
            let others = latestWakes.filter { $0 !== wake && $0.push.payload == wake.push.payload }
            wake.note(event, others, twinWindow: run.settings.dispatch.duplicateWindowMilliseconds)
        }
    }

    func awaits(_ record: RecordID) -> Bool {
        wakes.contains { !$0.hasUserChanged && $0.hint?.records.contains(record) == true }
    }

    /// A selective fetch requests records.
    func asked(_ records: [RecordID]) {
        for wake in wakes { wake.open.formUnion(records) }
    }

    /// An answer of a selective fetch was stored.
    func served(_ record: RecordID) {
        for wake in wakes { wake.open.remove(record) }
    }

    /// A selective fetch stored something.
    func merged(_ difference: DeviceAudit.Difference) {
        if difference == .visible { latest.visibleChange = run.nextNumber() }
        if difference != .none { latest.write = run.nextNumber() }
    }
}
