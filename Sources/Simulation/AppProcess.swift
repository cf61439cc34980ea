import APNSModel
import PushDispatch
import SelectiveSync

/// An app at work: the dispatcher and the sync as an app has them, and the little that its own code does around them.
///
/// @unchecked: all of it belongs to the thread of the simulation.
final class AppProcess: @unchecked Sendable {
    let device: SimulatedDevice
    let run: Run
    let life: ProcessLife
    let dispatcher: PushDispatcher
    let sync: SelectiveSync
    let gate: StoreGate
    let link: ServerLink
    private var isReady = false
    private var whenReady: [() -> Void] = []
    var wakes: [Wake] = []
    /// What is at work: wakes, syncs, uploads.
    private var atWork = 0
    /// A handler that was stopped may still be at work.
    private var hasStopped = false
    var isSwitching = false
    private var newsCount = 0
    var toldNetwork: Network?
    var isTellingNetwork = false

    static let objects = ["Account", "Interaction"]

    init(_ device: SimulatedDevice, number: Int) {
        self.device = device
        run = device.run
        let run = device.run
        let life = ProcessLife(run.timeline, run.executor.tasks)
        self.life = life
        gate = StoreGate(device, life)
        link = ServerLink(device, life, process: number)
        let settings = run.settings
        let objects = [
            AppProcess.object("Account", ["Name", "OwnerId", "Type"], settings),
            AppProcess.object("Interaction", ["Name", "Status"], settings),
        ]
        sync = SelectiveSync(
            objects: objects, policy: settings.sync, random: { run.random.next() }, fetcher: link, store: gate,
            clock: life, tasks: run.executor.tasks,
            onEvent: { event in if case .regularSyncNeeded = event { run.count(.overflow) } })
        dispatcher = PushDispatcher(
            routes: PushRoutes(.standard, handler: sync), policy: settings.dispatch, pending: gate, clock: life,
            tasks: run.executor.tasks, onEvent: { event in if life.isAlive { device.process?.note(event) } })
    }

    private static func object(_ name: String, _ fields: [String], _ settings: SimulationSettings) -> SyncObject {
        var object = SyncObject(name, fields: fields, isInScope: { settings.isInScope($0) })
        object.rules.missing = settings.missing
        return object
    }

    func start(_ operation: @escaping TaskStarter.Operation) { run.executor.tasks(operation) }

    func die() {
        whenReady = []
        wakes = []
        life.die()
    }

    /// What an app does first: say who is logged in.
    func open() {
        start { [self] in
            await tellNetwork()
            while life.isAlive {
                do {
                    if let account = device.account {
                        try await sync.logIn(account.description)
                        try await dispatcher.userChanged(to: .user(account.description))
                    } else {
                        try await dispatcher.userChanged(to: .nobody)
                    }
                    break
                } catch {
                    await life.pass(500)
                }
            }
            guard life.isAlive else { return }
            isReady = true
            let waiting = whenReady
            whenReady = []
            for action in waiting { action() }
        }
    }

    func ready(_ action: @escaping () -> Void) {
        if isReady { action() } else { whenReady.append(action) }
    }

    func begin() {
        atWork += 1
        if atWork > 1 { for wake in wakes { wake.isAlone = false } }
    }

    func end() { atWork -= 1 }

    // MARK: Pushes

    func wake(_ payload: [UInt8], from entryPoint: EntryPoint) {
        ready { [self] in handle(payload, from: entryPoint) }
    }

    private func handle(_ payload: [UInt8], from entryPoint: EntryPoint) {
        let push = Push(bytes: payload)
        var hint: Hint?
        if case .hint(let read) = HintTypes.standard.read(push).outcome { hint = read }
        let user = push["userId"]?.string.flatMap { RecordID($0) }
        let budget = run.mishap(10) ? Int64(run.number(below: 6_000)) : run.settings.dispatch.budgetMilliseconds
        let deadline = run.timeline.now + budget
        begin()
        let wake = Wake(
            number: run.nextNumber(), payload: payload, hint: hint, user: user, entryPoint: entryPoint,
            began: run.nextNumber(), deadline: deadline, newsBefore: newsCount,
            isAlone: atWork == 1 && !hasStopped && user == device.account && !isSwitching)
        if let hint, user == device.account { device.audit.named(hint.records, number: wake.began) }
        wakes.append(wake)
        run.count(.wake)
        run.trace(
            "\(device.name) wake \(wake.number) by \(entryPoint.rawValue): \(hint?.type ?? "nothing to fetch") "
                + run.short(hint?.records ?? []))
        start { [self] in
            Wake.$current.withValue(wake) {
                dispatcher.handle(push, from: entryPoint, deadline: DispatchMoment(milliseconds: deadline)) { result in
                    self.completed(wake, result)
                }
            }
        }
        // By then a result has to be out.
        run.timeline.at(deadline + 1) { [self] in
            guard life.isAlive, wake.completions == 0 else { return }
            run.fault("\(device.name) wake \(wake.number) has no result in time")
        }
    }

    /// One alarm rings for all wakes, so times that ran out belong to whoever has none left.
    private func note(_ event: DispatchEvent) {
        switch event {
        case .handlerStopped(.timeRanOut), .handlerLate:
            let reserve = run.settings.dispatch.reserveMilliseconds
            for wake in wakes where run.timeline.now >= wake.deadline - reserve { wake.isStopped = true }
            hasStopped = true
        case .storeLate:
            for wake in wakes where run.timeline.now >= wake.deadline { wake.isNotKept = true }
        case .notKept(_, let records, _):
            for wake in wakes where wake.hint?.records.contains(where: records.contains) == true {
                wake.isNotKept = true
            }
        default: Wake.current?.note(event)
        }
    }

    /// A selective fetch stored something new.
    func merged() { newsCount += 1 }

    func awaits(_ record: RecordID) -> Bool {
        wakes.contains { !$0.hasUserChanged && $0.hint?.records.contains(record) == true }
    }

    /// An answer was stored.
    func served(_ record: RecordID, began: Int, isNews: Bool) {
        guard isNews else { return }
        for wake in wakes where wake.began < began && wake.hint?.records.contains(record) == true {
            wake.news.insert(record)
        }
    }

    private func completed(_ wake: Wake, _ result: PushResult) {
        guard life.isAlive else { return }
        wake.completions += 1
        end()
        wakes.removeAll { $0 === wake }
        if wake.isStopped { hasStopped = true }
        run.trace("\(device.name) wake \(wake.number) ends with \(result.rawValue)")
        run.count(result == .newData ? .newData : result == .noData ? .noData : .failed)
        if wake.isStopped { run.count(.stopped) }
        if wake.isTwinDropped { run.count(.twin) }
        check(wake, result)
    }

    private func check(_ wake: Wake, _ result: PushResult) {
        let name = "\(device.name) wake \(wake.number)"
        if wake.completions != 1 { run.fault("\(name) has \(wake.completions) results") }
        let late = run.timeline.now - wake.deadline
        if late > 0 { run.fault("\(name) has its result \(late) ms late") }
        guard let hint = wake.hint else {
            if result != .noData { run.fault("\(name) had nothing to fetch and ends with \(result.rawValue)") }
            return
        }
        if wake.isIgnored || wake.isTwinDropped {
            if result != .noData { run.fault("\(name) did nothing and ends with \(result.rawValue)") }
            if wake.isIgnored, wake.user == device.account, !wake.hasUserChanged, !isSwitching {
                run.fault("\(name) was ignored though it is for the user who is logged in")
            }
            return
        }
        if result == .newData, !wake.isJoined, newsCount == wake.newsBefore {
            run.fault("\(name) tells of news, and there are none")
        }
        if wake.hasUserChanged || wake.isJoined || isSwitching { return }
        let records = hint.records.filter { run.settings.isInScope($0) }
        let unserved = records.filter { !device.audit.served($0, since: wake.began) }
        for record in unserved where !device.audit.isKept(record, of: hint.object) && !wake.isNotKept {
            run.fault("\(name) ends, and \(record) is neither stored nor kept")
        }
        guard wake.isAlone, !wake.isStopped else { return }
        let truth: PushResult = !wake.news.isEmpty ? .newData : unserved.isEmpty ? .noData : .failed
        // What waited before comes along and may be the news.
        if result != truth, !(result == .newData && newsCount > wake.newsBefore) {
            run.fault("\(name) ends with \(result.rawValue); the truth is \(truth.rawValue)")
        }
    }
}
