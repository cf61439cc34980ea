import PushDispatch

/// The callers that wait for their tickets, and the pushes that have no ticket yet.
struct SyncWaiters {
    private struct Waiter {
        let context: HandlerContext
        let continuation: CheckedContinuation<HandlerReport, Never>
        var isRequestAnnounced = false
    }

    private var waiting: [SyncCore.TicketID: Waiter] = [:]
    /// Pushes whose hints are being kept. A request of another push may fetch their records meanwhile.
    private var arriving: [Int: (hint: Hint, context: HandlerContext)] = [:]
    private var lastArrival = 0

    mutating func arrive(_ hint: Hint, _ context: HandlerContext) -> Int {
        lastArrival += 1
        arriving[lastArrival] = (hint, context)
        return lastArrival
    }

    mutating func endArrival(_ arrival: Int) { arriving[arrival] = nil }

    mutating func wait(
        for ticket: SyncCore.TicketID, _ context: HandlerContext,
        _ continuation: CheckedContinuation<HandlerReport, Never>
    ) {
        waiting[ticket] = Waiter(context: context, continuation: continuation)
    }

    /// Nil once the ticket has ended.
    func context(of ticket: SyncCore.TicketID) -> HandlerContext? { waiting[ticket]?.context }

    mutating func end(_ ticket: SyncCore.TicketID, _ report: HandlerReport) {
        waiting.removeValue(forKey: ticket)?.continuation.resume(returning: report)
    }

    /// The contexts to announce a request to: those with records in it that have had no announcement yet.
    mutating func contextsToNotify(of start: SyncCore.Start) -> [HandlerContext] {
        var contexts: [HandlerContext] = []
        for ticket in start.tickets where waiting[ticket]?.isRequestAnnounced == false {
            waiting[ticket]?.isRequestAnnounced = true
            if let context = waiting[ticket]?.context { contexts.append(context) }
        }
        guard !arriving.isEmpty else { return contexts }
        let records = Set(start.fetch.records)
        for (_, (hint, context)) in arriving.sorted(by: { $0.key < $1.key })
        where hint.object == start.fetch.object && hint.records.contains(where: records.contains) {
            contexts.append(context)
        }
        return contexts
    }
}
