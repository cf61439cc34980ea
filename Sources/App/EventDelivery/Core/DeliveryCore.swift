import PushDispatch

/// Decides what is kept, sent, tried again and dropped. Time and random numbers are passed in; it does no I/O.
///
/// Every captured event ends exactly once: in `Settlement.delivered` or in `Settlement.dropped`.
struct DeliveryCore: Sendable {
    var lanes: [DeliveryLane]
    private(set) var consent: [ConsentPurpose: ConsentState] = [:]
    /// Purposes whose answer applies although the event that records it was refused.
    private var unrecorded: Set<ConsentPurpose> = []
    var ledgers: [DestinationName: DeliveryLedger] = [:]
    var isOnline = true
    private var nextSequence: Int64 = 1
    var nextRequest: Int64 = 1
    private var texts = TextPool()
    private let indices: [DestinationName: Int]

    /// The first of several destinations with one name counts.
    init(_ destinations: [(DestinationName, DestinationPolicy)]) {
        var lanes: [DeliveryLane] = []
        var indices: [DestinationName: Int] = [:]
        for (name, policy) in destinations where indices[name] == nil {
            indices[name] = lanes.count
            lanes.append(DeliveryLane(name, policy))
        }
        self.lanes = lanes
        self.indices = indices
    }

    /// What is stored with every change of these.
    var state: StoredState {
        var state = StoredState(next: nextSequence)
        for (purpose, value) in consent { state.consent[purpose.rawValue] = value }
        for (name, ledger) in ledgers { state.ledgers[name.rawValue] = ledger }
        if !unrecorded.isEmpty { state.unrecorded = Set(unrecorded.map(\.rawValue)) }
        return state
    }

    /// The state after so many events were kept in place of others.
    func state(afterKeeping kept: Int, dropping count: Int, from destination: DestinationName) -> StoredState {
        var state = state
        state.ledgers[destination.rawValue, default: DeliveryLedger()].drop(.queueFull, count)
        state.next += Int64(kept)
        return state
    }

    func index(of name: DestinationName) -> Int? { indices[name] }

    func consent(for purpose: ConsentPurpose) -> ConsentState { consent[purpose] ?? .pending }

    // Loading.

    /// - Parameter isTrusted: False after damage: an answer may be missing, so every purpose is pending again.
    mutating func load(_ state: StoredState, isTrusted: Bool) {
        nextSequence = max(nextSequence, state.next)
        // What was counted before the store could be opened stays.
        for (name, ledger) in state.ledgers { ledgers[DestinationName(name), default: DeliveryLedger()].add(ledger) }
        unrecorded.formUnion((isTrusted ? state.unrecorded ?? [] : []).map { ConsentPurpose($0) })
        for (purpose, value) in state.consent { consent[ConsentPurpose(purpose)] = isTrusted ? value : .pending }
    }

    /// Takes over an event of the store. The events come in the order of their sequence, after the state.
    ///
    /// - Returns: The event if it cannot be kept.
    mutating func load(_ event: StoredEvent) -> DroppedEntry? {
        nextSequence = max(nextSequence, event.sequence &+ 1)
        let captured = event.event
        guard let lane = indices[captured.destination] else {
            return DroppedEntry(unkept: captured, sequence: event.sequence, .unknownDestination)
        }
        if !event.isRecord, let purpose = captured.purpose, consent(for: purpose) == .optedOut {
            return DroppedEntry(unkept: captured, sequence: event.sequence, .optedOut)
        }
        lanes[lane].append(captured, event.gate, sequence: event.sequence, texts: &texts)
        return nil
    }

    /// Everything is loaded: applies limits that have become smaller, and starts the first flush.
    mutating func loaded() -> Settlement {
        var settlement = Settlement()
        for index in lanes.indices {
            for victim in lanes[index].excess() where lanes[index].pop(victim.row) != nil {
                settle(victim, of: index, .queueFull, mayHaveArrived: false, &settlement)
            }
            if lanes[index].policy.flush.atStart { lanes[index].drain(to: lastSequence) }
        }
        return settlement
    }

    // Capturing.

    enum Admission: Hashable, Sendable {
        case refuse(DropReason)
        /// Keep them under this sequence and the ones after it, in place of these.
        case keep(sequence: Int64, victims: [QueueEntry])
    }

    /// What happens to new events of one destination: all are kept or none. Changes nothing: `keep` does when they are stored.
    func admit(_ events: [CapturedEvent], isRecord: Bool = false) -> Admission {
        guard let lane = DeliveryCore.destination(of: events).flatMap({ indices[$0] }) else {
            return .refuse(.unknownDestination)
        }
        let policy = lanes[lane].policy
        for purpose in events.compactMap(\.purpose) where !isRecord {
            switch consent(for: purpose) {
            case .optedOut: return .refuse(.consent)
            case .pending where policy.whilePending == .refuse: return .refuse(.consent)
            default: break
            }
        }
        let (limits, bytes) = (policy.limits, events.reduce(0) { $0 + $1.bytes })
        guard events.allSatisfy({ $0.bytes <= limits.maximumEventBytes }), bytes <= max(1, limits.maximumBytes),
            events.count <= max(1, limits.maximumEvents)
        else { return .refuse(.tooLarge) }
        let priority = events.map(\.priority).min() ?? .normal
        guard let victims = lanes[lane].victims(for: events.count, bytes, priority, isRecord: isRecord) else {
            return .refuse(.queueFull)
        }
        return .keep(sequence: nextSequence, victims: victims)
    }

    /// Nil if there is none, or more than one.
    private static func destination(of events: [CapturedEvent]) -> DestinationName? {
        events.allSatisfy { $0.destination == events.first?.destination } ? events.first?.destination : nil
    }

    /// The events are stored, and their victims are removed.
    mutating func keep(_ events: [CapturedEvent], victims: [QueueEntry], isRecord: Bool = false) -> Settlement {
        guard let lane = events.first.flatMap({ indices[$0.destination] }) else { return Settlement() }
        var settlement = Settlement()
        for victim in victims where lanes[lane].pop(victim.row) != nil {
            settle(victim, of: lane, .queueFull, mayHaveArrived: false, &settlement)
        }
        for event in events {
            let gate = StoredEvent(sequence: nextSequence, event: event, isRecord: isRecord).gate
            lanes[lane].append(event, gate, sequence: nextSequence, texts: &texts)
            nextSequence += 1
            if let priority = lanes[lane].policy.flush.priority, event.priority >= priority,
                DeliveryLane.isOpen(gate, consent)
            {
                lanes[lane].drain(to: lastSequence)
            }
        }
        return settlement
    }

    /// The sequence of the newest event.
    var lastSequence: Int64 { nextSequence - 1 }

    // Consent and removal.

    /// - Returns: Nil if this is the state already.
    mutating func setConsent(_ value: ConsentState, for purpose: ConsentPurpose) -> Settlement? {
        guard consent[purpose] != value else { return nil }
        consent[purpose] = value
        switch value {
        case .pending: return Settlement()
        case .optedIn:
            for index in lanes.indices { lanes[index].drain(to: lastSequence) }
            return Settlement()
        case .optedOut:
            return withdraw(.optedOut) { $0.gate.purpose == purpose }
        }
    }

    /// What a person's answer changes.
    struct Answered: Hashable, Sendable {
        var settlement = Settlement()
        /// The record, if it is kept now.
        var record: StoredEvent?
        /// Why the record is not kept. It can be given again with the same answer.
        var refusal: DropReason?
    }

    /// - Parameter record: The event that tells the service about the answer.
    /// - Returns: Nil if this is the state already and there is no record to add.
    mutating func answer(
        _ value: ConsentState, for purpose: ConsentPurpose, record: CapturedEvent?
    ) -> Answered? {
        let settlement = setConsent(value, for: purpose)
        if settlement != nil { unrecorded.remove(purpose) }
        guard var record, settlement != nil || unrecorded.contains(purpose) else {
            return settlement.map { Answered(settlement: $0) }
        }
        var answered = Answered(settlement: settlement ?? Settlement())
        record.purpose = purpose
        switch admit([record], isRecord: true) {
        case .refuse(let reason):
            unrecorded.insert(purpose)
            answered.refusal = reason
        case .keep(let sequence, let victims):
            unrecorded.remove(purpose)
            answered.record = StoredEvent(sequence: sequence, event: record, isRecord: true)
            answered.settlement.dropped += keep([record], victims: victims, isRecord: true).dropped
            if let lane = indices[record.destination] { lanes[lane].drain(to: lastSequence) }
        }
        return answered
    }

    /// Removes the events of one destination, or of all.
    mutating func remove(_ lane: Int?) -> Settlement {
        withdraw(.removed, lane) { _ in true }
    }

    /// Drops all events of some rows, also those that are being sent.
    private mutating func withdraw(
        _ reason: DropReason, _ only: Int? = nil, _ isMeant: (EntryRow) -> Bool
    ) -> Settlement {
        var settlement = Settlement()
        for lane in lanes.indices where only == nil || only == lane {
            let rows = lanes[lane].rows.indices.filter { isMeant(lanes[lane].rows[$0]) }
            if let request = lanes[lane].inFlight, request.entries.contains(where: { rows.contains($0.row) }) {
                // The rest of the request is sent again later. The lane stays busy until the transport returns.
                settlement.cancelled.append(DeliveryRequest.ID(lane: lane, number: request.number))
                lanes[lane].inFlight?.entries = []
                lanes[lane].putBack(request.entries.filter { !rows.contains($0.row) })
                for entry in request.entries where rows.contains(entry.row) {
                    settle(entry, of: lane, reason, mayHaveArrived: true, &settlement)
                }
            }
            for row in rows {
                for entry in lanes[lane].rows[row].entries.removeAll() {
                    settle(entry, of: lane, reason, mayHaveArrived: false, &settlement)
                }
            }
        }
        return settlement
    }

    mutating func settle(
        _ entry: QueueEntry, of lane: Int, _ reason: DropReason, mayHaveArrived: Bool, _ settlement: inout Settlement
    ) {
        lanes[lane].forget(entry)
        ledgers[lanes[lane].name, default: DeliveryLedger()].drop(reason)
        settlement.dropped.append(
            DroppedEntry(
                entry: entry, destination: lanes[lane].name, reason: reason, mayHaveArrived: mayHaveArrived))
    }

    /// The sequences of all events, also of those that are being sent.
    var sequences: Set<Int64> {
        var all: Set<Int64> = []
        for lane in lanes {
            for row in lane.rows { all.formUnion(row.entries.all.map(\.sequence)) }
            all.formUnion((lane.inFlight?.entries ?? []).map(\.sequence))
        }
        return all
    }

    /// The store was damaged and has only these events left. Waiting ones that are missing end; what is being sent was read
    /// before.
    mutating func keepOnly(_ stored: Set<Int64>) -> Settlement {
        var settlement = Settlement()
        for lane in lanes.indices {
            for row in lanes[lane].rows.indices {
                let entries = lanes[lane].rows[row].entries.removeAll()
                for entry in entries where stored.contains(entry.sequence) {
                    lanes[lane].rows[row].entries.append(entry)
                }
                for entry in entries where !stored.contains(entry.sequence) {
                    settle(entry, of: lane, .unreadable, mayHaveArrived: false, &settlement)
                }
            }
        }
        return settlement
    }

    /// Counts what was dropped while loading.
    mutating func count(_ dropped: [DroppedEntry]) {
        for event in dropped { ledgers[event.destination, default: DeliveryLedger()].drop(event.reason) }
    }
}
