import EventDelivery
import Personalization
import PushDispatch

/// A running app: the library as an app uses it, and the app's own code around it.
///
/// @unchecked: only the thread of the simulation uses it.
final class ShopApp: @unchecked Sendable {
    let device: ShopDevice
    let run: ShopRun
    let clock: ProcessClock
    let queue: EventQueue
    let client: PersonalizationClient
    private let openedStore: ShopByteStore
    private(set) var handler: PushOpenedHandler<DeepLinkRoute>?
    private var isReady = false
    private var whenReady: [() -> Void] = []
    /// What is on the screen.
    var shown: [Decision] = []
    /// An app changes its user, its answers and its phase one after the other.
    var isChangingUser = false
    var isAnswering = false
    var isChangingPhase = false

    var audit: ShopAudit { device.audit }

    init(_ device: ShopDevice) {
        self.device = device
        run = device.run
        let run = device.run
        let clock = ProcessClock(run.timeline, run.executor.tasks, refusesAfterEnd: true)
        self.clock = clock
        let disk = ShopDisk(device, clock)
        let configuration = device.configuration
        let transport = ShopTransport(device: device, clock: clock, configuration: configuration)
        queue = EventQueue(
            store: ShopEventStore(disk: disk),
            destinations: [PersonalizationClient.destination(configuration, transport: transport)], clock: clock,
            makeStamp: { EventStamp(id: EventID(run.makeUUID()), time: device.wallTime) },
            random: { run.random.next() }, tasks: run.executor.tasks,
            onReport: { if clock.isRunning { device.audit.reported($0) } })
        var decisions = DecisionConfiguration(endpoint: configuration.endpoint)
        decisions.graphs = ["offers": "other"]
        decisions.defaults = [:]
        decisions.maximumRequests = run.settings.maximumRequests
        let fetcher = DecisionClient(
            decisions, transport: ShopNetwork(device, clock), store: ShopByteStore(disk, \.replies), clock: clock,
            wallClock: { device.wallTime }, tasks: run.executor.tasks,
            onEvent: { event in
                if clock.isRunning, case .cacheDamaged = event { device.audit.violation("finds its cache damaged") }
            })
        openedStore = ShopByteStore(disk, \.opened)
        client = PersonalizationClient(
            configuration: configuration, queue: queue, storage: ShopStateStorage(disk: disk), decisions: fetcher,
            clock: clock, makeID: { run.makeID() },
            onReport: { report in
                guard clock.isRunning else { return }
                switch report {
                case .notKept(let kind, _): device.audit.notKept(kind)
                case .stateDamaged: device.audit.violation("finds its state damaged")
                case .stateNotStored: break
                }
            })
        device.audit.processStarted()
    }

    func start(_ operation: @escaping TaskStarter.Operation) { run.executor.tasks(operation) }

    func end() {
        whenReady = []
        clock.stop()
    }

    /// Opens the library's files, and learns from them who uses the app and what they have answered.
    func open() {
        start { [self] in
            await client.networkChanged(isOnline: device.isOnline)
            if run.settings.answersFirst { await setKnownAnswers() }
            while clock.isRunning {
                do {
                    try await startClient()
                    let user = try await client.identity().userID
                    handler = try await makeHandler()
                    if clock.isRunning { audit.foundUser(user) }
                    break
                } catch {
                    await clock.pass(1_000)
                }
            }
            for purpose in audit.purposes.all {
                let answer = await client.consent(for: purpose)
                guard clock.isRunning else { return }
                audit.foundAnswer(answer, for: purpose)
            }
            await setKnownAnswers()
            guard clock.isRunning else { return }
            isReady = true
            let waiting = whenReady
            whenReady = []
            for action in waiting { action() }
        }
    }

    /// Without space in the queue the library's own events wait, and the app goes on.
    private func startClient() async throws(PersonalizationError) {
        do throws(PersonalizationError) {
            try await client.start()
        } catch {
            guard error.code == .notKept else { throw error }
            if clock.isRunning { audit.hasNoSpace(for: "the library's own events") }
        }
    }

    /// As an app does at each start.
    private func setKnownAnswers() async {
        for purpose in audit.purposes.all {
            if clock.isRunning, let answer = device.answers[purpose] { await set(answer, for: purpose) }
        }
    }

    /// Its closures do not keep the app, which keeps the handler.
    private func makeHandler() async throws -> PushOpenedHandler<DeepLinkRoute> {
        try await client.pushOpenedHandler(
            store: openedStore, tasks: run.executor.tasks,
            navigate: { [weak self] push, _ in
                guard let self, clock.isRunning else { return }
                if let cached = try? await client.cachedDecisions(push.content.points, context: push.content.context),
                    clock.isRunning
                {
                    audit.shows(cached)
                }
            },
            show: { [weak self] _, result in
                guard let self, clock.isRunning, case .success(let decisions) = result else { return }
                audit.shows(decisions)
                shown = decisions.decisions
            })
    }

    func ready(_ action: @escaping () -> Void) {
        if isReady { action() } else { whenReady.append(action) }
    }

    /// Sets an answer, again until it is stored.
    func set(_ answer: ConsentState, for purpose: ConsentPurpose) async {
        guard clock.isRunning else { return }
        audit.beginAnswer(answer, for: purpose)
        while clock.isRunning {
            do {
                try await client.setConsent(answer, for: purpose)
                if clock.isRunning { audit.endAnswer(answer, for: purpose, isStored: true) }
                return
            } catch {
                guard clock.isRunning else { return }
                audit.endAnswer(answer, for: purpose, isStored: false)
                // Only a record that has no space is not tried again.
                if error.code != .storage { return }
                await clock.pass(1_000)
            }
        }
    }
}
