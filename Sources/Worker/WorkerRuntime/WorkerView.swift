package import WorkerCore

/// What a worker shows of itself.
package struct WorkerView: Sendable {
    package var counts: WorkerCounts
    /// Pushes that wait in the window, and those that are sent now.
    package var waiting: Int
    package var inFlight: Int
    package var heldJobs: Int
    package var pauses: [(tenant: String, isPaused: Bool)]
    package var breakers: [(host: String, isOpen: Bool)]
    package var isDraining: Bool
    package var hasQueue: Bool

    /// Whether it can work now.
    package var isReady: Bool { !isDraining && hasQueue && (pauses.isEmpty || pauses.contains { !$0.isPaused }) }
}
