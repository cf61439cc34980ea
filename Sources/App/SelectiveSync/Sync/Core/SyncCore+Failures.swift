package import PushDispatch

// Requests that bring nothing.
extension SyncCore {
    /// A request failed.
    package mutating func failed(
        _ id: RequestID, _ error: FetchError, at now: DispatchMoment, random: UInt64
    ) -> Failure {
        guard let request = requests[id] else { return Failure(updates: [], dropped: [], retryAt: nil) }
        switch error.advice {
        case .dropRecord:
            if request.records.count == 1 {
                let dropped = served(by: id)
                return Failure(updates: drop(id, at: now), dropped: dropped, retryAt: nil)
            }
            let owners = request.tickets.map { $0.filter { tickets[$0] != nil } }
            if queues[request.object]?.split(request.records, tickets: owners) == true {
                requests[id] = nil
                return Failure(updates: endSpent(), dropped: [], retryAt: nil)
            }
            return Failure(updates: giveUp(id), dropped: [], retryAt: nil)
        case .stop:
            if var all = requests[id] {
                queues[request.object]?.takeAll(into: &all, id)
                requests[id] = all
            }
            let dropped = served(by: id)
            return Failure(updates: drop(id, at: now), dropped: dropped, retryAt: nil)
        case .logIn, .keep: return Failure(updates: giveUp(id), dropped: [], retryAt: nil)
        case .retryLater: return retry(id, request, error, at: now, random: random)
        }
    }

    /// The store refused the answers. Nothing more is fetched, because the store would refuse it as well.
    package mutating func notStored(_ id: RequestID) -> [TicketUpdate] { giveUp(id) }

    private mutating func drop(_ id: RequestID, at now: DispatchMoment) -> [TicketUpdate] {
        settle(id, changed: [], again: [], isFailed: true, at: now)
    }

    /// Puts the records back and closes all tickets of their object.
    private mutating func giveUp(_ id: RequestID) -> [TicketUpdate] {
        guard let request = requests.removeValue(forKey: id) else { return [] }
        for (id, ticket) in tickets where ticket.object == request.object { tickets[id]?.close() }
        putBack(request)
        return endSpent()
    }

    private mutating func putBack(_ request: Request) {
        let companions = zip(request.records, request.tickets).filter { isCompanion($0.1) }.map(\.0)
        for (id, ticket) in tickets where ticket.object == request.object {
            tickets[id]?.missed.formUnion(companions)
        }
        for (index, record) in request.records.enumerated() {
            let waiting = request.tickets[index].filter { tickets[$0]?.isOpen == true }
            queues[request.object]?.putBack(record, tickets: waiting)
        }
    }

    private mutating func retry(
        _ id: RequestID, _ request: Request, _ error: FetchError, at now: DispatchMoment, random: UInt64
    ) -> Failure {
        requests[id] = nil
        // Cancelled by this sync, so the server has done nothing wrong and no wait is due.
        guard error.code != .cancelled else {
            putBack(request)
            return Failure(updates: [], dropped: [], retryAt: nil)
        }
        let retryAt = backOff.failed(error, policy: policy, at: now, random: random)
        for ticket in Set(request.tickets.joined()) { tickets[ticket]?.countTry() }
        for (id, ticket) in tickets where ticket.object == request.object {
            tickets[id]?.closeUnlessRetried(at: retryAt, maximumTries: policy.maximumTries)
        }
        putBack(request)
        let updates = endSpent()
        let isAwaited = tickets.values.contains { $0.object == request.object && $0.isOpen }
        return Failure(updates: updates, dropped: [], retryAt: isAwaited ? retryAt : nil)
    }
}
