import EventDelivery
import Foundation
import Optimization
import PushDispatch

/// A running app: the library as an app uses it, and the app's own code around it.
///
/// @unchecked: only the thread of the simulation uses it, or the main queue while the thread waits for it.
final class MagazineApp: @unchecked Sendable {
    let device: MagazineDevice
    let run: MagazineRun
    let clock: ProcessClock
    /// Nil until the process has come so far.
    private var client: OptimizationClient?
    private var isReady = false
    private var whenReady: [@MainActor @Sendable () async -> Void] = []
    /// What is on the screen.
    private var views: [MagazineView] = []
    private var isAnswering = false

    var audit: MagazineAudit { device.audit }

    init(_ device: MagazineDevice) {
        self.device = device
        run = device.run
        clock = ProcessClock(device.run.timeline, device.run.executor.tasks, refusesAfterEnd: true)
    }

    func end() {
        whenReady = []
        clock.stop()
    }

    /// Starts the library.
    func open() {
        run.executor.tasks { [self] in await begin() }
    }

    @MainActor
    private func begin() async {
        guard clock.isRunning else { return }
        let (run, device, clock) = (run, device, clock)
        let disk = ProcessDisk(
            run, clock,
            ProcessDisk.Device(
                name: device.name, isFull: { device.isFull }, failed: { device.audit.storeFailed() },
                kill: { device.kill() }))
        let client = OptimizationClient(
            storage: MagazineStorage(disk: disk, device: device),
            transport: MagazineTransport(device: device, clock: clock),
            eventStore: MagazineEventStore(disk: disk, device: device, events: device.events), clock: clock,
            makeStamp: { EventStamp(id: EventID(run.makeUUID()), time: run.wallTime) },
            makeViewID: { "v\(run.nextNumber())" }, random: { run.random.next() }, tasks: run.executor.tasks,
            mainTasks: MainTaskStarter { Task(executorPreference: run.executor, operation: $0) },
            onReport: { if clock.isRunning { device.audit.reported($0) } })
        self.client = client
        views = MagazineService.entries.map { MagazineView(client, $0, device) }
        await initialize(client)
        isReady = clock.isRunning
        let waiting = whenReady
        whenReady = []
        for action in waiting where clock.isRunning { await action() }
    }

    @MainActor
    private func initialize(_ client: OptimizationClient) async {
        while clock.isRunning {
            do {
                try await client.initialize(run.settings.configuration)
                break
            } catch {
                await clock.pass(1_000)
            }
        }
        guard clock.isRunning else { return }
        audit.found(client.state.consent)
        await client.setOnline(device.isOnline)
    }

    // MARK: What the user does

    /// Each call is a task of its own, so that several are under way at a time.
    private func act(_ body: @escaping @MainActor @Sendable (OptimizationClient) async -> Void) {
        run.executor.tasks { [self] in
            await onMain { [self] in
                guard clock.isRunning, let client else { return }
                checkShownNow()
                await body(client)
                if clock.isRunning { checkShownNow() }
            }
        }
    }

    @MainActor
    private func onMain(_ action: @escaping @MainActor @Sendable () async -> Void) async {
        if isReady { await action() } else if clock.isRunning { whenReady.append(action) }
    }

    private func report(
        _ type: String, profile: Bool, analytics: Bool,
        _ body:
            @escaping @MainActor @Sendable (OptimizationClient, _ marker: String) async throws(OptimizationError)
            -> EventOutcome
    ) {
        act { [self] client in
            let call = audit.begin(type, marker: "m\(run.nextNumber())x", client.state.consent)
            (call.isForProfile, call.isForAnalytics) = (profile, analytics)
            do throws(OptimizationError) {
                let outcome = try await body(client, call.marker)
                if clock.isRunning { audit.end(call, outcome) }
            } catch {
                if clock.isRunning { audit.fail(call, error) }
            }
        }
    }

    func screen() {
        run.count(.screen)
        report("screen", profile: true, analytics: false) { client, marker async throws(OptimizationError) in
            try await client.screen(marker)
        }
    }

    func page() {
        report("page", profile: true, analytics: false) { client, marker async throws(OptimizationError) in
            try await client.page(["marker": .string(marker)])
        }
    }

    func identify(isGold: Bool) {
        run.count(.identify)
        report("identify", profile: true, analytics: false) { [audit] client, marker async throws(OptimizationError) in
            try await client.identify(
                userID: audit.userID, traits: ["plan": isGold ? "gold" : "silver", "marker": .string(marker)])
        }
    }

    /// Events that the app reports by itself.
    func trackDirectly() {
        let entry = TrackedEntry(
            componentID: "own", experienceID: "exp-own", variantIndex: 1, isSticky: run.chance(50))
        if run.chance(50) {
            report("component", profile: entry.isSticky, analytics: true) {
                client, marker async throws(OptimizationError) in
                try await client.trackView(ViewPayload(entry, viewID: marker, viewDurationMilliseconds: 2_000))
            }
        } else {
            report("component_click", profile: false, analytics: true) {
                client, marker async throws(OptimizationError) in
                var entry = entry
                entry.componentID = marker
                return try await client.trackClick(ClickPayload(entry))
            }
        }
    }

    /// Another person uses the app from now on.
    func reset() {
        act { [self] client in
            run.count(.reset)
            run.trace("\(device.name): another person")
            audit.reset {
                client.reset()
                return clock.isRunning
            }
        }
    }

    func answer(_ answer: Bool) {
        act { [self] client in
            guard !isAnswering else { return }
            isAnswering = true
            defer { isAnswering = false }
            run.count(answer ? .optIn : .optOut)
            run.trace("\(device.name): the answer is \(answer ? "yes" : "no")")
            audit.beginAnswer(answer)
            await client.consent(answer)
            if clock.isRunning { audit.endAnswer(answer) }
        }
    }

    // MARK: The screen

    /// An entry scrolls in or out.
    func look() {
        let ratio: Double = run.pick([0, 0, 0.5, 0.79, 0.8, 1, 1]) ?? 0
        let index = run.number(below: MagazineService.entries.count)
        act { [self] _ in
            run.count(.view)
            views[index].moved(to: ratio)
        }
    }

    func tap() {
        let index = run.number(below: MagazineService.entries.count)
        act { [self] _ in
            run.count(.tap)
            views[index].tapped()
        }
    }

    func changeLive() {
        let (isApp, value) = (run.chance(30), run.pick([true, false, nil]) ?? nil)
        let index = run.number(below: MagazineService.entries.count)
        act { [self] client in
            run.count(.liveChange)
            if isApp { client.isLive = value ?? false } else { views[index].setLive(value) }
        }
    }

    /// What a developer does with the panel.
    func preview() {
        guard run.settings.hasPreview else { return look() }
        let (number, isOpen) = (run.number(below: 8), run.chance(50))
        let experience = run.pick(MagazineService.experiences + [MagazineAudit.previewExperience]) ?? ""
        act { [self] client in
            run.count(.overridden)
            switch number {
            case 0, 1:
                run.count(.panelChange)
                for view in views { view.panelWillChange() }
                client.setPreviewPanel(isOpen: !client.isPreviewPanelOpen)
                for view in views { view.panelHasChanged() }
            case 2, 3:
                run.trace("\(device.name) overrides \(experience)")
                client.overrideVariant(experience, index: MagazineAudit.previewIndex)
                // It stores something, and a write may be where the app is killed.
                if clock.isRunning { audit.overridden.insert(experience) }
            case 4:
                client.overrideAudience(
                    MagazineService.audience, isQualified: isOpen, experienceIDs: [MagazineAudit.previewExperience])
                audit.overridden.remove(MagazineAudit.previewExperience)
            case 5: client.resetAudienceOverride(MagazineService.audience)
            case 6:
                client.resetVariantOverride(experience)
                audit.overridden.remove(experience)
            default:
                client.resetAllOverrides()
                audit.overridden = []
            }
        }
    }

    // MARK: The phase and the network

    func enterBackground() {
        act { [self] client in
            run.count(.background)
            for view in views { view.left() }
            await client.willResignActive(within: 5_000)
        }
    }

    func enterForeground() {
        act { [self] client in
            run.count(.foreground)
            client.didBecomeActive()
        }
    }

    func flush(isForced: Bool) {
        act { client in _ = try? await client.flush(isForced: isForced, within: 60_000) }
    }

    func networkChanged() {
        act { [self] client in await client.setOnline(device.isOnline) }
    }

    /// Ends the library and begins anew, in the same process.
    func restart() {
        act { [self] client in
            guard isReady else { return }
            isReady = false
            run.count(.restart)
            run.trace("\(device.name) destroys the client")
            client.destroy()
            audit.destroyed()
            for view in views { view.left() }
            await initialize(client)
            isReady = clock.isRunning
            let waiting = whenReady
            whenReady = []
            for action in waiting where clock.isRunning { await action() }
        }
    }

    // MARK: Checks

    func checkShown() {
        run.executor.tasks { [self] in await checkShownOnMain() }
    }

    @MainActor
    private func checkShownOnMain() { if clock.isRunning { checkShownNow() } }

    /// What is shown now is what may be shown.
    @MainActor
    private func checkShownNow() {
        guard let client, client.isInitialized else { return }
        for view in views { view.check() }
        audit.checkSelections(client.selectedPersonalizations ?? [], client.state.profile)
    }
}
