import PushDispatch

/// The records of one object that wait to be fetched or are in a request in flight.
struct SyncQueue: Sendable {
    typealias TicketID = SyncCore.TicketID
    typealias RequestID = SyncCore.RequestID

    private enum Place: Hashable, Sendable {
        /// A ticket waits for it.
        case fresh
        /// Left over from a push that has ended.
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
        /// The tickets that wait for its next fetch. None of them has ended: see `release(_:from:)`.
        var tickets: [TicketID] = []
    }

    enum OnHint: Hashable, Sendable {
        case added
        case waiting
        /// A request in flight started after the hint was kept, so its answer covers the hint.
        case joined(RequestID, index: Int)
    }

    private var entries: [RecordID: Entry] = [:]
    /// In order of arrival. An element whose entry has moved to another place is skipped, and removed when there are many.
    private var fresh = FIFO()
    private var backlog = FIFO()
    private var splits: [[RecordID]] = []
    private var splitsLeft = SyncCore.maximumSplits
    private var waitingCount = 0
    private var backlogCount = 0
    /// How many records of split batches no ticket waits for.
    private var idleSplitCount = 0
    /// When the next request may start. The wait collects a burst of hints in one request.
    var gatherUntil: DispatchMoment?

    var isEmpty: Bool { entries.isEmpty }
    var hasWaiting: Bool { waitingCount > 0 }
    /// Whether a record waits that no ticket waits for.
    var hasCompanions: Bool { backlogCount + idleSplitCount > 0 }
    var everything: Set<RecordID> { Set(entries.keys) }

    func contains(_ record: RecordID) -> Bool { entries[record] != nil }

    private struct FIFO: Sendable {
        private var records: [RecordID] = []
        private var head = 0

        var count: Int { records.count - head }

        mutating func append(_ record: RecordID) { records.append(record) }

        /// Keeps the first element of each record that is wanted.
        mutating func compact(_ isWanted: (RecordID) -> Bool) {
            var seen: Set<RecordID> = []
            records = records[head...].filter { isWanted($0) && seen.insert($0).inserted }
            head = 0
        }

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

// The two orders of arrival.
extension SyncQueue {
    /// Keeps an entry that has come to `fresh` or `backlog`, and appends it there.
    private mutating func line(_ record: RecordID, _ entry: Entry) {
        entries[record] = entry
        if entry.place == .backlog {
            backlogCount += 1
            append(record, to: \.backlog, .backlog)
        } else {
            append(record, to: \.fresh, .fresh)
        }
    }

    /// Without its limit an order would grow with each push that comes while the device is offline.
    private mutating func append(_ record: RecordID, to line: WritableKeyPath<SyncQueue, FIFO>, _ place: Place) {
        self[keyPath: line].append(record)
        guard self[keyPath: line].count > 2 * entries.count + 64 else { return }
        var compacted = self[keyPath: line]
        compacted.compact { entries[$0]?.place == place }
        self[keyPath: line] = compacted
    }

    /// For the test of their limit.
    var lineLength: Int { fresh.count + backlog.count }
}

// Adding records.
extension SyncQueue {
    mutating func hint(_ record: RecordID, mark: PendingMark?, for ticket: TicketID) -> OnHint {
        guard var entry = entries[record] else {
            line(record, Entry(mark: mark, place: .fresh, tickets: [ticket]))
            waitingCount += 1
            return .added
        }
        if case .underWay(let request, let index) = entry.place, !entry.again, let mark, let sent = entry.mark,
            mark <= sent
        {
            return .joined(request, index: index)
        }
        entry.mark = [entry.mark, mark].compactMap(\.self).max()
        if case .underWay = entry.place { entry.again = true }
        add(ticket, to: record, &entry)
        return .waiting
    }

    /// - Returns: Whether the record was not in the queue.
    mutating func load(_ item: PendingRecord) -> Bool {
        guard var entry = entries[item.record] else {
            line(item.record, Entry(mark: item.mark, place: .backlog))
            waitingCount += 1
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
    mutating func dropIdle() -> Int {
        guard backlogCount > 0 else { return 0 }
        let dropped = backlogCount
        entries = entries.filter { $0.value.place != .backlog }
        waitingCount -= dropped
        backlogCount = 0
        return dropped
    }

    /// Adds a ticket that waits for every record of the queue.
    mutating func attach(_ ticket: TicketID, toRequest join: (RequestID, Int) -> Void) {
        for record in entries.keys {
            guard var entry = entries[record] else { continue }
            if case .underWay(let request, let index) = entry.place, !entry.again {
                join(request, index)
            } else {
                add(ticket, to: record, &entry)
            }
        }
    }

    private mutating func add(_ ticket: TicketID, to record: RecordID, _ entry: inout Entry) {
        let isIdle = entry.tickets.isEmpty
        entry.tickets.append(ticket)
        switch entry.place {
        case .backlog:
            entry.place = .fresh
            backlogCount -= 1
            return line(record, entry)
        case .split where isIdle: idleSplitCount -= 1
        case .fresh, .split, .underWay: break
        }
        entries[record] = entry
    }

    /// Takes a ticket that has ended off a record. The record goes on waiting.
    mutating func release(_ record: RecordID, from ticket: TicketID) {
        guard var entry = entries[record], let index = entry.tickets.firstIndex(of: ticket) else { return }
        entry.tickets.remove(at: index)
        if entry.tickets.isEmpty {
            switch entry.place {
            case .fresh:
                entry.place = .backlog
                return line(record, entry)
            case .split: idleSplitCount += 1
            case .backlog, .underWay: break
            }
        }
        entries[record] = entry
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
        switch entry.place {
        case .backlog: backlogCount -= 1
        case .split where entry.tickets.isEmpty: idleSplitCount -= 1
        case .fresh, .split, .underWay: break
        }
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
        putBack(record, tickets: [])
        return false
    }

    /// - Parameter tickets: Those of the request that go on waiting for the record.
    mutating func putBack(_ record: RecordID, tickets: [TicketID]) {
        guard var entry = entries[record], case .underWay = entry.place else { return }
        entry.tickets += tickets
        entry.again = false
        entry.place = entry.tickets.isEmpty ? .backlog : .fresh
        waitingCount += 1
        line(record, entry)
    }

    /// Splits a batch into two.
    ///
    /// - Parameter tickets: For each of its records, those that have not ended.
    /// - Returns: False if too many splits were made already; nothing has changed then.
    mutating func split(_ records: [RecordID], tickets: [[TicketID]]) -> Bool {
        guard splitsLeft > 0 else { return false }
        splitsLeft -= 1
        for (record, tickets) in zip(records, tickets) {
            guard var entry = entries[record] else { continue }
            entry.place = .split
            entry.again = false
            entry.tickets += tickets
            if entry.tickets.isEmpty { idleSplitCount += 1 }
            entries[record] = entry
            waitingCount += 1
        }
        let middle = records.count / 2
        splits.append(Array(records[middle...]))
        splits.append(Array(records[..<middle]))
        return true
    }
}
