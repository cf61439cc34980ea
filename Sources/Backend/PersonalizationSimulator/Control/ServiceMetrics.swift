import ServiceHost

/// The counts of a service in the text format of Prometheus.
struct ServiceMetrics {
    private(set) var text = MetricsText(prefix: "apns_personalization_")

    /// - Parameters:
    ///   - residentBytes: The memory of the process; nil where the system does not say.
    ///   - streams: How many clients follow the events.
    init(_ world: ServiceWorld, residentBytes: Int?, streams: Int) {
        let service = world.service
        text.family("requests_total", "counter", "Answered requests by what they asked for and by status.")
        for (kind, count) in world.answers.sorted(by: { ($0.key.path, $0.key.status) < ($1.key.path, $1.key.status) }) {
            text.sample("requests_total", count, [("path", kind.path), ("status", String(kind.status))])
        }
        text.family("decisions_total", "counter", "Decisions since the process started, by what chose them.")
        for source in DecisionRecord.Source.allCases {
            text.sample("decisions_total", service.decisions.given[source] ?? 0, [("source", source.rawValue)])
        }
        text.family("credits_total", "counter", "Points asked for.")
        text.sample("credits_total", service.credits)
        text.family("events_total", "counter", "Events received, by result.")
        text.sample("events_total", service.events.received, [("result", "stored")])
        text.sample("events_total", service.events.repeats, [("result", "repeat")])
        text.family("kept", "gauge", "What is in memory.")
        for (what, count) in service.kept { text.sample("kept", count, [("what", what)]) }
        text.family("dropped_total", "counter", "What did not fit into the limits.")
        for (what, count) in service.droppedCounts { text.sample("dropped_total", count, [("what", what)]) }
        text.family("streams", "gauge", "Clients that follow the events.")
        text.sample("streams", streams)
        text.addResidentMemory(residentBytes)
    }
}

extension PersonalizationService {
    /// How many of each kind are kept.
    var kept: [(what: String, count: Int)] {
        [
            ("decisions", decisions.records.count), ("diagnostics", diagnostics.count),
            ("event-ids", events.ids.order.count), ("events", events.entries.count),
            ("individuals", individuals.reduce(0) { $0 + $1.table.count }),
        ]
    }

    /// How many of each kind did not fit.
    var droppedCounts: [(what: String, count: Int)] {
        func sum(_ count: (Individuals) -> Int) -> Int { individuals.reduce(0) { $0 + count($1) } }
        return [
            ("attributes", sum(\.dropped.attributes)), ("decisions", decisions.dropped),
            ("devices", sum(\.dropped.devices)), ("diagnostics", diagnostics.dropped),
            ("event-ids", events.forgottenIDs), ("events", events.dropped), ("experiment-people", groups.dropped),
            ("individuals", sum(\.dropped.people)), ("item-pairs", sum(\.coViews.dropped)),
            ("joins", sum(\.dropped.joins)), ("links", sum(\.dropped.links)),
            ("merged-ids", sum(\.dropped.merged)), ("party-identifications", sum(\.dropped.parties)),
        ]
    }
}
