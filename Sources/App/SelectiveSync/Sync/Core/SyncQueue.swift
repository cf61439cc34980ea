import PushDispatch

/// The records of one object that wait to be fetched or are in a request in flight.
struct SyncQueue: Sendable {
    typealias TicketID = SyncCore.TicketID
    typealias RequestID = SyncCore.RequestID

    private enum Place: Hashable, Sendable {
        /// Named by a push of this run.
        case fresh
        /// Left over from an earlier push.
        case backlog
        /// Part of a batch that the server refused because of one of its ids.
        case split
        case underWay(RequestID, index: Int)
    }

    private struct Entry: Sendable {
        /// The newest mark of the record in the pending store.
        var mark: PendingMark?
        var place: Place
        /// A hint came after the request started, so the record has to be fetched once more.
        var again = false
        /// The tickets that wait for its next fetch.
        var tickets: [TicketID] = []
    }

    enum OnHint: Hashable, Sendable {
        case added
        case waiting
        /// A request in flight started after the hint was kept, so its answer covers the hint.
        case joined(RequestID, index: Int)
    }

    private var entries: [RecordID: Entry] = [:]
    /// In order of arrival. An element whose entry has moved to another place is skipped.
    private var fresh = FIFO()
    private var backlog = FIFO()
    private var splits: [[RecordID]] = []
    private var splitsLeft = SyncCore.maximumSplits
    private var waitingCount = 0
    private var backlogCount = 0
    /// When the next request may start. The wait collects a burst of hints in one request.
    var gatherUntil: DispatchMoment?

    var isEmpty: Bool { entries.isEmpty }
    var hasWaiting: Bool { waitingCount > 0 }
    var hasBacklog: Bool { backlogCount > 0 }
    var everything: Set<RecordID> { Set(entries.keys) }

    func contains(_ record: RecordID) -> Bool { entries[record] != nil }

    private struct FIFO: Sendable {
        private var records: [RecordID] = []
        private var head = 0

        mutating func append(_ record: RecordID) { records.append(record) }

        mutating func popFirst() -> RecordID? {
            guard head < records.count else {
                records.removeAll(keepingCapacity: true)
                head = 0
                return nil
            }
            head += 1
            if head > 4_096, head * 2 > records.count {
                records.removeFirst(head)
                head = 0
                return popFirst()
            }
            return records[head - 1]
        }
    }
}

// Adding records.
extension SyncQueue {
    mutating func hint(
        _ record: RecordID, mark: PendingMark?, for ticket: TicketID, isLive: (TicketID) -> Bool
    ) -> OnHint {
        guard var entry = entries[record] else {
            entries[record] = Entry(mark: mark, place: .fresh, tickets: [ticket])
            fresh.append(record)
            waitingCount += 1
            return .added
        }
        if case .underWay(let request, let index) = entry.place, !entry.again, let mark, let sent = entry.mark,
            mark <= sent
        {
            return .joined(request, index: index)
        }
        entry.mark = [entry.mark, mark].compactMap(\.self).max()
        entry.tickets.removeAll { !isLive($0) }
        entry.tickets.append(ticket)
        switch entry.place {
        case .underWay: entry.again = true
        case .backlog:
            entry.place = .fresh
            fresh.append(record)
            backlogCount -= 1
        case .fresh, .split: break
        }
        entries[record] = entry
        return .waiting
    }

    /// - Returns: Whether the record was not in the queue.
    mutating func load(_ item: PendingRecord) -> Bool {
        guard var entry = entries[item.record] else {
            entries[item.record] = Entry(mark: item.mark, place: .backlog)
            backlog.append(item.record)
            waitingCount += 1
            backlogCount += 1
            return true
        }
        guard entry.mark.map({ $0 < item.mark }) ?? true else { return false }
        entry.mark = item.mark
        if case .underWay = entry.place { entry.again = true }
        entries[item.record] = entry
        return false
    }

    /// Removes records that no ticket waits for and no request contains.
    ///
    /// - Returns: How many were removed.
    mutating func dropIdle(isLive: (TicketID) -> Bool) -> Int {
        guard hasWaiting else { return 0 }
        let before = entries.count
        entries = entries.filter { _, entry in
            switch entry.place {
            case .fresh, .backlog: entry.tickets.contains(where: isLive)
            case .split, .underWay: true
            }
        }
        let dropped = before - entries.count
        waitingCount -= dropped
        backlogCount = entries.values.count { $0.place == .backlog }
        return dropped
    }

    /// Adds a ticket that waits for every record of the queue.
    mutating func attach(
        _ ticket: TicketID, isLive: (TicketID) -> Bool, toRequest join: (RequestID, Int) -> Void
    ) {
        for record in entries.keys {
            guard var entry = entries[record] else { continue }
            if case .underWay(let request, let index) = entry.place, !entry.again {
                join(request, index)
            } else {
                entry.tickets.removeAll { !isLive($0) }
                entry.tickets.append(ticket)
                entries[record] = entry
            }
        }
    }
}

// Taking batches.
extension SyncQueue {
    func isReady(at now: DispatchMoment, batch: Int) -> Bool {
        guard let ready = readyAt(batch: batch) else { return false }
        return ready <= now
    }

    /// When the next request may start; nil while nothing waits.
    func readyAt(batch: Int) -> DispatchMoment? {
        guard hasWaiting else { return nil }
        if !splits.isEmpty || waitingCount >= batch { return DispatchMoment(milliseconds: .min) }
        return gatherUntil ?? DispatchMoment(milliseconds: .min)
    }

    /// Takes the next batch: half of a refused batch alone, otherwise first the records that pushes named and then the
    /// backlog.
    mutating func take(_ maximum: Int, of object: String, for id: RequestID) -> SyncCore.Request {
        var request = SyncCore.Request(object: object, records: [], marks: [], tickets: [])
        if let split = splits.popLast() {
            for record in split where entries[record]?.place == .split { take(record, &request, id) }
        } else {
            splitsLeft = SyncCore.maximumSplits
            take(maximum, .fresh, \.fresh, &request, id)
            take(maximum, .backlog, \.backlog, &request, id)
        }
        if !hasWaiting { gatherUntil = nil }
        return request
    }

    private mutating func take(
        _ maximum: Int, _ place: Place, _ line: WritableKeyPath<SyncQueue, FIFO>, _ request: inout SyncCore.Request,
        _ id: RequestID
    ) {
        while request.records.count < maximum, let record = self[keyPath: line].popFirst() {
            if entries[record]?.place == place { take(record, &request, id) }
        }
    }

    private mutating func take(_ record: RecordID, _ request: inout SyncCore.Request, _ id: RequestID) {
        guard var entry = entries[record] else { return }
        waitingCount -= 1
        if entry.place == .backlog { backlogCount -= 1 }
        request.records.append(record)
        request.marks.append(entry.mark)
        request.tickets.append(entry.tickets)
        entry.tickets = []
        entry.place = .underWay(id, index: request.records.count - 1)
        entries[record] = entry
    }

    /// Adds everything that waits to a request that failed for good, so that all of it is dropped together.
    mutating func takeAll(into request: inout SyncCore.Request, _ id: RequestID) {
        let waiting = entries.filter { if case .underWay = $0.value.place { false } else { true } }
        for record in waiting.keys.sorted() {
            take(record, &request, id)
        }
        splits = []
        gatherUntil = nil
    }
}

// Records of requests that have ended.
extension SyncQueue {
    /// The record was fetched. It waits again if a hint came after the request started.
    ///
    /// - Returns: Whether it has left the queue.
    mutating func settle(_ record: RecordID, of id: RequestID) -> Bool {
        guard let entry = entries[record], case .underWay(id, _) = entry.place else { return false }
        guard entry.again else {
            entries[record] = nil
            return true
        }
        putBack(record, tickets: [], isFresh: false)
        return false
    }

    mutating func putBack(_ record: RecordID, tickets: [TicketID], isFresh: Bool) {
        guard var entry = entries[record], case .underWay = entry.place else { return }
        entry.tickets += tickets
        entry.again = false
        entry.place = isFresh || !entry.tickets.isEmpty ? .fresh : .backlog
        entries[record] = entry
        waitingCount += 1
        if entry.place == .fresh {
            fresh.append(record)
        } else {
            backlog.append(record)
            backlogCount += 1
        }
    }

    /// Splits a batch into two.
    ///
    /// - Returns: False if too many splits were made already; nothing has changed then.
    mutating func split(_ request: SyncCore.Request) -> Bool {
        guard splitsLeft > 0 else { return false }
        splitsLeft -= 1
        for (index, record) in request.records.enumerated() {
            entries[record]?.place = .split
            entries[record]?.again = false
            entries[record]?.tickets += request.tickets[index]
            waitingCount += 1
        }
        let middle = request.records.count / 2
        splits.append(Array(request.records[middle...]))
        splits.append(Array(request.records[..<middle]))
        return true
    }
}
