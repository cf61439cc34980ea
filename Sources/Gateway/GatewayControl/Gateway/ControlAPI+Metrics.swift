import GatewayCore
import GatewayJSON
import GatewayRuntime
import SystemFiles

extension ControlAPI {
    /// Prometheus text about this world or, with `?worlds=all`, about all worlds that are open to the request, with the label
    /// `world`; and about the gateway as a whole. Only a full reset sets the counts back to 0.
    func metrics(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let parameters = request.parameters
        let isOfAll = parameters["worlds"] != nil
        guard !isOfAll || parameters["worlds"] == "all" else { throw .badParameter("worlds", "must be all") }
        guard !isOfAll || base.isEmpty else {
            throw .badParameter("worlds", "is for /metrics alone; \(base)/metrics is about this world")
        }
        var text = MetricsText()
        text.add((isOfAll ? openWorlds(to: request) : [state]).map { WorldMetrics($0) }, labelled: isOfAll)
        addGateway(to: &text)
        return .text(text.text)
    }

    private func addGateway(to text: inout MetricsText) {
        text.family("apns_gateway_worlds", "gauge", "The number of worlds in the gateway.")
        text.sample("apns_gateway_worlds", "\(worlds.count)")
        text.family("apns_gateway_worlds_removed_total", "counter", "Worlds removed because nobody used them.")
        let evictions = worlds.evictions
        for reason in WorldEviction.Reason.allCases {
            text.sample(
                "apns_gateway_worlds_removed_total", "\(evictions[reason] ?? 0)", [("reason", reason.rawValue)])
        }
        if let memory = worlds.memory { text.add(memory, held: worlds.all.reduce(HeldBytes()) { $0 + $1.held }) }
        if let bytes = ResidentMemory.bytes {
            text.family("process_resident_memory_bytes", "gauge", "Resident memory of the process.")
            text.sample("process_resident_memory_bytes", "\(bytes)")
        }
    }
}

/// The numbers of one world.
struct WorldMetrics {
    let world: WorldName
    let counts: RequestCounts
    let channelCounts: RequestCounts
    let times: HistogramsByReason
    let sizes: HistogramsByReason
    let webhooks: WebhookCounts

    init(_ state: LiveWorld) {
        world = state.name
        (counts, channelCounts, times, sizes) = state.read { world, _ in
            (world.counts, world.channelCounts, world.answerTimes, world.payloadSizes)
        }
        webhooks = state.webhooks.totals
    }
}

extension MetricsText {
    /// - Parameter isLabelled: Whether each sample has the label `world`.
    mutating func add(_ worlds: [WorldMetrics], labelled isLabelled: Bool) {
        func label(_ world: WorldMetrics) -> [(name: String, value: String)] {
            isLabelled ? [("world", world.world.text)] : []
        }
        family("apns_gateway_notifications_total", "counter", "Requests by outcome.")
        for world in worlds { add(world.counts, to: "apns_gateway_notifications_total", label(world)) }
        family("apns_gateway_channel_requests_total", "counter", "Requests that manage channels by outcome.")
        for world in worlds { add(world.channelCounts, to: "apns_gateway_channel_requests_total", label(world)) }
        family(
            "apns_gateway_unanswered_total", "counter", "Accepted requests that a fault rule left without an answer.")
        for world in worlds { sample("apns_gateway_unanswered_total", "\(world.counts.unanswered)", label(world)) }
        family("apns_gateway_answer_seconds", "histogram", "From the head of a request to its answer, by outcome.")
        for world in worlds { add(world.times, to: "apns_gateway_answer_seconds", unit: 1_000_000, label(world)) }
        family("apns_gateway_payload_bytes", "histogram", "The length of payloads, by outcome of the request.")
        for world in worlds { add(world.sizes, to: "apns_gateway_payload_bytes", unit: 1, label(world)) }
        family("apns_gateway_webhook_events_total", "counter", "Events for webhooks by result.")
        for world in worlds {
            for (result, count) in world.webhooks.named {
                sample("apns_gateway_webhook_events_total", "\(count)", label(world) + [("result", result)])
            }
        }
    }

    /// - Parameter held: What all worlds hold.
    mutating func add(_ memory: MemoryBudget, held: HeldBytes) {
        family("apns_gateway_memory_limit_bytes", "gauge", "The limit of memory (--memory).")
        sample("apns_gateway_memory_limit_bytes", "\(memory.limit)")
        family("apns_gateway_memory_bytes", "gauge", "Memory of all worlds that counts against the limit, by use.")
        for (use, bytes) in held.named + [("subscribers", memory.queued.bytes), ("bodies", memory.bodyBytes)] {
            sample("apns_gateway_memory_bytes", "\(bytes)", [("use", use)])
        }
        let given = memory.givenUp
        family("apns_gateway_given_up_total", "counter", "What was given up because the limit of memory was reached.")
        let counts = [("journal", given.journalEntries), ("deliveries", given.deliveries), ("waiting", given.waiting)]
        for (what, count) in counts { sample("apns_gateway_given_up_total", "\(count)", [("what", what)]) }
    }
}
