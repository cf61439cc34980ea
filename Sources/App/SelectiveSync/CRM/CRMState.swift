/// All that a `CRMSync` knows about itself, as one value. No I/O.
struct CRMState: Sendable {
    var lifecycle = CRMLifecycle()
    var problem: String?
    var lastSync: ServerDate?
    var waiting = StoreCounts()
    var network = SyncNetwork.unmetered
    var isInForeground = false
    private var progress: CRMProgress?
    private var refreshes = 0

    struct Surroundings: Hashable, Sendable {
        var network: SyncNetwork
        var isInForeground: Bool
    }

    var surroundings: Surroundings { Surroundings(network: network, isInForeground: isInForeground) }

    var status: CRMStatus {
        CRMStatus(
            phase: phase, problem: problem, lastSync: lastSync, waiting: waiting, network: network,
            progress: progress?.percent)
    }

    private var phase: CRMStatus.Phase {
        switch lifecycle.state {
        case .locked: .locked
        case .opening: .opening
        case .loggedOut: .loggedOut
        case .ready(let user): .ready(user: user)
        case .expired(let user): .sessionExpired(user: user)
        case .changing: .changingUser
        }
    }

    /// A refresh begins.
    ///
    /// - Returns: Its number. What an earlier one reports from now on is ignored.
    mutating func beginProgress(objects: Int) -> Int {
        progress = CRMProgress(objects: objects)
        refreshes += 1
        return refreshes
    }

    mutating func stepEnded(of refresh: Int) {
        if refresh == refreshes { progress?.stepEnded() }
    }

    mutating func endProgress(of refresh: Int) {
        if refresh == refreshes { progress = nil }
    }

    mutating func take(_ event: SyncEvent) {
        switch event {
        case .received(_, let records, let total): progress?.received(records, of: total)
        case .regularSyncNeeded: lifecycle.syncIsDue()
        default: break
        }
    }

    mutating func take(_ event: OAuthEvent) {
        switch event {
        case .logInNeeded: lifecycle.sessionExpired()
        case .renewed: lifecycle.sessionRenewed()
        case .moved, .renewalFailed, .notSaved: break
        }
    }
}
