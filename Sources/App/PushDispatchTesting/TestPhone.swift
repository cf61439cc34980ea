public import PushDispatch

/// A phone with one app on it, for tests: brings pushes to the app's callbacks as the system would, in whatever state
/// the app is, and looks whether each is answered once, in time and with the truth.
///
/// ```swift
/// let phone = TestPhone(.suspended) { clock in
///     PhoneApp(PushDispatcher(handler: handler, pending: store, clock: clock))
/// }
/// let report = try await phone.receive(Push(file: "account.apns"))
/// #expect(try report.result == .newData)
/// try await phone.check()
/// ```
///
/// Which callbacks run is decided by the tables of docs/reference/selective-sync.md 8.1 to 8.3. Time is the phone's own and costs the
/// test none. One push at a time: where several are under way together, it is not told whose answers are true.
public actor TestPhone {
    /// Makes the app's objects, as at a launch: what only memory held is gone. Its clock has to be the dispatcher's.
    public typealias Launch = @Sendable (PhoneClock) async throws -> PhoneApp

    /// How the second callback of one push follows the first.
    public enum SecondCallback: Hashable, Sendable {
        /// Before a handler has started.
        case together
        /// This long after the first was answered.
        case apart(milliseconds: Int64)
    }

    public nonisolated let clock: PhoneClock
    public private(set) var app: AppState
    public private(set) var conditions = PhoneConditions()
    public private(set) var budget: PhoneBudget
    /// How often the app was launched.
    public private(set) var launches = 0
    /// What is shown and was not tapped, oldest first.
    public private(set) var notifications: [Push] = []
    /// The push that waits; a newer one takes its place.
    public private(set) var held: Push?
    /// All pushes so far.
    public private(set) var reports: [PhoneReport] = []

    private let launch: Launch
    private let secondCallback: SecondCallback
    private let fetchesAgainOnTap: Bool
    private let patienceMilliseconds: UInt64
    private let log = ProblemLog()
    private var running: Task<PhoneApp, any Error>?
    private var wakesBegun = 0
    private var wakesUnderWay = 0

    /// - Parameters:
    ///   - fetchesAgainOnTap: Whether a tap on a push with `content-available` runs the fetch callback once more, as it
    ///     may.
    ///   - patienceMilliseconds: Real time. The phone's time passes when the app sleeps on the phone's clock. An app
    ///     that neither answers nor sleeps there, because it hangs or waits for something real, has this long; then the
    ///     phone's time goes on to what comes next, in the end to the limit at which the system takes the time away.
    public init(
        _ app: AppState = .suspended, budget: PhoneBudget = .standard, secondCallback: SecondCallback = .together,
        fetchesAgainOnTap: Bool = true, patienceMilliseconds: UInt64 = 10_000, clock: PhoneClock = PhoneClock(),
        launch: @escaping Launch
    ) {
        self.app = app
        self.budget = budget
        self.secondCallback = secondCallback
        self.fetchesAgainOnTap = fetchesAgainOnTap
        self.patienceMilliseconds = patienceMilliseconds
        self.clock = clock
        self.launch = launch
    }

    /// A push reaches the phone, or waits on the way to it.
    ///
    /// - Returns: When all callbacks are answered, or their time is up.
    /// - Throws: `PhoneError` for a payload that APNs does not take, and what the launch of the app throws.
    @discardableResult
    public func receive(_ push: Push) async throws -> PhoneReport {
        try push.checkForDelivery()
        return try await deliver(push)
    }

    /// The user taps what is shown last.
    @discardableResult
    public func tap() async throws -> PhoneReport {
        guard let push = notifications.last else {
            throw PhoneError(
                .nothingShown, "there is nothing to tap; a push with an alert has to arrive first, and to be shown")
        }
        return try await tap(push)
    }

    /// The user taps this push, which opens the app.
    @discardableResult
    public func tap(_ push: Push) async throws -> PhoneReport {
        guard let index = notifications.lastIndex(of: push) else {
            throw PhoneError(.nothingShown, "this push is not shown: it has no alert, did not come, or was tapped")
        }
        notifications.remove(at: index)
        var report = PhoneReport(push)
        report.hasLaunched = !app.isInMemory
        app = .foreground
        let isFetched = push.aps.isContentAvailable && fetchesAgainOnTap
        report = try await run([.tap] + (isFetched ? [.background] : []), report, isCounted: false)
        try await deliverHeld()
        return report
    }

    /// The user opens the app. What waits for that arrives.
    public func open() async throws { try await move(to: .foreground) }

    /// The app comes into another state, by its user or by the system.
    ///
    /// An app that ends is launched anew with the next push or tap. Tasks that it left behind go on, as no process's
    /// do, so a test lets them end first.
    ///
    /// - Throws: `PhoneError` where there is no way from one to the other.
    public func move(to state: AppState) async throws {
        switch state {
        case .foreground:
            app = .foreground
            _ = try await runningApp()
        case .background, .suspended:
            guard app.isInMemory else {
                throw PhoneError(.impossibleMove, "the app does not run (\(app.rawValue)); open it, or send it a push")
            }
            app = state
        case .terminated:
            guard app != .forceQuit else {
                throw PhoneError(
                    .impossibleMove, "a force-quit app stays so until it is opened, or the phone restarted")
            }
            end(.terminated)
        case .forceQuit:
            // What waits on the phone goes with it; what waits on the way does not.
            if conditions.isOnline { held = nil }
            end(.forceQuit)
        }
        try await deliverHeld()
    }

    /// The phone is switched off and on: nothing runs, and what was force-quit may be woken again.
    public func restart() async throws {
        end(.terminated)
        try await deliverHeld()
    }

    /// Changes what the phone is connected to, its power, its settings. What waited for that arrives.
    public func change(_ change: @Sendable (inout PhoneConditions) -> Void) async throws {
        change(&conditions)
        try await deliverHeld()
    }

    /// Lets time pass. What waited for the budget arrives when it is due.
    public func pass(hours: Double = 0, minutes: Double = 0, seconds: Double = 0) async throws {
        let seconds = seconds + 60 * (minutes + 60 * hours)
        let end = clock.now().advanced(byMilliseconds: Int64((seconds * 1_000).rounded()))
        while held != nil, let next = budget.nextWake(at: clock.now()), next <= end {
            await clock.pass(until: next)
            try await deliverHeld()
        }
        await clock.pass(until: end)
        try await deliverHeld()
    }

    /// What the app did wrong so far, late calls of completion handlers included.
    public var problems: [PhoneProblem] { log.problems }

    /// - Throws: `PhoneError` with all of them.
    public func check() throws { try PhoneReport.check(problems) }
}

// MARK: - Delivery

extension TestPhone {
    private func deliver(_ push: Push) async throws -> PhoneReport {
        let decision = PhoneDecision.of(push, app: app, conditions, budget, at: clock.now())
        var report = PhoneReport(push)
        report.whyNoFetch = decision.whyNoFetch
        switch decision.fate {
        case .held(let why):
            held = push
            report.isHeld = true
            report.whyNoFetch = why
        case .dropped(let why):
            report.isDropped = true
            report.whyNoFetch = why
        case .delivered:
            if decision.isShown { show(push, &report) }
            if !decision.callbacks.isEmpty {
                report.hasLaunched = !app.isInMemory
                return try await run(decision.callbacks, report, isCounted: decision.isCounted)
            }
        }
        reports.append(report)
        return report
    }

    private func deliverHeld() async throws {
        guard let push = held,
            case .delivered = PhoneDecision.of(push, app: app, conditions, budget, at: clock.now()).fate
        else { return }
        held = nil
        _ = try await deliver(push)
    }

    private func show(_ push: Push, _ report: inout PhoneReport) {
        report.isShown = true
        if push.aps.hasAlert { notifications.append(push) }
    }

    private func end(_ state: AppState) {
        app = state
        running = nil
    }

    private func runningApp() async throws -> PhoneApp {
        if let running { return try await running.value }
        launches += 1
        let task = PhoneClock.$startedAtLaunch.withValue(true) { Task { [launch, clock] in try await launch(clock) } }
        running = task
        do {
            return try await task.value
        } catch {
            running = nil
            throw error
        }
    }
}

// MARK: - Callbacks

extension TestPhone {
    private func run(_ callbacks: [EntryPoint], _ started: PhoneReport, isCounted: Bool) async throws -> PhoneReport {
        var report = started
        if app != .foreground { app = .background }
        wakesBegun += 1
        wakesUnderWay += 1
        let number = wakesBegun
        var isAlone = wakesUnderWay == 1
        defer { wakesUnderWay -= 1 }

        let phoneApp = try await runningApp()
        let before = try await phoneApp.contents?()
        switch secondCallback {
        case .together: await call(callbacks, phoneApp, &report)
        case .apart(let milliseconds):
            for (index, callback) in callbacks.enumerated() {
                if index > 0 { await clock.pass(until: clock.now().advanced(byMilliseconds: milliseconds)) }
                await call([callback], phoneApp, &report)
            }
        }
        isAlone = isAlone && number == wakesBegun
        if isAlone, let before, let after = try await phoneApp.contents?() {
            judge(&report, isChanged: !TestPhone.isSame(before, after))
        }
        for problem in report.problems { log.add(problem) }
        if isCounted { budget.spend(at: clock.now(), isBad: !report.problems.isEmpty) }
        if wakesUnderWay == 1, app == .background {
            // An app that does not give its time back loses it.
            if report.problems.contains(where: { $0.code == .neverAnswered }) {
                end(.terminated)
            } else {
                app = .suspended
            }
        }
        reports.append(report)
        return report
    }

    private func call(_ callbacks: [EntryPoint], _ phoneApp: PhoneApp, _ report: inout PhoneReport) async {
        let wake = PhoneWake(callbacks, clock: clock) { [log] in log.add($0) }
        let time = budget.runMilliseconds
        let limit = clock.schedule(at: clock.now().advanced(byMilliseconds: time)) {
            wake.timeIsUp(afterMilliseconds: time)
            return true
        }
        report.callbacks += await phoneApp.call(callbacks, report.push, wake)
        await settle(wake)
        limit.cancel()
        let (answers, problems, isShown) = wake.take()
        report.answers += answers
        report.problems += problems
        if isShown { show(report.push, &report) }
        if callbacks.contains(.background), !report.callbacks.contains(.background) {
            report.whyNoFetch = problems.first?.description
        }
    }

    /// Waits for the answers, and lets time pass for an app that does nothing.
    private func settle(_ wake: PhoneWake) async {
        let (product, overflow) = patienceMilliseconds.multipliedReportingOverflow(by: 1_000_000)
        let nanoseconds = overflow ? UInt64.max / 2 : min(product, .max / 2)
        let mover = Task { [clock] in
            while !Task.isCancelled {
                let seen = clock.activity
                guard (try? await Task.sleep(nanoseconds: nanoseconds)) != nil else { return }
                if clock.activity == seen { _ = await clock.step() }
            }
        }
        await wake.wait()
        mover.cancel()
        await mover.value
    }

    /// Holds the answer to the fetch callback against what the app keeps.
    private func judge(_ report: inout PhoneReport, isChanged: Bool) {
        guard let result = report.answers.first(where: { $0.entryPoint == .background })?.result else { return }
        switch (result, isChanged) {
        case (.newData, false):
            report.problems.append(
                PhoneProblem(.untruthful, .background, "told newData, and what the app keeps is the same as before"))
        case (.noData, true) where report.callbacks.count > 1:
            // Its twin brought the change.
            break
        case (.noData, true), (.failed, true):
            report.problems.append(
                PhoneProblem(
                    .untruthful, .background,
                    "told \(result.rawValue), and what the app keeps has changed; that is newData"))
        case (.newData, true), (.noData, false), (.failed, false): break
        }
    }

    private static func isSame(_ one: any Hashable, _ other: any Hashable) -> Bool {
        AnyHashable(one) == AnyHashable(other)
    }
}
