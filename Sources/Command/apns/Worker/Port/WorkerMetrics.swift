import PushQueue
import SystemFiles
import WorkerCore
import WorkerRuntime

/// The metrics of a worker in the text format of Prometheus.
enum WorkerMetrics {
    private static let prefix = "apns_worker_"

    /// - Parameter status: Nil where the queue gives no answer: its gauges are absent then.
    static func text(_ view: WorkerView, _ status: QueueStatus?) -> String {
        var text = ""
        let counts = view.counts
        family(
            "pushes_total", "counter",
            "Pushes by what became of them; outcomes of sends, and expired, superseded, dead.",
            &text)
        for (label, count) in counts.sorted {
            sample(
                "pushes_total", "\(count)",
                [("lane", label.lane.text), ("outcome", label.outcome), ("reason", label.reason)], &text)
        }
        simple(
            "redelivered_total", "counter", "Jobs that were delivered before: pushes of them may be double.",
            counts.redelivered, &text)
        simple(
            "resent_total", "counter", "Pushes that were sent again without knowing the first outcome.",
            counts.resent, &text)
        simple("jobs_total", "counter", "Jobs that this worker settled.", counts.settledJobs, &text)
        simple(
            "lost_total", "counter", "Jobs that another worker took over, because the lease ended.", counts.lost, &text)
        simple("late_total", "counter", "Settlements of jobs that were settled before.", counts.late, &text)
        simple("window", "gauge", "Pushes that this worker holds and has not sent.", view.waiting, &text)
        simple("in_flight", "gauge", "Pushes that wait for an answer.", view.inFlight, &text)
        histogram("queue_seconds", "From enqueuing to acceptance.", counts.queueSeconds, &text)
        histogram("send_seconds", "From the sender to the outcome.", counts.sendSeconds, &text)
        family("paused", "gauge", "Whether nothing is sent for the tenant now.", &text)
        for (tenant, isPaused) in view.pauses { sample("paused", isPaused ? "1" : "0", [("tenant", tenant)], &text) }
        family("breaker_open", "gauge", "Whether the gateway cannot be reached now.", &text)
        for (host, isOpen) in view.breakers { sample("breaker_open", isOpen ? "1" : "0", [("gateway", host)], &text) }
        rates(view.rates, &text)
        simple("queue_up", "gauge", "Whether the queue can be had, as /ready says it.", view.hasQueue ? 1 : 0, &text)
        if let status { add(status, &text) }
        if let bytes = ResidentMemory.bytes {
            text += "# HELP process_resident_memory_bytes Resident memory of the process.\n"
            text += "# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes \(bytes)\n"
        }
        return text
    }

    private static func rates(_ rates: [(tenant: String?, perSecond: Int, granted: Int)], _ text: inout String) {
        guard !rates.isEmpty else { return }
        family("rate_limit", "gauge", "Pushes a second of all workers; without a tenant those of all tenants.", &text)
        for rate in rates { sample("rate_limit", "\(rate.perSecond)", labels(of: rate.tenant), &text) }
        family("rate_granted_total", "counter", "Pushes that a limit has allowed this worker.", &text)
        for rate in rates { sample("rate_granted_total", "\(rate.granted)", labels(of: rate.tenant), &text) }
    }

    private static func labels(of tenant: String?) -> [(name: String, value: String)] {
        tenant.map { [("tenant", $0)] } ?? []
    }

    private static func add(_ status: QueueStatus, _ text: inout String) {
        family("backlog", "gauge", "Jobs that no worker has reserved.", &text)
        for lane in status.lanes { sample("backlog", "\(lane.backlog)", [("lane", lane.name.text)], &text) }
        family("pending", "gauge", "Jobs that are reserved and not settled.", &text)
        for lane in status.lanes { sample("pending", "\(lane.pending)", [("lane", lane.name.text)], &text) }
        family("oldest_seconds", "gauge", "Age of the oldest job that is not settled.", &text)
        for lane in status.lanes {
            sample(
                "oldest_seconds", "\(StatusText.seconds(lane.oldest ?? .zero))", [("lane", lane.name.text)], &text)
        }
        simple("later", "gauge", "Jobs that are sent later.", status.later, &text)
        simple("dead", "gauge", "Jobs in the dead letter.", status.dead, &text)
        simple("feedback", "gauge", "Lines of feedback that nobody took.", status.feedback, &text)
    }

    private static func family(_ name: String, _ type: String, _ help: String, _ text: inout String) {
        text += "# HELP \(prefix)\(name) \(help)\n# TYPE \(prefix)\(name) \(type)\n"
    }

    private static func simple(_ name: String, _ type: String, _ help: String, _ value: Int, _ text: inout String) {
        family(name, type, help, &text)
        sample(name, "\(value)", [], &text)
    }

    private static func sample(
        _ name: String, _ value: String, _ labels: [(name: String, value: String)], _ text: inout String
    ) {
        let list = labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
        text += "\(prefix)\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
    }

    private static func histogram(_ name: String, _ help: String, _ counts: BucketCounts, _ text: inout String) {
        family(name, "histogram", help, &text)
        var sum = 0
        for (index, bound) in counts.bounds.enumerated() {
            sum += counts.counts[index]
            sample(name + "_bucket", "\(sum)", [("le", "\(bound)")], &text)
        }
        sample(name + "_bucket", "\(counts.total)", [("le", "+Inf")], &text)
        sample(name + "_sum", "\(counts.sum)", [], &text)
        sample(name + "_count", "\(counts.total)", [], &text)
    }

    /// Names of tenants and reasons come from outside.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
