import ServiceHost

/// The counts of the services in the text format of Prometheus.
struct OptimizationMetrics {
    private(set) var text = MetricsText(prefix: "apns_optimization_")

    /// - Parameter residentBytes: The memory of the process; nil where the system does not say.
    init(_ world: OptimizationWorld, residentBytes: Int?) {
        let service = world.service
        text.family("requests_total", "counter", "Answered requests by what they asked for and by status.")
        for (kind, count) in world.answers.sorted(by: { ($0.key.path, $0.key.status) < ($1.key.path, $1.key.status) }) {
            text.sample("requests_total", count, [("path", kind.path), ("status", String(kind.status))])
        }
        text.family("events_total", "counter", "Events received, by result.")
        text.sample("events_total", service.events.received, [("result", "stored")])
        text.sample("events_total", service.events.repeats, [("result", "repeat")])
        text.sample("events_total", service.importRefused, [("result", "refused")])
        text.family("kept", "gauge", "What is in memory.")
        for (what, count) in service.kept { text.sample("kept", count, [("what", what)]) }
        text.family("dropped_total", "counter", "What did not fit into the limits.")
        for (what, count) in service.droppedCounts { text.sample("dropped_total", count, [("what", what)]) }
        text.family("streams", "gauge", "Clients that follow the events.")
        text.sample("streams", world.streams)
        text.addResidentMemory(residentBytes)
    }
}

extension OptimizationService {
    /// How many of each kind are kept.
    var kept: [(what: String, count: Int)] {
        [
            ("entries", configuration.content.entries.count), ("events", events.entries.count),
            ("message-ids", events.ids.order.count), ("profiles", profiles.count),
        ]
    }

    /// How many of each kind did not fit.
    var droppedCounts: [(what: String, count: Int)] {
        [("events", events.dropped), ("message-ids", events.ids.forgotten), ("profiles", profiles.dropped)]
    }
}
