import GatewayCore

/// Writes the text format of Prometheus.
struct MetricsText {
    private(set) var text = ""

    mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// - Parameter labels: Their values need no escaping: the codes of reasons are letters and digits, also those of
    ///   fault rules.
    mutating func sample(_ name: String, _ value: String, _ labels: [(name: String, value: String)] = []) {
        let list = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
        text += list.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
    }

    private static func labels(_ outcome: String, _ reason: String = "") -> [(name: String, value: String)] {
        [("outcome", outcome), ("reason", reason)]
    }

    typealias Labels = [(name: String, value: String)]

    /// - Parameter labels: Come before the others.
    mutating func add(_ counts: RequestCounts, to name: String, _ labels: Labels = []) {
        sample(name, "\(counts.accepted)", labels + MetricsText.labels("accepted"))
        for (reason, count) in counts.refused.sorted(by: { $0.key < $1.key }) {
            sample(name, "\(count)", labels + MetricsText.labels("refused", reason))
        }
        sample(name, "\(counts.unprocessed)", labels + MetricsText.labels("unprocessed"))
    }

    /// - Parameters:
    ///   - unit: How many units of the histogram make one unit of the metric.
    ///   - labels: Come before the others.
    mutating func add(_ histograms: HistogramsByReason, to name: String, unit: Int64, _ labels: Labels = []) {
        add(histograms.accepted, to: name, labels + MetricsText.labels("accepted"), unit)
        for (reason, histogram) in histograms.refused.sorted(by: { $0.key < $1.key }) {
            add(histogram, to: name, labels + MetricsText.labels("refused", reason), unit)
        }
    }

    private mutating func add(
        _ histogram: Histogram, to name: String, _ labels: [(name: String, value: String)], _ unit: Int64
    ) {
        var count: UInt64 = 0
        for (bound, inside) in zip(histogram.bounds, histogram.counts) {
            count += inside
            sample("\(name)_bucket", "\(count)", labels + [("le", MetricsText.number(bound, unit))])
        }
        sample("\(name)_bucket", "\(histogram.total)", labels + [("le", "+Inf")])
        sample("\(name)_sum", MetricsText.number(histogram.sum, unit), labels)
        sample("\(name)_count", "\(histogram.total)", labels)
    }

    private static func number(_ value: Int64, _ unit: Int64) -> String {
        unit == 1 ? "\(value)" : "\(Double(value) / Double(unit))"
    }
}
