package import WorkerCore

/// What a worker shows of itself.
package struct WorkerView: Sendable {
    package var counts: WorkerCounts
    /// Pushes that wait in the window, and those that are sent now.
    package var waiting = 0
    package var inFlight = 0
    package var heldJobs = 0
    package var pauses: [(tenant: String, isPaused: Bool)] = []
    package var breakers: [(host: String, isOpen: Bool)] = []
    /// The limits of all workers together, and how many pushes each has allowed this one; that without a tenant is for all.
    package var rates: [(tenant: String?, perSecond: Int, granted: Int)] = []
    package var isDraining = false
    package var hasQueue = true

    package init(counts: WorkerCounts) { self.counts = counts }

    /// Why it cannot work now; nil where it can.
    package var obstacle: String? {
        if isDraining { return "the worker is stopping" }
        if !hasQueue { return "the queue cannot be had" }
        return !pauses.isEmpty && pauses.allSatisfy(\.isPaused) ? "every tenant is paused" : nil
    }

    package var isReady: Bool { obstacle == nil }
}
