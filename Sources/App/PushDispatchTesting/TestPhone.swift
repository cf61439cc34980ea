public import PushDispatch

/// A phone with one app, for tests. It calls the app's callbacks as the system would in each state of the app, and
/// checks that each push is answered once, in time and truthfully.
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
/// The tables of docs/reference/selective-sync.md 8.1 to 8.3 decide which callbacks run. Time is simulated, so no test
/// waits for it. The answers of pushes that overlap are not checked for truth, since a change cannot be assigned to one
/// of them.
public actor TestPhone {
    /// Creates the app's objects, as a launch does. The dispatcher has to use the given clock.
    public typealias Launch = @Sendable (PhoneClock) async throws -> PhoneApp

    /// When the second callback of one push is called.
    public enum SecondCallback: Hashable, Sendable {
        /// With the first, before a handler starts.
        case together
        /// This long after the first was answered.
        case apart(milliseconds: Int64)
    }

    public nonisolated let clock: PhoneClock
    public internal(set) var app: AppState
    public private(set) var conditions = PhoneConditions()
    public internal(set) var budget: PhoneBudget
    /// How often the app was launched.
    public internal(set) var launches = 0
    /// Notifications that are shown and were not tapped, oldest first.
    public internal(set) var notifications: [Push] = []
    /// The push that waits to be delivered. A newer one replaces it.
    public internal(set) var held: Push?
    /// Reports of all pushes so far.
    public internal(set) var reports: [PhoneReport] = []

    let launch: Launch
    let secondCallback: SecondCallback
    private let fetchesAgainOnTap: Bool
    let patienceMilliseconds: UInt64
    let log = ProblemLog()
    var running: Task<PhoneApp, any Error>?
    var pushesBegun = 0
    var pushesUnderWay = 0

    /// - Parameters:
    ///   - fetchesAgainOnTap: Whether a tap on a push with `content-available` runs the fetch callback once more, as
    ///     the system may do.
    ///   - patienceMilliseconds: How long, in real time, the phone waits for an app that neither answers nor sleeps on
    ///     the phone's clock, because it hangs or waits for something real. Then the phone's time moves on to the next
    ///     event, in the end to the moment at which the system stops the app.
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

    /// A push reaches the phone, or waits until it can.
    ///
    /// - Returns: The report, when all callbacks are answered or their time is up.
    /// - Throws: `PhoneError` for a payload that APNs does not accept, and errors of the app's launch.
    @discardableResult
    public func receive(_ push: Push) async throws -> PhoneReport {
        try push.checkForDelivery()
        return try await deliver(push)
    }

    /// The user taps the newest notification.
    @discardableResult
    public func tap() async throws -> PhoneReport {
        guard let push = notifications.last else {
            throw PhoneError(.nothingShown, "no notification is shown to tap; deliver a push with an alert first")
        }
        return try await tap(push)
    }

    /// The user taps the notification of this push, which opens the app.
    @discardableResult
    public func tap(_ push: Push) async throws -> PhoneReport {
        guard let index = notifications.lastIndex(of: push) else {
            throw PhoneError(
                .nothingShown, "this push is not shown: it has no alert, was not delivered, or was tapped before")
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

    /// The user opens the app. A push that waited for this is delivered.
    public func open() async throws { try await move(to: .foreground) }

    /// The user or the system moves the app to another state.
    ///
    /// An ended app is launched anew by the next push or tap. Its tasks are not cancelled, although a real process
    /// would end with them, so a test should let them finish first.
    ///
    /// - Throws: `PhoneError` if the app cannot move from its state to the other.
    public func move(to state: AppState) async throws {
        switch state {
        case .foreground:
            app = .foreground
            _ = try await runningApp()
        case .background, .suspended:
            guard app.isInMemory else {
                throw PhoneError(
                    .impossibleMove, "the app is not running (\(app.rawValue)); open it, or send it a push")
            }
            app = state
        case .terminated:
            guard app != .forceQuit else {
                throw PhoneError(
                    .impossibleMove, "a force-quit app stays force-quit until it is opened or the phone restarted")
            }
            end(.terminated)
        case .forceQuit:
            // A push that waits on the phone is lost. One that waits at APNs, for a phone that is offline, is not.
            if conditions.isOnline { held = nil }
            end(.forceQuit)
        }
        try await deliverHeld()
    }

    /// The phone is switched off and on. The app is terminated, and a force-quit app can be launched by pushes again.
    public func restart() async throws {
        end(.terminated)
        try await deliverHeld()
    }

    /// Changes the network, the power or the settings of the phone. A push that waited for this is delivered.
    public func change(_ change: @Sendable (inout PhoneConditions) -> Void) async throws {
        change(&conditions)
        try await deliverHeld()
    }

    /// Lets time pass. A push that waited for the budget is delivered when the budget allows it.
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

    /// What the app has done wrong so far, including late calls of completion handlers.
    public var problems: [PhoneProblem] { log.problems }

    /// - Throws: `PhoneError` with all problems.
    public func check() throws { try PhoneReport.check(problems) }
}
