import PushDispatch

/// The queue of one destination and the state of its requests.
struct DeliveryLane: Sendable {
    let name: DestinationName
    let policy: DestinationPolicy

    var rows: [EntryRow] = []
    /// Waiting and being sent.
    private(set) var count = 0
    private(set) var bytes = 0
    private var segment: Int64 = 0

    var inFlight: DeliveryRequest?
    /// The sizes of the next batches, the next one last, while a refused batch is halved.
    private var pieces: [Int] = []
    private var renewsCredentials = false
    private var repeats = 0
    private(set) var failures = 0
    /// The end of the back-off.
    private var notBefore: DispatchMoment?
    /// The end of the pause that the service or the rule for its answer asks for.
    private var pausedUntil: DispatchMoment?
    private var circuitUntil: DispatchMoment?

    /// Everything up to this sequence is sent by itself, batch after batch.
    private var drainTo: Int64 = 0
    /// Everything up to this sequence is sent for flushes on demand.
    private var flushTo: Int64 = 0
    /// Flushes ignore the connection, the back-off and the circuit until the next failure.
    private var isForced = false
    /// The timer for what waits.
    private var dueAt: DispatchMoment?

    init(_ name: DestinationName, _ policy: DestinationPolicy) {
        self.name = name
        self.policy = policy
    }

    // What is kept.

    mutating func row(_ gate: EventGate, _ priority: EventPriority) -> Int {
        if let found = rows.firstIndex(where: { $0.gate == gate && $0.priority == priority }) { return found }
        rows.append(EntryRow(gate: gate, priority: priority))
        return rows.count - 1
    }

    mutating func append(_ event: CapturedEvent, _ gate: EventGate, sequence: Int64, texts: inout TextPool) {
        if event.holdsOrder { segment += 1 }
        let row = row(gate, event.priority)
        rows[row].entries.append(
            QueueEntry(
                sequence: sequence, id: event.id, kind: texts.shared(event.kind),
                group: event.group.map { texts.shared($0) }, bytes: event.bytes, segment: segment, row: row))
        if event.holdsOrder { segment += 1 }
        count += 1
        bytes += event.bytes
    }

    /// An entry has ended.
    mutating func forget(_ entry: QueueEntry) {
        count -= 1
        bytes -= entry.bytes
    }

    mutating func pop(_ row: Int) -> QueueEntry? { rows[row].entries.popFirst() }

    /// The entries that are dropped so that new events fit; nil if the new events are refused instead. For the record
    /// of an answer any other event may be dropped.
    func victims(for count: Int, _ bytes: Int, _ priority: EventPriority, isRecord: Bool) -> [QueueEntry]? {
        let (victims, fits) = excess(self.count + count, self.bytes + bytes, upTo: isRecord ? .high : priority)
        guard fits, isRecord || victims.isEmpty || policy.limits.overflow == .dropOldest else { return nil }
        return victims
    }

    /// The entries that are too many, for example because the limits have become smaller.
    func excess() -> [QueueEntry] { excess(count, bytes, upTo: .high).victims }

    /// The entries to drop, and whether these are enough. Records of answers stay.
    private func excess(
        _ count: Int, _ bytes: Int, upTo priority: EventPriority
    ) -> (victims: [QueueEntry], fits: Bool) {
        var (count, bytes) = (count, bytes)
        var victims: [QueueEntry] = []
        // How many of each row are victims.
        var taken: [Int] = []
        while count > max(1, policy.limits.maximumEvents) || bytes > max(1, policy.limits.maximumBytes) {
            if taken.isEmpty { taken = [Int](repeating: 0, count: rows.count) }
            let row = rows.indices.filter {
                taken[$0] < rows[$0].entries.count && rows[$0].priority <= priority && !rows[$0].gate.isRecord
            }
            .min { left, right in
                if rows[left].priority != rows[right].priority { return rows[left].priority < rows[right].priority }
                return entry(left, taken[left]).sequence < entry(right, taken[right]).sequence
            }
            guard let row else { return (victims, false) }
            let victim = entry(row, taken[row])
            taken[row] += 1
            victims.append(victim)
            count -= 1
            bytes -= victim.bytes
        }
        return (victims, true)
    }

    private func entry(_ row: Int, _ index: Int) -> QueueEntry {
        let all = rows[row].entries.all
        return all[all.startIndex + index]
    }

    // What may be sent.

    func firstRow(_ consent: [ConsentPurpose: ConsentState]) -> Int? {
        var best: Int?
        for index in rows.indices where DeliveryLane.isOpen(rows[index].gate, consent) {
            guard let entry = rows[index].entries.first else { continue }
            guard let other = best, let first = rows[other].entries.first else {
                best = index
                continue
            }
            if entry.segment != first.segment {
                if entry.segment < first.segment { best = index }
            } else if rows[index].priority != rows[other].priority {
                if rows[index].priority > rows[other].priority { best = index }
            } else if entry.sequence < first.sequence {
                best = index
            }
        }
        return best
    }

    static func isOpen(_ gate: EventGate, _ consent: [ConsentPurpose: ConsentState]) -> Bool {
        if case .consent(let purpose) = gate { consent[purpose] == .optedIn } else { true }
    }

    /// How many wait and may be sent, and the smallest sequence of these.
    func sendable(_ consent: [ConsentPurpose: ConsentState]) -> (count: Int, first: Int64)? {
        var count = 0
        var first = Int64.max
        for row in rows where !row.entries.isEmpty && DeliveryLane.isOpen(row.gate, consent) {
            count += row.entries.count
            first = min(first, row.entries.first?.sequence ?? .max)
        }
        return count == 0 ? nil : (count, first)
    }

    // Flushing.

    /// Sends everything up to a sequence, however long it takes.
    mutating func drain(to sequence: Int64) {
        drainTo = max(drainTo, sequence)
        dueAt = nil
    }

    /// A flush on demand begins.
    mutating func flush(to sequence: Int64, isForced: Bool) {
        flushTo = max(flushTo, sequence)
        if isForced { self.isForced = true }
    }

    /// A flush on demand has ended. What the lane sends by itself goes on.
    ///
    /// - Parameters:
    ///   - sequence: The target of the other flushes, 0 for none.
    ///   - isForced: Whether one of these is forced.
    mutating func endFlush(othersTo sequence: Int64, isForced: Bool) {
        flushTo = sequence
        self.isForced = self.isForced && isForced
    }

    /// The device came back online, so a wait because of the connection is over. The service's pause and the circuit stay.
    mutating func endBackOff() { notBefore = nil }

    /// Whether a request could start now if one were wanted.
    func isBlocked(isOnline: Bool, at now: DispatchMoment) -> Bool {
        !isForced && (!isOnline || (blockedUntil.map { now < $0 } ?? false))
    }

    var blockedUntil: DispatchMoment? { [notBefore, pausedUntil, circuitUntil].compactMap { $0 }.max() }

    enum Due { case now, at(DispatchMoment), no }

    /// Whether a batch is due, and sets the timer.
    mutating func due(
        _ consent: [ConsentPurpose: ConsentState], isOnline: Bool, last: Int64, at now: DispatchMoment
    ) -> Due {
        guard inFlight == nil else { return .no }
        guard let sendable = sendable(consent) else {
            (drainTo, flushTo, isForced, dueAt) = (0, 0, false, nil)
            return .no
        }
        if sendable.first > flushTo { isForced = false }
        if sendable.first > max(drainTo, flushTo) {
            let timer = dueAt ?? now.advanced(byMilliseconds: max(1, policy.flush.intervalMilliseconds))
            dueAt = timer
            guard sendable.count >= max(1, policy.flush.count) || timer <= now else {
                return isOnline ? .at(timer) : .no
            }
            drain(to: last)
        }
        if isForced { return .now }
        guard isOnline else { return .no }
        if let blockedUntil, now < blockedUntil { return .at(blockedUntil) }
        return .now
    }

    /// Takes the next batch out of the rows.
    mutating func take(_ consent: [ConsentPurpose: ConsentState], number: Int64) -> DeliveryRequest {
        let limit = min(max(1, pieces.last ?? .max), max(1, policy.batch.maximumEvents))
        var taken: [QueueEntry] = []
        var sum = 0
        while taken.count < limit, let row = firstRow(consent), let entry = rows[row].entries.first {
            if let first = taken.first {
                if sum + entry.bytes > policy.batch.maximumBytes { break }
                if !policy.batch.mixesGroups && entry.group != first.group { break }
            }
            _ = rows[row].entries.popFirst()
            taken.append(entry)
            sum += entry.bytes
        }
        let request = DeliveryRequest(
            number: number, entries: taken, renewsCredentials: renewsCredentials, failures: failures)
        inFlight = request
        return request
    }

    /// Puts entries back to where they were taken from.
    mutating func putBack(_ entries: [QueueEntry]) {
        for (row, entries) in Dictionary(grouping: entries, by: \.row) {
            rows[row].entries.putBack(entries.sorted { $0.sequence < $1.sequence })
        }
    }

    // Answers.

    mutating func succeeded() {
        failures = 0
        (notBefore, pausedUntil, circuitUntil) = (nil, nil, nil)
        _ = pieces.popLast()
        endRepeats()
    }

    mutating func endRepeats() {
        renewsCredentials = false
        repeats = 0
    }

    /// - Returns: False if this was asked for before, so that it is a failure.
    mutating func renewCredentials() -> Bool {
        defer { renewsCredentials = true }
        return !renewsCredentials
    }

    mutating func repeatAtOnce(_ times: Int) -> Bool {
        guard repeats < max(0, times) else { return false }
        repeats += 1
        return true
    }

    /// A batch of this size was refused.
    ///
    /// - Returns: False if it cannot be halved.
    mutating func halve(_ size: Int) -> Bool {
        _ = pieces.popLast()
        endRepeats()
        guard size > 1 else { return false }
        pieces += [size - size / 2, size / 2]
        return true
    }

    /// - Parameter pause: What the service asks for, 0 for nothing.
    /// - Returns: The wait, and how long the circuit is open if it has opened now.
    mutating func failed(
        pause: Int64, at now: DispatchMoment, random: UInt64
    ) -> (wait: Int64, circuit: Int64?) {
        failures = min(failures + 1, 1 << 20)
        isForced = false
        endRepeats()
        let backOff = policy.backOff.wait(afterFailures: failures, random: random)
        notBefore = now.advanced(byMilliseconds: backOff)
        if pause > 0 { pausedUntil = now.advanced(byMilliseconds: pause) }
        let wait = blockedUntil.map { $0.milliseconds(since: now) } ?? backOff
        guard let circuit = openCircuit(at: now) else { return (wait, nil) }
        return (max(wait, circuit), circuit)
    }

    /// An event was refused alone. Many of these in a row look like a destination that refuses everything.
    mutating func refusedAlone(at now: DispatchMoment) -> Int64? {
        failures = min(failures + 1, 1 << 20)
        return openCircuit(at: now)
    }

    private mutating func openCircuit(at now: DispatchMoment) -> Int64? {
        guard let circuit = policy.circuit, failures >= max(1, circuit.failures) else { return nil }
        let milliseconds = max(1, circuit.openMilliseconds)
        circuitUntil = now.advanced(byMilliseconds: milliseconds)
        isForced = false
        return milliseconds
    }
}

/// Shares equal texts, so that 100,000 events of ten kinds hold ten texts.
struct TextPool: Sendable {
    private static let maximum = 1_024
    private var texts: Set<String> = []

    mutating func shared(_ text: String) -> String {
        // Short texts need no memory of their own.
        guard text.utf8.count > 15 else { return text }
        if let index = texts.firstIndex(of: text) { return texts[index] }
        if texts.count < TextPool.maximum { texts.insert(text) }
        return text
    }
}
