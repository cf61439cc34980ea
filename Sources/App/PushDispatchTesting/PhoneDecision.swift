import PushDispatch

/// What a phone does with a push that reaches it: the tables of docs/reference/selective-sync.md 8.1 to 8.3.
struct PhoneDecision: Hashable, Sendable {
    enum Fate: Hashable, Sendable {
        case delivered
        /// Waits until something changes; the text says what.
        case held(String)
        /// Gone for good.
        case dropped(String)
    }

    var fate: Fate
    /// The system shows it by itself.
    var isShown = false
    /// In the order in which the system calls them.
    var callbacks: [EntryPoint] = []
    /// Why the fetch callback does not run, where somebody may expect it to.
    var whyNoFetch: String?
    /// Whether it counts against the budget.
    var isCounted = false

    static func of(
        _ push: Push, app: TestPhone.AppState, _ conditions: PhoneConditions, _ budget: PhoneBudget,
        at now: DispatchMoment
    ) -> PhoneDecision {
        let aps = push.aps
        let isVisible = aps.hasAlert || aps.hasBadge || aps.hasSound
        guard isVisible || aps.isContentAvailable else {
            return PhoneDecision(
                fate: .dropped(
                    "nothing in aps asks for anything: add \"content-available\": 1 for a silent push, or an alert"))
        }
        guard conditions.isOnline else {
            return PhoneDecision(fate: .held("the phone is offline; of an app's pushes the newest waits"))
        }
        if app == .foreground {
            let fetch: [EntryPoint] = aps.isContentAvailable ? [.background] : []
            guard isVisible else { return PhoneDecision(fate: .delivered, callbacks: fetch) }
            var decision = PhoneDecision(fate: .delivered, callbacks: [.foreground] + fetch)
            if fetch.isEmpty { decision.whyNoFetch = noContentAvailable }
            return decision
        }
        return isVisible
            ? visible(aps, app: app, conditions) : silent(app: app, conditions, budget, at: now)
    }

    private static let noContentAvailable =
        "the fetch callback runs for a visible push only if aps has \"content-available\": 1 too"
    private static let forceQuit =
        "the user force-quit the app, and the system does not wake it for a push then; open it first"
    private static let refreshOff = "Background App Refresh is off; turn it on, or open the app"

    private static func visible(_ aps: APS, app: TestPhone.AppState, _ conditions: PhoneConditions) -> PhoneDecision {
        var decision = PhoneDecision(fate: .delivered, isShown: true)
        if !aps.isContentAvailable {
            decision.whyNoFetch = noContentAvailable
        } else if app == .forceQuit {
            decision.whyNoFetch = forceQuit
        } else if !conditions.isBackgroundRefreshOn {
            decision.whyNoFetch = refreshOff
        } else {
            decision.callbacks = [.background]
        }
        return decision
    }

    private static func silent(
        app: TestPhone.AppState, _ conditions: PhoneConditions, _ budget: PhoneBudget, at now: DispatchMoment
    ) -> PhoneDecision {
        if app == .forceQuit { return PhoneDecision(fate: .held(forceQuit)) }
        if !conditions.isBackgroundRefreshOn { return PhoneDecision(fate: .held(refreshOff)) }
        if conditions.isLowPower {
            return PhoneDecision(fate: .held("Low Power Mode is on; turn it off, or open the app"))
        }
        if conditions.isLowData {
            return PhoneDecision(fate: .held("Low Data Mode is on; turn it off, or open the app"))
        }
        if let next = budget.nextWake(at: now) {
            let minutes = (next.milliseconds(since: now) + 59_999) / 60_000
            return PhoneDecision(
                fate: .held(
                    """
                    the budget for silent pushes is used up for \(minutes) more minutes; let them pass, open the app, \
                    or give the phone the budget .unlimited
                    """))
        }
        return PhoneDecision(fate: .delivered, callbacks: [.background], isCounted: true)
    }
}
