import CoreMetrics
import Synchronization

/// The metrics of one provider, over all of its event loops:
///
/// | name | kind | dimensions | |
/// |---|---|---|---|
/// | `apns_provider_notifications_total` | counter | `outcome`, `reason` | outcomes; the reason of accepted ones is empty |
/// | `apns_provider_latency_seconds` | timer | | from submission to the gateway's answer |
/// | `apns_provider_queued` | meter | | notifications that wait for a stream |
/// | `apns_provider_in_flight` | meter | | notifications that were written and have no outcome |
/// | `apns_provider_waiting` | meter | | calls of `send` that wait because too many others have no outcome |
/// | `apns_provider_connections` | meter | | open connections |
/// | `apns_provider_connects_total` | counter | `result` | attempts to connect, `opened` or `failed` |
///
/// Each has the dimension `gateway` too, with host and port.
package final class ProviderMeter: Sendable {
    private struct State {
        var notifications: [MetricsTally.Outcome: Counter] = [:]
        /// For each event loop.
        var levels: [MetricsLevels]
    }

    private let factory: any MetricsFactory
    private let dimensions: [(String, String)]
    private let accepted: Counter
    private let opened: Counter
    private let failed: Counter
    private let latency: Timer
    private let queued: Meter
    private let inFlight: Meter
    private let waiting: Meter
    private let connections: Meter
    private let state: Mutex<State>

    /// Nil without a metrics backend.
    ///
    /// - Parameters:
    ///   - gateway: Host and port.
    ///   - loops: The number of event loops.
    package init?(_ metrics: PushMetrics, gateway: String, loops: Int) {
        let factory = metrics.factory ?? MetricsSystem.factory
        if factory is NOOPMetricsHandler { return nil }
        let dimensions = [("gateway", gateway)] + metrics.dimensions
        self.factory = factory
        self.dimensions = dimensions
        accepted = ProviderMeter.notifications(
            MetricsTally.Outcome(name: "accepted", reason: ""), dimensions, factory)
        func connects(_ result: String) -> Counter {
            Counter(
                label: "apns_provider_connects_total", dimensions: dimensions + [("result", result)], factory: factory)
        }
        opened = connects("opened")
        failed = connects("failed")
        latency = Timer(label: "apns_provider_latency_seconds", dimensions: dimensions, factory: factory)
        func meter(_ name: String) -> Meter {
            Meter(label: "apns_provider_" + name, dimensions: dimensions, factory: factory)
        }
        queued = meter("queued")
        inFlight = meter("in_flight")
        waiting = meter("waiting")
        connections = meter("connections")
        state = Mutex(State(levels: Array(repeating: MetricsLevels(), count: loops)))
    }

    private static func notifications(
        _ outcome: MetricsTally.Outcome, _ dimensions: [(String, String)], _ factory: any MetricsFactory
    ) -> Counter {
        Counter(
            label: "apns_provider_notifications_total",
            dimensions: dimensions + [("outcome", outcome.name), ("reason", outcome.reason)], factory: factory)
    }

    /// The gateway answered a notification.
    package func answered(afterNanoseconds nanoseconds: Int64) { latency.recordNanoseconds(nanoseconds) }

    /// Counts a notification that came to no event loop. The reason is one of a bounded number of texts.
    package func count(_ outcome: String, reason: String) {
        state.withLock { count(MetricsTally.Outcome(name: outcome, reason: reason), 1, &$0) }
    }

    private func count(_ outcome: MetricsTally.Outcome, _ count: Int, _ state: inout State) {
        let counter = state.notifications[outcome] ?? ProviderMeter.notifications(outcome, dimensions, factory)
        state.notifications[outcome] = counter
        counter.increment(by: count)
    }

    /// Passes on what an event loop has counted, and how much it has now.
    ///
    /// - Parameter waiting: Calls of `send` of the whole provider.
    package func report(_ tally: inout MetricsTally, _ levels: MetricsLevels, waiting: Int, loop: Int) {
        let tally = tally.take()
        if tally.accepted > 0 { accepted.increment(by: tally.accepted) }
        if tally.connectsOpened > 0 { opened.increment(by: tally.connectsOpened) }
        if tally.connectsFailed > 0 { failed.increment(by: tally.connectsFailed) }
        state.withLock { state in
            for (outcome, number) in tally.others { count(outcome, number, &state) }
            state.levels[loop] = levels
            // Under the lock, or an older sum of another loop could come last.
            let sum = state.levels.reduce(MetricsLevels(), +)
            queued.set(sum.queued)
            inFlight.set(sum.inFlight)
            connections.set(sum.connections)
            self.waiting.set(waiting)
        }
    }
}
