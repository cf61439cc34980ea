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
    }

    package let seed: UInt64
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
}
