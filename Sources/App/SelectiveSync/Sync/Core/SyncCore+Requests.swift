package import PushDispatch

extension SyncCore {
    /// The requests to start now.
    package mutating func next(at now: DispatchMoment) -> [Start] {
        var starts: [Start] = []
        while requests.count < policy.maximumRequests, let start = nextStart(at: now) { starts.append(start) }
        return starts
    }

    private mutating func nextStart(at now: DispatchMoment) -> Start? {
        if let notBefore = backOff.notBefore, notBefore > now { return nil }
        for name in queues.keys.sorted() {
            guard let object = objects[name], allowsFetches(of: name), var queue = queues[name],
                let stopAt = latestStop(of: name), stopAt > now,
                queue.isReady(at: now, batch: policy.maximumBatch)
            else { continue }
            queues[name] = nil
            let id = RequestID(number: nextNumber())
            let request = queue.take(policy.maximumBatch, of: name, for: id)
            queues[name] = queue
            guard !request.records.isEmpty else { continue }
            requests[id] = request
            let fetch = FetchRequest(
                object: name, records: request.records, fields: object.fields, filter: object.filter,
                timeoutMilliseconds: stopAt.milliseconds(since: now))
            let waiting = Set(request.tickets.joined()).filter { tickets[$0] != nil }
            return Start(request: id, fetch: fetch, tickets: waiting.sorted { $0.number < $1.number })
        }
        return nil
    }

    private func latestStop(of object: String) -> DispatchMoment? {
        tickets.values.filter { $0.object == object && $0.isOpen }.map(\.stopAt).max()
    }

    /// Closes the tickets for everything pending whose time is over. A push is cancelled by its dispatcher; nothing
    /// else stops these.
    package mutating func timeRanOut(at now: DispatchMoment) -> [TicketUpdate] {
        let late = tickets.filter { $0.value.scope == .everything && $0.value.isOpen && $0.value.stopAt <= now }
        for id in late.keys { tickets[id]?.close() }
        return late.isEmpty ? [] : endSpent()
    }

    /// When to call `timeRanOut(at:)` again if nothing else happens; nil if no ticket has a limit of its own.
    package var endsNext: DispatchMoment? {
        tickets.values.filter { $0.scope == .everything && $0.isOpen }.map(\.stopAt).min()
    }

    /// When to call `next(at:)` again if nothing else happens; nil if time alone starts no request.
    package func startsNext(at now: DispatchMoment) -> DispatchMoment? {
        guard requests.count < policy.maximumRequests else { return nil }
        var earliest: DispatchMoment?
        for (name, queue) in queues {
            guard allowsFetches(of: name), let stopAt = latestStop(of: name),
                let ready = queue.readyAt(batch: policy.maximumBatch)
            else { continue }
            let moment = max(ready, backOff.notBefore ?? ready)
            if moment > now, moment < stopAt { earliest = min(earliest ?? moment, moment) }
        }
        return earliest
    }

    /// The answers of a request are stored.
    ///
    /// - Parameter again: Records that have to be fetched once more.
    package mutating func stored(
        _ id: RequestID, changed: [RecordID], again: [RecordID] = [], at now: DispatchMoment
    ) -> [TicketUpdate] {
        backOff.reset()
        return settle(id, changed: Set(changed), again: Set(again), isFailed: false, at: now)
    }

    /// False once the request was answered or dropped.
    package func isOpen(_ id: RequestID) -> Bool { requests[id] != nil }

    /// The hints that the answers of the request serve. The store removes them together with storing the answers.
    package func served(by id: RequestID) -> [PendingRecord] {
        guard let request = requests[id] else { return [] }
        return zip(request.records, request.marks).compactMap { record, mark in
            mark.map { PendingRecord(record, mark: $0) }
        }
    }

    /// Removes a request whose records need nothing more, because they are stored or because they are given up.
    mutating func settle(
        _ id: RequestID, changed: Set<RecordID>, again: Set<RecordID>, isFailed: Bool, at now: DispatchMoment
    ) -> [TicketUpdate] {
        guard let request = requests.removeValue(forKey: id), var queue = queues.removeValue(forKey: request.object)
        else { return [] }
        var updates: [TicketID: TicketUpdate] = [:]
        let missing = tickets.filter { !$0.value.missed.isEmpty }.map(\.key)
        for (index, record) in request.records.enumerated() {
            if again.contains(record) {
                queue.putBack(record, tickets: request.tickets[index].filter { tickets[$0] != nil })
                continue
            }
            if queue.settle(record, of: id) { count -= 1 }
            for ticket in missing { tickets[ticket]?.missed.remove(record) }
            var isWanted = false
            for ticket in request.tickets[index] where tickets[ticket] != nil {
                isWanted = true
                add(record, isChanged: changed.contains(record), isFailed, to: ticket, &updates)
            }
            // A companion counts for every ticket of the object.
            guard !isWanted, isFailed || changed.contains(record) else { continue }
            for ticket in tickets.keys where tickets[ticket]?.object == request.object {
                if isFailed { tickets[ticket]?.fail() }
                guard changed.contains(record) else { continue }
                tickets[ticket]?.changed += 1
                updates[ticket, default: TicketUpdate(ticket: ticket)].changed += 1
            }
        }
        if queue.hasWaiting, queue.gatherUntil == nil { queue.gatherUntil = now }
        queues[request.object] = queue.isEmpty ? nil : queue
        return endFinished(updates)
    }

    private mutating func add(
        _ record: RecordID, isChanged: Bool, _ isFailed: Bool, to ticket: TicketID,
        _ updates: inout [TicketID: TicketUpdate]
    ) {
        guard tickets[ticket]?.waiting.remove(record) != nil else { return }
        var update = updates[ticket] ?? TicketUpdate(ticket: ticket)
        update.done.append(record)
        if isChanged {
            update.changed += 1
            tickets[ticket]?.changed += 1
        }
        if isFailed { tickets[ticket]?.fail() }
        updates[ticket] = update
    }
}
