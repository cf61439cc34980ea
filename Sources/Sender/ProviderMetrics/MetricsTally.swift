/// What one event loop of a provider has counted since its last report. Plain numbers, so that counting costs next to nothing.
package struct MetricsTally {
    package struct Outcome: Hashable, Sendable {
        let name: String
        let reason: String
    }

    private(set) var accepted = 0
    private(set) var others: [Outcome: Int] = [:]
    package var connectsOpened = 0
    package var connectsFailed = 0

    package init() {}

    package mutating func countAccepted() { accepted += 1 }

    /// Counts a notification that was not accepted.
    ///
    /// - Parameters:
    ///   - outcome: `refused`, `unsent` or `unknown`.
    ///   - reason: One of a bounded number of texts: each becomes a time series of its own.
    package mutating func count(_ outcome: String, reason: String) {
        others[Outcome(name: outcome, reason: reason), default: 0] += 1
    }

    /// Everything counted, and starts again at zero.
    mutating func take() -> MetricsTally {
        defer { self = MetricsTally() }
        return self
    }
}

/// How much one event loop of a provider has now.
package struct MetricsLevels: Hashable, Sendable {
    package var queued = 0
    package var inFlight = 0
    package var connections = 0

    package init(queued: Int = 0, inFlight: Int = 0, connections: Int = 0) {
        self.queued = queued
        self.inFlight = inFlight
        self.connections = connections
    }

    static func + (one: MetricsLevels, other: MetricsLevels) -> MetricsLevels {
        MetricsLevels(
            queued: one.queued + other.queued, inFlight: one.inFlight + other.inFlight,
            connections: one.connections + other.connections)
    }
}
