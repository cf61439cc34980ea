import PushDispatch

/// The records of one object that wait, and those that are under way.
struct SyncQueue: Sendable {
    typealias TicketID = SyncCore.TicketID
    typealias RequestID = SyncCore.RequestID

    private enum Place: Hashable, Sendable {
        /// Named by a push of this run.
        case fresh
        /// Left from before.
        case backlog
        /// Part of a batch that the server refused for one of its ids.
        case split
        case underWay(RequestID, index: Int)
    }

    private struct Entry: Sendable {
        /// The newest under which it is in the pending store.
        var mark: PendingMark?
        var place: Place
        /// A hint came after the request went out.
        var again = false
        /// Who waits for its next fetch.
        var tickets: [TicketID] = []
    }

    enum OnHint: Hashable, Sendable {
        case added
        case waiting
        /// The request under way went out after the hint was kept, and so covers it.
        case joined(RequestID, index: Int)
    }

    private var entries: [RecordID: Entry] = [:]
    /// In the order of their coming; an element whose entry stands elsewhere by now is passed over.
    private var fresh = Line()
    private var backlog = Line()
    private var splits: [[RecordID]] = []
    private var splitsLeft = SyncCore.maximumSplits
    private var waitingCount = 0
    private var backlogCount = 0
    /// When the next request may go out, so that a burst of hints makes one.
    var gatherUntil: DispatchMoment?

    var isEmpty: Bool { entries.isEmpty }
    var hasWaiting: Bool { waitingCount > 0 }
    var hasBacklog: Bool { backlogCount > 0 }
    var everything: Set<RecordID> { Set(entries.keys) }

    /// Whether the record waits or is under way; nil for neither.
    subscript(record: RecordID) -> Bool? { entries[record].map { _ in true } }

    private struct Line: Sendable {
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

// MARK: - In

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

    /// - Returns: Whether it is new here.
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

    /// Forgets what nobody waits for and no request has.
    ///
    /// - Returns: How many that were.
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

    /// Somebody waits for all of it.
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

// MARK: - Out

extension SyncQueue {
    func isReady(at now: DispatchMoment, batch: Int) -> Bool {
        guard let ready = readyAt(batch: batch) else { return false }
        return ready <= now
    }

    /// Nil while nothing waits.
    func readyAt(batch: Int) -> DispatchMoment? {
        guard hasWaiting else { return nil }
        if !splits.isEmpty || waitingCount >= batch { return DispatchMoment(milliseconds: .min) }
        return gatherUntil ?? DispatchMoment(milliseconds: .min)
    }

    /// The next batch: a refused one's half alone, else what pushes named and then what was left from before.
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
        _ maximum: Int, _ place: Place, _ line: WritableKeyPath<SyncQueue, Line>, _ request: inout SyncCore.Request,
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

    /// Everything that waits joins the request, which is not going to be tried again.
    mutating func takeAll(into request: inout SyncCore.Request, _ id: RequestID) {
        let waiting = entries.filter { if case .underWay = $0.value.place { false } else { true } }
        for record in waiting.keys.sorted() {
            take(record, &request, id)
        }
        splits = []
        gatherUntil = nil
    }
}

// MARK: - Back

extension SyncQueue {
    /// The record was fetched. It waits again where a hint came after the request went out.
    ///
    /// - Returns: Whether it is gone from here.
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

    /// Makes two batches of one.
    ///
    /// - Returns: False where that was done too often, and nothing has changed.
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
