import GatewayCore

extension ControlAPI {
    /// Prometheus text. The counts begin at 0 again when everything is reset, and at no other time.
    var metrics: String {
        let (counts, channelCounts) = state.read { world, _ in (world.counts, world.channelCounts) }
        var text = """
            # HELP apns_gateway_notifications_total Requests by what became of them.
            # TYPE apns_gateway_notifications_total counter

            """
        func add(_ counts: RequestCounts, to name: String) {
            func add(_ outcome: String, _ reason: String, _ count: Int) {
                text += "\(name){outcome=\"\(outcome)\",reason=\"\(reason)\"} \(count)\n"
            }
            add("accepted", "", counts.accepted)
            // The codes of reasons are letters and digits, also those of fault rules, so none needs escaping.
            for (reason, count) in counts.refused.sorted(by: { $0.key < $1.key }) { add("refused", reason, count) }
            add("unprocessed", "", counts.unprocessed)
        }
        add(counts, to: "apns_gateway_notifications_total")
        text += """
            # HELP apns_gateway_channel_requests_total Requests that manage channels by what became of them.
            # TYPE apns_gateway_channel_requests_total counter

            """
        add(channelCounts, to: "apns_gateway_channel_requests_total")
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
