import GatewayCore

extension ControlAPI {
    /// Prometheus text. The counts begin at 0 again when everything is reset, and at no other time.
    var metrics: String {
        let counts = state.read { world, _ in world.counts }
        var text = """
            # HELP apns_gateway_notifications_total Requests by what became of them.
            # TYPE apns_gateway_notifications_total counter

            """
        func add(_ outcome: String, _ reason: String, _ count: Int) {
            text += "apns_gateway_notifications_total{outcome=\"\(outcome)\",reason=\"\(reason)\"} \(count)\n"
        }
        add("accepted", "", counts.accepted)
        // The codes of reasons are letters and digits, also those of fault rules, so none needs escaping.
        for (reason, count) in counts.refused.sorted(by: { $0.key < $1.key }) { add("refused", reason, count) }
        add("unprocessed", "", counts.unprocessed)
        text += """
            # HELP apns_gateway_unanswered_total Accepted requests that a fault rule left without an answer.
            # TYPE apns_gateway_unanswered_total counter
            apns_gateway_unanswered_total \(counts.unanswered)

            """
        guard let bytes = ResidentMemory.bytes else { return text }
        return text + """
            # HELP process_resident_memory_bytes Resident memory of the process.
            # TYPE process_resident_memory_bytes gauge
            process_resident_memory_bytes \(bytes)

            """
    }
}
