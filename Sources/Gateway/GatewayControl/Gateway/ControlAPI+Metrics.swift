import GatewayCore
import GatewayRuntime
import SystemFiles

extension ControlAPI {
    /// Prometheus text. Only a full reset sets the counts back to 0.
    var metrics: String {
        let (counts, channelCounts, times, sizes) = state.read { world, _ in
            (world.counts, world.channelCounts, world.answerTimes, world.payloadSizes)
        }
        var text = MetricsText()
        text.family("apns_gateway_notifications_total", "counter", "Requests by outcome.")
        text.add(counts, to: "apns_gateway_notifications_total")
        text.family(
            "apns_gateway_channel_requests_total", "counter", "Requests that manage channels by outcome.")
        text.add(channelCounts, to: "apns_gateway_channel_requests_total")
        text.family(
            "apns_gateway_unanswered_total", "counter", "Accepted requests that a fault rule left without an answer.")
        text.sample("apns_gateway_unanswered_total", "\(counts.unanswered)")
        text.family(
            "apns_gateway_answer_seconds", "histogram",
            "From the head of a request to its answer, by outcome.")
        text.add(times, to: "apns_gateway_answer_seconds", unit: 1_000_000)
        text.family("apns_gateway_payload_bytes", "histogram", "The length of payloads, by outcome of the request.")
        text.add(sizes, to: "apns_gateway_payload_bytes", unit: 1)
        text.family("apns_gateway_webhook_events_total", "counter", "Events for webhooks by result.")
        for (result, count) in state.webhooks.totals.named {
            text.sample("apns_gateway_webhook_events_total", "\(count)", [("result", result)])
        }
        text.family("apns_gateway_worlds", "gauge", "The number of worlds in the gateway.")
        text.sample("apns_gateway_worlds", "\(worlds.count)")
        if let bytes = ResidentMemory.bytes {
            text.family("process_resident_memory_bytes", "gauge", "Resident memory of the process.")
            text.sample("process_resident_memory_bytes", "\(bytes)")
        }
        return text.text
    }
}
