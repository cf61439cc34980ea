import PushDispatch
import TestSeeds
import Testing

@testable import EventDelivery

/// Drives a core with random events, answers and kills, and checks after each step what must always hold.
struct CoreWorld {
    static let purposes: [ConsentPurpose?] = [nil, "p", "q"]

    private var random: TestGenerator
    private var core: DeliveryCore
    private let policies: [(DestinationName, DestinationPolicy)]
    private var now = DispatchMoment(milliseconds: 0)
    private var captured = 0

    // What a store has.
    private var kept: [Int64: StoredEvent] = [:]
    private var state = StoredState()
    private var requests: [DeliveryRequest.ID: [QueueEntry]] = [:]

    // How events have ended.
    private(set) var delivered: Set<Int> = []
    private(set) var dropped: [Int: DropReason] = [:]
    private var withdrawn: Set<DeliveryRequest.ID> = []
    private(set) var statuses: Set<Int> = []
    /// Events that the service refuses whenever they are in a batch.
    private var bad: Set<Int> = []

    init(_ seed: TestSeed) {
        random = seed.generator
        var policies: [(DestinationName, DestinationPolicy)] = []
        for name in ["a", "b"] {
            var policy = DestinationPolicy()
            policy.limits.maximumEvents = Int.random(in: 1...30, using: &random)
            policy.limits.maximumBytes = Int.random(in: 80...4_000, using: &random)
            policy.limits.overflow = Bool.random(using: &random) ? .dropOldest : .refuseNew
            policy.batch.maximumEvents = Int.random(in: 1...12, using: &random)
            policy.batch.maximumBytes = Int.random(in: 1...1_500, using: &random)
            policy.batch.mixesGroups = Bool.random(using: &random)
            policy.flush.count = Int.random(in: 1...10, using: &random)
            policy.flush.priority = [nil, .high, .low].randomElement(using: &random)!
            policy.whilePending = Bool.random(using: &random) ? .keep : .refuse
            policy.answers = AnswerRules([
                (200...299, .delivered), (400...400, .refused), (401...401, .renewCredentials),
                (410...410, .refusedWhole), (503...503, .retryAtOnce(times: 1)),
            ])
            if Bool.random(using: &random) { policy.circuit = nil }
            policies.append((DestinationName(name), policy))
        }
        self.policies = policies
        core = DeliveryCore(policies)
    }

    mutating func run(_ steps: Int) {
        for _ in 0..<steps {
            step()
            check()
        }
        finish()
    }

    private mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: capture()
        case 45..<52: setConsent()
        case 52..<57:
            core.networkChanged(isOnline: Bool.random(using: &random))
        case 57..<62:
            let request = core.flush([nil, 0, 1].randomElement(using: &random)!, isForced: Bool.random(using: &random))
            let end: [FlushEnd?] = [nil, .timeLimit, .failed]
            if let end = end.randomElement(using: &random)! { core.endFlush(request, end, others: []) }
        case 62..<64: settle(core.remove([0, 1].randomElement(using: &random)!))
        case 64..<66: kill()
        case 66..<76: now = now.advanced(byMilliseconds: Int64.random(in: 0...60_000, using: &random))
        default: answer()
        }
        send()
    }

    private mutating func capture() {
        let destination: DestinationName = ["a", "b", "a", "a", "b", "x"].randomElement(using: &random)!
        // Mostly one, sometimes several that belong together.
        let count = max(1, Int.random(in: -8...4, using: &random))
        var events: [CapturedEvent] = []
        for _ in 0..<count {
            captured += 1
            if Int.random(in: 0..<12, using: &random) == 0 { bad.insert(captured) }
            events.append(
                .test(
                    captured, to: destination, purpose: CoreWorld.purposes.randomElement(using: &random)!,
                    priority: EventPriority.allCases.randomElement(using: &random)!,
                    holdsOrder: Int.random(in: 0..<8, using: &random) == 0,
                    group: ["g", "h", nil].randomElement(using: &random)!,
                    bodyBytes: Int.random(in: 0..<300, using: &random)))
        }
        keep(events, to: destination)
    }

    private mutating func keep(_ events: [CapturedEvent], to destination: DestinationName) {
        switch core.admit(events) {
        case .refuse(let reason): for event in events { end(event.number, reason) }
        case .keep(let sequence, let victims):
            for (sequence, event) in zip(sequence..., events) {
                kept[sequence] = StoredEvent(sequence: sequence, event: event)
            }
            let expected = core.state(afterKeeping: events.count, dropping: victims.count, from: destination)
            settle(core.keep(events, victims: victims))
            if victims.isEmpty { state.next = core.lastSequence + 1 } else { #expect(state == expected) }
        }
    }

    private mutating func setConsent() {
        let purpose = CoreWorld.purposes.compactMap { $0 }.randomElement(using: &random)!
        let value: ConsentState = [.pending, .optedIn, .optedIn, .optedOut].randomElement(using: &random)!
        let record: CapturedEvent? = value == .pending ? nil : .test(captured + 1, to: "a")
        guard let answered = core.answer(value, for: purpose, record: record) else { return }
        if let record, answered.record != nil || answered.refusal != nil {
            captured += 1
            if let refusal = answered.refusal { end(record.number, refusal) }
        }
        if let record = answered.record { kept[record.sequence] = record }
        settle(answered.settlement)
        state = core.state
    }

    /// The process ends. Requests under way are lost, or the service takes them and the answer is lost.
    private mutating func kill() {
        requests = [:]
        withdrawn = []
        var fresh = DeliveryCore(policies)
        fresh.load(state, isTrusted: true)
        var lost: [DroppedEntry] = []
        for event in kept.values.sorted(by: { $0.sequence < $1.sequence }) {
            if let entry = fresh.load(event) { lost.append(entry) }
        }
        #expect(lost.isEmpty)
        let settlement = fresh.loaded()
        #expect(settlement.dropped.isEmpty)
        core = fresh
    }

    private mutating func send() {
        let (orders, wakeAt) = core.next(at: now)
        var unmade: Set<Int> = []
        for order in orders {
            let lane = core.lanes[order.id.lane]
            let entries = order.request.entries
            #expect(!entries.isEmpty && entries.count <= lane.policy.batch.maximumEvents)
            #expect(
                entries.count == 1 || entries.reduce(0) { $0 + $1.bytes } <= lane.policy.batch.maximumBytes)
            #expect(lane.policy.batch.mixesGroups || Set(entries.map(\.group)).count == 1)
            #expect(!requests.keys.contains { $0.lane == order.id.lane }, "two requests of a lane")
            for entry in entries {
                let event = kept[entry.sequence]
                #expect(event != nil, "sent after its end")
                guard let event else { continue }
                if !event.isRecord, let purpose = event.event.purpose {
                    #expect(core.consent(for: purpose) == .optedIn, "sent without consent")
                }
            }
            checkOrder(entries, order.id.lane)
            if Int.random(in: 0..<40, using: &random) == 0 {
                // The store has lost some of them, so the request is not made.
                let lost = Set(entries.map(\.sequence).filter { _ in Bool.random(using: &random) })
                settle(core.unreadable(order.id, lost))
                unmade.insert(order.id.lane)
            } else {
                requests[order.id] = entries
            }
        }
        for (index, lane) in core.lanes.enumerated() where lane.inFlight == nil && core.isOnline {
            // After a request that was not made the queue asks again.
            guard !unmade.contains(index), lane.sendable(core.consent) != nil else { continue }
            var lane = lane
            switch lane.due(core.consent, isOnline: true, last: core.lastSequence, at: now) {
            case .no: Issue.record("lane \(index) never wakes up")
            case .at(let moment): #expect(wakeAt.map { $0 <= moment } ?? false, "lane \(index) wakes up late")
            case .now: Issue.record("lane \(index) sends nothing")
            }
        }
    }

    /// No waiting event that may be sent has to come before one of these.
    private func checkOrder(_ entries: [QueueEntry], _ lane: Int) {
        let name = core.lanes[lane].name
        func mayBeSent(_ event: StoredEvent) -> Bool {
            event.isRecord || event.event.purpose.map { core.consent(for: $0) == .optedIn } ?? true
        }
        let sent = Set(entries.map(\.sequence))
        let all = kept.values.filter { $0.event.destination == name && mayBeSent($0) }.sorted {
            $0.sequence < $1.sequence
        }
        var index: [Int64: Int] = [:]
        for (place, entry) in entries.enumerated() { index[entry.sequence] = place }
        for (place, first) in all.enumerated() {
            for second in all[(place + 1)...] where sent.contains(second.sequence) {
                let isFixed =
                    first.event.priority >= second.event.priority
                    || all[place...].contains { $0.event.holdsOrder && $0.sequence <= second.sequence }
                guard isFixed else { continue }
                let isInOrder = index[first.sequence].map { $0 < index[second.sequence]! } ?? false
                #expect(isInOrder, "\(second.sequence) before \(first.sequence)")
            }
        }
    }

    private mutating func answer() {
        guard
            let id = requests.keys.sorted(by: { ($0.lane, $0.number) < ($1.lane, $1.number) })
                .randomElement(using: &random), let entries = requests.removeValue(forKey: id)
        else { return }
        let isBad = entries.contains { bad.contains(CoreWorld.number($0)) }
        let answer: TransportAnswer =
            switch Int.random(in: 0..<10, using: &random) {
            case 0: .noAnswer
            case 1: .status([401, 410, 503, 500, 429].randomElement(using: &random)!, retryAfterMilliseconds: .max)
            default: .status(isBad ? 400 : 200)
            }
        if case .status(let status, _) = answer { statuses.insert(status) }
        let settlement = core.answered(id, answer, at: now, random: random.next())
        if withdrawn.remove(id) != nil { #expect(settlement.ended.isEmpty) }
        for entry in settlement.dropped where entry.reason.code == "refused" {
            #expect(entry.reason.status == 410 || bad.contains(CoreWorld.number(entry.entry)))
        }
        settle(settlement)
    }

    private static func number(_ entry: QueueEntry) -> Int { entry.id.number }

    private mutating func settle(_ settlement: Settlement) {
        for entry in settlement.delivered {
            #expect(delivered.insert(CoreWorld.number(entry)).inserted, "delivered twice")
            #expect(dropped[CoreWorld.number(entry)] == nil, "delivered after it was dropped")
            kept[entry.sequence] = nil
        }
        for entry in settlement.dropped {
            end(CoreWorld.number(entry.entry), entry.reason)
            kept[entry.entry.sequence] = nil
        }
        withdrawn.formUnion(settlement.cancelled)
        if !settlement.ended.isEmpty { state = core.state }
    }

    private mutating func end(_ number: Int, _ reason: DropReason) {
        #expect(dropped.updateValue(reason, forKey: number) == nil, "dropped twice")
        #expect(!delivered.contains(number), "dropped after it was delivered")
    }

    private func check() {
        #expect(kept.count + delivered.count + dropped.count == captured, "an event is missing")
        for lane in core.lanes {
            let mine = kept.values.filter { $0.event.destination == lane.name }
            #expect(lane.count == mine.count && lane.bytes == mine.reduce(0) { $0 + $1.event.bytes })
            #expect(lane.count <= lane.policy.limits.maximumEvents && lane.bytes <= lane.policy.limits.maximumBytes)
        }
        #expect(core.ledgers.values.reduce(0) { $0 + $1.delivered } == delivered.count)
    }

    /// With consent, a connection and a service that answers, everything ends.
    private mutating func finish() {
        for purpose in CoreWorld.purposes.compactMap({ $0 }) {
            if let settlement = core.setConsent(.optedIn, for: purpose) { settle(settlement) }
        }
        core.networkChanged(isOnline: true)
        _ = core.flush(nil, isForced: false)
        var turns = 0
        while !(kept.isEmpty && requests.isEmpty), turns < 2_000 {
            turns += 1
            send()
            for (id, entries) in requests {
                requests[id] = nil
                let isBad = entries.contains { bad.contains(CoreWorld.number($0)) }
                settle(core.answered(id, .status(isBad ? 400 : 200), at: now, random: 0))
            }
            check()
            now = now.advanced(byMilliseconds: 130_000)
        }
        #expect(kept.isEmpty, "\(kept.count) events stay for ever")
    }
}
