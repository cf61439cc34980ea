import APNSModel
import PayloadJSON

/// The result of a load run, as text and as JSON.
package struct LoadSummary: Sendable {
    package var gateway: String
    package var connections: Int
    /// How many tasks called `send(_:)`; nil for a bulk send.
    package var tasks: Int?
    /// The requested rate in notifications a second; nil is as fast as possible.
    package var wantedRate: Double?
    package var payloadBytes: Int
    package var record: LoadRecord
    /// How many notifications were given to the sender.
    package var submitted: Int
    /// The duration of the measured part.
    package var elapsed: Duration
    /// The processor time of this process in the measured part, all threads together.
    package var cpu: Duration
    package var peakMemoryBytes: Int
    package var isInterrupted: Bool

    package init(
        gateway: String, connections: Int, tasks: Int?, wantedRate: Double?, payloadBytes: Int, record: LoadRecord,
        submitted: Int, elapsed: Duration, cpu: Duration, peakMemoryBytes: Int, isInterrupted: Bool
    ) {
        self.gateway = gateway
        self.connections = connections
        self.tasks = tasks
        self.wantedRate = wantedRate
        self.payloadBytes = payloadBytes
        self.record = record
        self.submitted = submitted
        self.elapsed = elapsed
        self.cpu = cpu
        self.peakMemoryBytes = peakMemoryBytes
        self.isInterrupted = isInterrupted
    }

    /// Outcomes a second in the measured part; 0 if nothing was measured.
    package var rate: Double {
        elapsed > .zero ? Double(record.measured) * 1e9 / Double(elapsed.wholeNanoseconds) : 0
    }

    package var cpuMicroseconds: Double {
        record.measured > 0 ? Double(cpu.wholeNanoseconds) / 1000 / Double(record.measured) : 0
    }

    /// Notifications that were submitted and have no result.
    package var withoutResult: Int { submitted - record.ledger.count }

    /// An error of the sender, whatever the gateway did; nil if each notification has exactly one result.
    package var miscount: String? {
        guard withoutResult != 0 || record.ledger.repeated > 0 else { return nil }
        return
            "of \(submitted) notifications, without a result: \(withoutResult), with a second one: \(record.ledger.repeated)"
    }

    /// The percentiles in text and JSON.
    static let percentiles: [(name: String, percentile: Double)] = [
        ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9),
    ]

    /// The settings of the run.
    var settingsText: String {
        let form = tasks.map { "send(_:) from \($0) \($0 == 1 ? "task" : "tasks")" } ?? "bulk"
        let speed = wantedRate.map { "\($0.rateText) a second" } ?? "as fast as possible"
        return "\(form), \(speed), \(connections) \(connections == 1 ? "connection" : "connections"), "
            + "\(payloadBytes) bytes each"
    }

    // MARK: Forms

    /// For people, without a line end after the last line.
    package var text: String {
        let latencies = record.latencies
        let times =
            LoadSummary.percentiles.map { ($0.name, latencies.percentile($0.percentile)) }
            + [("max", latencies.maximum)]
        var lines = [
            "\(gateway): \(settingsText)",
            "  measured       \(record.measured) of \(record.total) notifications, "
                + "\((Double(elapsed.wholeNanoseconds) / 1e9).text(places: 2)) s",
            "  rate           \(rate.rateText) a second",
            "  CPU            \(cpuMicroseconds.text(places: 2)) µs each",
            "  peak memory    \((Double(peakMemoryBytes) / 1_048_576).text(places: 1)) MiB",
            "  latency        " + (wantedRate == nil ? "from submission to outcome" : "from due time to outcome"),
        ]
        for (name, time) in times {
            let number = time.inMilliseconds.text(places: 3)
            lines.append("    \(name.padded(to: 7))\(number.leftPadded(to: 13)) ms")
        }
        lines.append(
            "  outcomes       \(record.accepted) accepted, \(record.refused) refused, \(record.unsent) unsent, "
                + "\(record.unknown) unknown")
        for (reason, count) in LoadSummary.sorted(record.reasons) {
            lines.append("    \(String(count).leftPadded(to: 10))  \(reason)")
        }
        if isInterrupted { lines.append("  interrupted    before the end") }
        return lines.joined(separator: "\n")
    }

    /// For scripts: one JSON object.
    package var json: String {
        let latencies = record.latencies
        let times =
            [("mean", latencies.mean)]
            + LoadSummary.percentiles.map { ($0.name, latencies.percentile($0.percentile)) }
            + [("max", latencies.maximum)]
        let shownTimes = times.map { "\(JSONWriter.quoted($0.0)):\($0.1.inMilliseconds.text(places: 4))" }
        return """
            {"gateway":\(JSONWriter.quoted(gateway)),"connections":\(connections),\
            "tasks":\(tasks.map { String($0) } ?? "null"),\
            "wanted-rate":\(wantedRate.map { $0.text(places: 3) } ?? "null"),"payload-bytes":\(payloadBytes),\
            "notifications":\(record.measured),"warm-up":\(record.total - record.measured),\
            "seconds":\((Double(elapsed.wholeNanoseconds) / 1e9).text(places: 4)),"rate":\(rate.text(places: 1)),\
            "cpu-microseconds":\(cpuMicroseconds.text(places: 3)),"peak-memory-bytes":\(peakMemoryBytes),\
            "latency-milliseconds":{\(shownTimes.joined(separator: ","))},\
            "outcomes":{"accepted":\(record.accepted),"refused":\(record.refused),"unsent":\(record.unsent),\
            "unknown":\(record.unknown)},"reasons":\(LoadSummary.json(record.reasons)),\
            "refused":\(LoadSummary.json(record.refusedReasons)),\
            "unsent":\(LoadSummary.json(record.unsentReasons)),\
            "unknown":\(LoadSummary.json(record.unknownReasons)),\
            "submitted":\(submitted),"without-result":\(withoutResult),"repeated":\(record.ledger.repeated),\
            "interrupted":\(isInterrupted)}
            """
    }

    /// Most frequent first.
    private static func sorted(_ reasons: [String: Int]) -> [(key: String, value: Int)] {
        reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    }

    private static func json(_ reasons: [String: Int]) -> String {
        "{" + sorted(reasons).map { "\(JSONWriter.quoted($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    }
}
