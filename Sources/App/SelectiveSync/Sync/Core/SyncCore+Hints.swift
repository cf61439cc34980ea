package import PushDispatch

extension SyncCore {
    /// Takes in a hint, or a call that waits for everything that is pending (`records` is empty).
    ///
    /// - Parameters:
    ///   - mark: The mark of the hint in the pending store; nil where the hint is not in the store.
    ///   - stopAt: No request for it starts later.
    package mutating func receive(
        _ records: [RecordID], of object: String, mark: PendingMark?, stopAt: DispatchMoment, at now: DispatchMoment
    ) -> Reception {
        let id = TicketID(number: nextNumber())
        var ticket = Ticket(object: object, scope: records.isEmpty ? .everything : .named, stopAt: stopAt)
        // Removed while it changes: a second reference would make each change copy the whole queue.
        var queue = queues.removeValue(forKey: object) ?? SyncQueue()
        var outOfScope: [PendingRecord] = []
        let isInScope = objects[object]?.isInScope
        for record in records {
            guard isInScope?(record) == true else {
                outOfScope.append(PendingRecord(record, mark: mark ?? .start))
                continue
            }
            guard count < policy.maximumPending || queue.contains(record) else {
                ticket.lost.append(record)
                continue
            }
            switch queue.hint(record, mark: mark, for: id) {
            case .added: count += 1
            case .waiting: break
            case .joined(let request, let index): requests[request]?.tickets[index].append(id)
            }
            ticket.waiting.insert(record)
        }
        if records.isEmpty { ticket.waiting = queue.everything }
        if !ticket.waiting.isEmpty, queue.gatherUntil == nil {
            queue.gatherUntil = now.advanced(byMilliseconds: records.isEmpty ? 0 : policy.gatherMilliseconds)
        }
        if records.isEmpty { queue.attach(id) { requests[$0]?.tickets[$1].append(id) } }
        queues[object] = queue
        tickets[id] = ticket
        return Reception(ticket: id, outOfScope: outOfScope, isFull: !ticket.lost.isEmpty)
    }

    /// Takes in hints of earlier pushes from the pending store, oldest first.
    package mutating func load(_ pending: [PendingRecord], of object: String) -> Loading {
        var loading = Loading()
        guard let isInScope = objects[object]?.isInScope else { return loading }
        // Removed while it changes, as in `receive`.
        var queue = queues.removeValue(forKey: object) ?? SyncQueue()
        for item in pending {
            if !isInScope(item.record) {
                loading.outOfScope.append(item)
            } else if count < policy.maximumPending || queue.contains(item.record) {
                if queue.load(item) {
                    count += 1
                    loading.added += 1
                }
            } else {
                loading.left = min(loading.left ?? item.mark, item.mark)
            }
        }
        queues[object] = queue
        return loading
    }

    /// Unloads hints of other objects that no ticket waits for. They are in the pending store, or their tickets have
    /// reported them as unfinished.
    ///
    /// - Returns: The objects of which hints were unloaded; they have to be loaded again.
    package mutating func unloadIdle(besides object: String) -> [String] {
        queues.keys.sorted().filter { name in
            guard name != object, var queue = queues.removeValue(forKey: name) else { return false }
            let dropped = queue.dropIdle()
            queues[name] = queue.isEmpty ? nil : queue
            count -= dropped
            return dropped > 0
        }
    }

    /// Whether records of the object wait or are being fetched.
    package func hasRecords(of object: String) -> Bool { queues[object]?.isEmpty == false }
}
