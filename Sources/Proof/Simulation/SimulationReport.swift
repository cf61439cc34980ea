/// What a seed can run. Each world has its own devices and its own service.
package enum SimulatedWorld: String, Sendable, CaseIterable {
    /// Pushes and records: sender, gateway, devices and CRM.
    case records
    /// Events, identity and decisions: devices and the decision service.
    case personalization
    /// Profiles, variants of entries, views and consent: devices and the optimization services.
    case optimization
}

/// The result of one run.
package struct SimulationReport: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case pushSent = "pushes-sent"
        case pushUnsent = "pushes-unsent"
        case pushUnknown = "pushes-unknown"
        case pushDelivered = "pushes-delivered"
        case pushLost = "pushes-lost"
        case pushLate = "pushes-late"
        case pushDoubled = "pushes-doubled"
        case pushReplaced = "pushes-replaced"
        case connectionLost = "connections-lost"
        case goAway = "goaways"
        case outage = "outages"
        case wake = "wakes"
        case newData = "new-data"
        case noData = "no-data"
        case failed = "failed"
        case stopped = "wakes-stopped"
        case twin = "twins"
        case selectiveMerge = "selective-merges"
        case regularMerge = "regular-merges"
        case regularSync = "regular-syncs"
        case crash = "crashes"
        case forceQuit = "force-quits"
        case offline = "offline"
        case clockJump = "clock-jumps"
        case sessionExpired = "sessions-expired"
        case sessionRenewal = "session-renewals"
        case loginNeeded = "log-ins-ended"
        case replyCut = "replies-cut"
        case pageLost = "pages-lost"
        case request = "requests"
        case recordRead = "records-read"
        case requestDropped = "requests-dropped"
        case refusal = "requests-refused"
        case storeFailed = "store-failures"
        case edit = "edits"
        case upload = "uploads"
        case family = "families"
        case conflict = "conflicts"
        case copyEdited = "copies-edited"
        case resolution = "conflicts-resolved"
        case dirtyLeft = "dirty-left-alone"
        case deletion = "deletions"
        case hiding = "visibility-losses"
        case automaticChange = "automatic-changes"
        case automation = "automations-after-uploads"
        case userChange = "user-changes"
        case overflow = "pending-overflows"
        case filterChange = "filter-changes"
        case appUpdate = "app-updates"

        // Personalization.
        case launch = "app-launches"
        case appKilled = "app-kills"
        case foreground = "foregrounds"
        case background = "backgrounds"
        case eventStored = "events-stored"
        case eventStoredTwice = "events-stored-twice"
        case eventDelivered = "events-delivered"
        case eventDropped = "events-dropped"
        case eventReceived = "events-received"
        case eventRepeated = "event-repeats"
        case badEvent = "bad-events"
        case cart = "carts"
        case impression = "impressions"
        case pushOpened = "pushes-opened"
        case fetch = "fetches"
        case freshShown = "fresh-decisions"
        case cachedShown = "cached-decisions"
        case logIn = "log-ins"
        case logOut = "log-outs"
        case optIn = "opt-ins"
        case optOut = "opt-outs"
        case decisionRequest = "decision-requests"
        case eventRequest = "event-requests"
        case requestDoubled = "requests-doubled"
        case messageLost = "messages-lost"
        case messageLate = "messages-late"
        case serviceRefusal = "service-refusals"
        case circuitOpened = "circuits-opened"
        case connectionChange = "connection-changes"
        case diskFull = "disk-changes"

        // Optimization.
        case screen = "screens"
        case view = "views"
        case tap = "taps"
        case identify = "identifications"
        case reset = "resets"
        case eventBlocked = "events-blocked"
        case withoutProfile = "events-without-profile"
        case overridden = "overrides"
        case panelChange = "panel-changes"
        case liveChange = "live-changes"
        case shownLocked = "entries-shown-locked"
        case restart = "restarts"
        case profileRequest = "profile-requests"
        case analyticsRequest = "analytics-requests"

        /// The worlds in which this happens.
        package var worlds: Set<SimulatedWorld> {
            switch self {
            case .storeFailed: Set(SimulatedWorld.allCases)
            case .clockJump: [.records, .personalization]
            case .launch, .appKilled, .foreground, .background, .eventStored, .eventDropped, .eventReceived,
                .eventRepeated, .optIn, .optOut, .requestDoubled, .messageLost, .messageLate, .serviceRefusal,
                .circuitOpened, .connectionChange, .diskFull:
                [.personalization, .optimization]
            case .eventStoredTwice, .eventDelivered, .badEvent, .cart, .impression, .pushOpened, .fetch, .freshShown,
                .cachedShown, .logIn, .logOut, .decisionRequest, .eventRequest:
                [.personalization]
            case .screen, .view, .tap, .identify, .reset, .eventBlocked, .withoutProfile, .overridden, .panelChange,
                .liveChange, .shownLocked, .restart, .profileRequest, .analyticsRequest:
                [.optimization]
            default: [.records]
            }
        }
    }

    package let seed: UInt64
    /// What the seed has run.
    package let worlds: [SimulatedWorld]
    /// The violations in the order in which they were found; empty for a good run.
    package let violations: [String]
    /// The events of the run, one in each line; empty unless requested.
    package let trace: [String]
    package let counts: [Kind: Int]
    /// The simulated time from the first step until everything is idle, in milliseconds.
    package let simulatedMilliseconds: Int64
    /// The number of executed jobs of the app's actors and tasks.
    package let jobs: Int

    package var isGood: Bool { violations.isEmpty }

    /// The same seed in one world and then in another one.
    func adding(_ other: SimulationReport) -> SimulationReport {
        SimulationReport(
            seed: seed, worlds: worlds + other.worlds, violations: violations + other.violations,
            trace: trace + other.trace, counts: counts.merging(other.counts) { $0 + $1 },
            simulatedMilliseconds: simulatedMilliseconds + other.simulatedMilliseconds, jobs: jobs + other.jobs)
    }
}
