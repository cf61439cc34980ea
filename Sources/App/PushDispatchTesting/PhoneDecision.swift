import PushDispatch

/// What a phone does with a push: the tables of docs/reference/selective-sync.md 8.1 to 8.3.
enum PhoneDecision: Hashable, Sendable {
    struct Delivery: Hashable, Sendable {
        /// Whether the system shows the notification.
        var isShown = false
        /// In the order in which the system calls them.
        var callbacks: [EntryPoint] = []
        /// Why the fetch callback does not run although a test may expect it to.
        var whyNoFetch: String?
        /// Whether it uses the budget.
        var isCounted = false
    }

    case deliver(Delivery)
    /// The push waits until the stated condition changes.
    case hold(String)
    /// The push is lost.
    case drop(String)

    init(
        _ push: Push, app: TestPhone.AppState, _ conditions: PhoneConditions, _ budget: PhoneBudget,
        at now: DispatchMoment
    ) {
        let aps = push.aps
        let isVisible = aps.hasAlert || aps.hasBadge || aps.hasSound
        guard isVisible || aps.isContentAvailable else {
            self = .drop(
                "aps has nothing that has an effect: add \"content-available\": 1 for a silent push, or an alert")
            return
        }
        guard conditions.isOnline else {
            self = .hold("the phone is offline; APNs keeps only the newest push for an app")
            return
        }
        if app == .foreground {
            self = .deliver(PhoneDecision.inForeground(aps, isVisible: isVisible))
        } else if isVisible {
            self = .deliver(PhoneDecision.visible(aps, app: app, conditions))
        } else if let why = PhoneDecision.whyNotWoken(app: app, conditions, budget, at: now) {
            self = .hold(why)
        } else {
            self = .deliver(Delivery(callbacks: [.background], isCounted: true))
        }
    }

    private static let noContentAvailable =
        "the fetch callback runs for a visible push only if aps also has \"content-available\": 1"
    private static let forceQuit =
        "the user force-quit the app, and the system does not launch it for a push then; open it first"
    private static let refreshOff = "Background App Refresh is off; turn it on, or open the app"

    private static func inForeground(_ aps: APS, isVisible: Bool) -> Delivery {
        let fetch: [EntryPoint] = aps.isContentAvailable ? [.background] : []
        guard isVisible else { return Delivery(callbacks: fetch) }
        return Delivery(callbacks: [.foreground] + fetch, whyNoFetch: fetch.isEmpty ? noContentAvailable : nil)
    }

    private static func visible(_ aps: APS, app: TestPhone.AppState, _ conditions: PhoneConditions) -> Delivery {
        var delivery = Delivery(isShown: true)
        if !aps.isContentAvailable {
            delivery.whyNoFetch = noContentAvailable
        } else if app == .forceQuit {
            delivery.whyNoFetch = forceQuit
        } else if !conditions.isBackgroundRefreshOn {
            delivery.whyNoFetch = refreshOff
        } else {
            delivery.callbacks = [.background]
        }
        return delivery
    }

    /// Why a silent push does not wake the app; nil if it does.
    private static func whyNotWoken(
        app: TestPhone.AppState, _ conditions: PhoneConditions, _ budget: PhoneBudget, at now: DispatchMoment
    ) -> String? {
        if app == .forceQuit { return forceQuit }
        if !conditions.isBackgroundRefreshOn { return refreshOff }
        if conditions.isLowPower { return "Low Power Mode is on; turn it off, or open the app" }
        if conditions.isLowData { return "Low Data Mode is on; turn it off, or open the app" }
        guard let next = budget.nextWake(at: now) else { return nil }
        let minutes = (next.milliseconds(since: now) + 59_999) / 60_000
        return """
            the budget for silent pushes is used up for \(minutes) more minutes; let them pass, open the app, or give the \
            phone the budget .unlimited
            """
    }
}
