package import PushDispatch

// How tickets end.
extension SyncCore {
    /// Adds a report to the updates of the tickets that wait for nothing more.
    mutating func endFinished(_ updates: [TicketID: TicketUpdate]) -> [TicketUpdate] {
        var updates = updates
        for (id, ticket) in tickets {
            let isSpent = !ticket.isOpen && !isUnderWay(id, ticket)
            guard isSpent || ticket.waiting.isEmpty && !hasWork(id, ticket) else { continue }
            if isSpent, ticket.scope == .everything || !ticket.waiting.isEmpty { tickets[id]?.fail() }
            // Companions that the network does not allow to fetch go on waiting.
            if queues[ticket.object]?.hasCompanions == true, !allowsFetches(of: ticket.object) { tickets[id]?.fail() }
            updates[id, default: TicketUpdate(ticket: id)].report = remove(id)
        }
        return updates.values.sorted { $0.ticket.number < $1.ticket.number }
    }

    /// Whether a request is in flight that has records of the ticket or companions.
    private func isUnderWay(_ id: TicketID, _ ticket: Ticket) -> Bool {
        requests.values.contains { serves($0, id, ticket) }
    }

    /// Whether a request has records of the ticket or companions.
    private func serves(_ request: Request, _ id: TicketID, _ ticket: Ticket) -> Bool {
        request.object == ticket.object && request.tickets.contains { $0.contains(id) || isCompanion($0) }
    }

    /// Whether no live ticket is among the owners of a record.
    func isCompanion(_ owners: [TicketID]) -> Bool { !owners.contains { tickets[$0] != nil } }

    /// Whether companions of the ticket wait, or a request of it is in flight.
    private func hasWork(_ id: TicketID, _ ticket: Ticket) -> Bool {
        queues[ticket.object]?.hasCompanions == true && allowsFetches(of: ticket.object)
            || isUnderWay(id, ticket)
    }

    /// Ends the closing tickets that no request in flight serves. The answer of such a request belongs in the report.
    mutating func endSpent() -> [TicketUpdate] {
        end(tickets.filter { !$0.value.isOpen && !isUnderWay($0.key, $0.value) })
    }

    /// Ends tickets as failed.
    mutating func end(_ ended: [TicketID: Ticket]) -> [TicketUpdate] {
        ended.keys.sorted { $0.number < $1.number }.map { id in
            tickets[id]?.fail()
            return TicketUpdate(ticket: id, report: remove(id))
        }
    }

    /// Removes a ticket that has ended. Records that only it waited for become companions of the next tickets.
    private mutating func remove(_ id: TicketID) -> HandlerReport? {
        guard let ticket = tickets.removeValue(forKey: id) else { return nil }
        for record in ticket.waiting { queues[ticket.object]?.release(record, from: id) }
        return ticket.report
    }

    /// Ends a ticket whose push or call was cancelled. Its records go on waiting without it.
    ///
    /// - Parameter storing: Requests whose answers are being stored; they belong in the report, as do companions in them.
    /// - Returns: The report, unless answers for the ticket are being stored, and the requests that no ticket waits for
    ///   any more.
    package mutating func cancel(
        _ ticket: TicketID, storing: Set<RequestID> = []
    ) -> (report: HandlerReport?, requests: [RequestID]) {
        guard let cancelled = tickets[ticket] else { return (nil, []) }
        if storing.contains(where: { requests[$0].map { serves($0, ticket, cancelled) } == true }) {
            tickets[ticket]?.close()
            return (nil, [])
        }
        // Its companions are not waited for.
        if hasWork(ticket, cancelled) { tickets[ticket]?.fail() }
        let report = remove(ticket)
        guard !tickets.values.contains(where: { $0.object == cancelled.object }) else { return (report, []) }
        return (
            report, requests.filter { $0.value.object == cancelled.object }.map(\.key).sorted { $0.number < $1.number }
        )
    }

    /// Ends the tickets that nothing can be fetched for: the network is not allowed for their object, the server demands
    /// a longer wait than they have time, or nothing waits.
    package mutating func settled() -> [TicketUpdate] {
        let refused = tickets.filter { id, ticket in
            guard !ticket.waiting.isEmpty else { return false }
            if let notBefore = backOff.notBefore, notBefore >= ticket.stopAt, !isUnderWay(id, ticket) { return true }
            return !allowsFetches(of: ticket.object)
                && !requests.values.contains { $0.object == ticket.object }
        }
        return end(refused) + endFinished([:])
    }
}
