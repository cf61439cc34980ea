import PushDispatch
import TestSeeds
import Testing

@testable import EventDelivery

struct DeliveryCoreTests {
    @Test(arguments: TestSeed.all(1...16))
    func `each captured event ends exactly once, in order, within the bounds and with consent`(seed: TestSeed) {
        var world = CoreWorld(seed)
        world.run(400)
        #expect(world.delivered.count > 10)
    }

    @Test func `the random worlds meet every way to end`() {
        var codes: Set<String> = []
        var statuses: Set<Int> = []
        for seed in 1...12 {
            var world = CoreWorld(TestSeed(UInt64(seed)))
            world.run(300)
            codes.formUnion(world.dropped.values.map(\.code))
            statuses.formUnion(world.statuses)
        }
        #expect(
            codes == [
                "queue-full", "too-large", "consent", "opted-out", "removed", "unknown-destination", "refused",
                "unreadable",
            ])
        #expect(statuses == [200, 400, 401, 410, 429, 500, 503])
    }

    // Single rules.

    private let start = DispatchMoment(milliseconds: 0)

    private func core(_ change: (inout DestinationPolicy) -> Void = { _ in }) -> DeliveryCore {
        var policy = DestinationPolicy()
        change(&policy)
        return DeliveryCore([("a", policy)])
    }

    private func keep(_ event: CapturedEvent, in core: inout DeliveryCore) -> [Int] {
        guard case .keep(_, let victims) = core.admit([event]) else { return [-1] }
        return core.keep([event], victims: victims).dropped.map(\.entry.id.number)
    }

    private func numbers(_ order: DeliveryCore.Order?) -> [Int] { order?.request.entries.map(\.id.number) ?? [] }

    @Test func `of 101 events of the profile queue the oldest is dropped, and 100 go in one request`() {
        var core = core {
            $0.limits.maximumEvents = 100
            $0.batch.maximumEvents = 100
            $0.flush.count = 1
        }
        core.networkChanged(isOnline: false)
        for number in 1...100 { #expect(keep(.test(number), in: &core) == []) }
        #expect(keep(.test(101), in: &core) == [1])
        #expect(core.next(at: start).orders.isEmpty)
        core.networkChanged(isOnline: true)
        #expect(numbers(core.next(at: start).orders.first) == Array(2...101))
    }

    @Test func `a lower priority is dropped first, and events under way never are`() {
        var core = core {
            $0.limits.maximumEvents = 3
            $0.flush.count = 1
            $0.batch.maximumEvents = 1
        }
        #expect(keep(.test(1, priority: .low), in: &core) == [])
        #expect(numbers(core.next(at: start).orders.first) == [1])
        #expect(keep(.test(2, priority: .high), in: &core) == [])
        #expect(keep(.test(3), in: &core) == [])
        #expect(keep(.test(4), in: &core) == [3])
        #expect(keep(.test(5, priority: .low), in: &core) == [-1])
        #expect(core.admit([.test(5, priority: .low)]) == .refuse(.queueFull))
    }

    @Test func `several events are kept together, or none of them`() {
        func events(_ numbers: ClosedRange<Int>, bodyBytes: Int = 0) -> [CapturedEvent] {
            numbers.map { .test($0, bodyBytes: bodyBytes) }
        }
        var core = core {
            $0.limits.maximumEvents = 4
            $0.limits.maximumBytes = 2_000
            $0.limits.overflow = .refuseNew
        }
        _ = keep(.test(1), in: &core)
        _ = keep(.test(2), in: &core)
        #expect(core.admit(events(3...5)) == .refuse(.queueFull))
        // What does not fit an empty queue either is too large.
        #expect(core.admit(events(3...7)) == .refuse(.tooLarge))
        #expect(core.admit(events(3...6, bodyBytes: 500)) == .refuse(.tooLarge))
        #expect(core.admit([.test(3), .test(4, to: "b")]) == .refuse(.unknownDestination))
        guard case .keep(let sequence, let victims) = core.admit(events(3...4)) else {
            Issue.record("two events fit")
            return
        }
        #expect(sequence == 3 && victims.isEmpty)
        #expect(core.keep(events(3...4), victims: victims).dropped.isEmpty)
        #expect(core.lanes[0].count == 4 && core.lastSequence == 4)
    }

    @Test func `nothing passes an event that holds the order`() {
        var core = core { $0.flush.count = 1 }
        for (number, priority) in [(1, EventPriority.low), (2, .normal), (4, .low), (5, .high)] {
            if number == 4 { _ = keep(.test(3, holdsOrder: true), in: &core) }
            _ = keep(.test(number, priority: priority), in: &core)
        }
        #expect(numbers(core.next(at: start).orders.first) == [2, 1, 3, 5, 4])
    }

    @Test func `a refused batch is halved until the bad event is alone`() {
        var core = core { $0.flush.count = 8 }
        for number in 1...8 { _ = keep(.test(number), in: &core) }
        var sent: [[Int]] = []
        var dropped: [DroppedEvent] = []
        while let order = core.next(at: start).orders.first {
            sent.append(numbers(order))
            let status = numbers(order).contains(6) ? 400 : 204
            dropped += core.answered(order.id, .status(status), at: start, random: 0).reports
        }
        #expect(sent == [[1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4], [5, 6, 7, 8], [5, 6], [5], [6], [7, 8]])
        #expect(dropped.map(\.id.number) == [6])
        #expect(dropped.first?.reason == .refused(status: 400))
        #expect(core.state.ledgers["a"]?.delivered == 7)
    }

    @Test func `after eight failures the circuit is open for two minutes, and a forced flush passes it`() {
        var core = core { $0.flush.count = 1 }
        _ = keep(.test(1), in: &core)
        var now = start
        var waits: [Int64] = []
        for _ in 1...8 {
            let step = core.next(at: now)
            guard let order = step.orders.first else { break }
            let settlement = core.answered(order.id, .noAnswer, at: now, random: 0)
            for case .failed(_, nil, let wait) in settlement.notices { waits.append(wait) }
            now = now.advanced(byMilliseconds: waits.last ?? 0)
        }
        #expect(waits == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 120_000])
        now = now.advanced(byMilliseconds: -1)
        #expect(core.next(at: now).orders.isEmpty)
        let request = core.flush(nil, isForced: true)
        let order = core.next(at: now).orders.first
        #expect(numbers(order) == [1])
        _ = core.answered(order!.id, .status(500), at: now, random: 0)
        #expect(core.next(at: now).orders.isEmpty)
        #expect(core.end(of: request, at: now) == .failed)
    }

    @Test func `a service that refuses every event opens the circuit before the queue is empty`() {
        var core = core {
            $0.flush.count = 1
            $0.batch.maximumEvents = 4
        }
        for number in 1...100 { _ = keep(.test(number), in: &core) }
        var dropped = 0
        while let order = core.next(at: start).orders.first {
            dropped += core.answered(order.id, .status(400), at: start, random: 0).dropped.count
        }
        #expect(dropped == 8)
    }

    @Test func `one retry on 503 only, at once`() {
        var core = core {
            $0.flush.count = 1
            $0.answers = AnswerRules([(200...299, .delivered), (503...503, .retryAtOnce())])
        }
        _ = keep(.test(1), in: &core)
        for isLast in [false, true] {
            let order = core.next(at: start).orders.first!
            let notices = core.answered(order.id, .status(503), at: start, random: 0).notices
            #expect(notices.isEmpty != isLast)
        }
        #expect(core.next(at: start).orders.isEmpty)
    }

    @Test func `invalid credentials are renewed once, then it is a failure`() {
        var core = core { $0.flush.count = 1 }
        _ = keep(.test(1), in: &core)
        let first = core.next(at: start).orders.first!
        #expect(!first.request.renewsCredentials)
        #expect(core.answered(first.id, .status(401), at: start, random: 0).notices.isEmpty)
        let second = core.next(at: start).orders.first!
        #expect(second.request.renewsCredentials)
        let failed = core.answered(second.id, .status(401), at: start, random: 0).notices
        #expect(failed == [.failed(destination: "a", status: 401, retryInMilliseconds: 500)])
        let third = core.next(at: start.advanced(byMilliseconds: 500)).orders.first!
        #expect(!third.request.renewsCredentials)
    }

    @Test func `the service's pause counts, up to a bound, and coming back online does not end it`() {
        var core = core { $0.flush.count = 1 }
        _ = keep(.test(1), in: &core)
        let order = core.next(at: start).orders.first!
        _ = core.answered(order.id, .status(429, retryAfterMilliseconds: .max), at: start, random: 0)
        #expect(core.next(at: start).wakeAt == start.advanced(byMilliseconds: 3_600_000))
        core.networkChanged(isOnline: false)
        core.networkChanged(isOnline: true)
        let step = core.next(at: start)
        #expect(step.orders.isEmpty && step.wakeAt == start.advanced(byMilliseconds: 3_600_000))
        #expect(core.next(at: start.advanced(byMilliseconds: 3_600_000)).orders.count == 1)
    }

    @Test func `coming back online ends the back-off`() {
        var core = core { $0.flush.count = 1 }
        _ = keep(.test(1), in: &core)
        let order = core.next(at: start).orders.first!
        _ = core.answered(order.id, .status(500), at: start, random: 0)
        #expect(core.next(at: start).orders.isEmpty)
        core.networkChanged(isOnline: false)
        core.networkChanged(isOnline: true)
        #expect(core.next(at: start).orders.count == 1)
    }

    // Records of answers.

    @Test func `a full queue keeps the record of an answer`() {
        var core = core { $0.limits.maximumEvents = 3 }
        core.networkChanged(isOnline: false)
        for number in 1...3 { _ = keep(.test(number, priority: .high), in: &core) }
        let answered = core.answer(.optedOut, for: "p", record: .test(4, priority: .low))
        #expect(answered?.settlement.dropped.map(\.entry.id.number) == [1])
        for number in 5...9 { _ = keep(.test(number, priority: .high), in: &core) }
        core.networkChanged(isOnline: true)
        #expect(numbers(core.next(at: start).orders.first).contains(4))
    }

    @Test func `a queue of records alone is bounded`() {
        var core = core { $0.limits.maximumEvents = 2 }
        for (number, purpose) in ["p", "q", "r"].enumerated() {
            let answered = core.answer(.optedIn, for: ConsentPurpose(purpose), record: .test(number))
            #expect(answered?.refusal == (number < 2 ? nil : .queueFull))
        }
        #expect(core.admit([.test(9)]) == .refuse(.queueFull))
    }

    @Test func `smaller limits leave the records of answers`() {
        var core = core { $0.limits.maximumEvents = 1 }
        for number in 1...4 {
            let event = CapturedEvent.test(number, purpose: number < 3 ? "p" : nil)
            _ = core.load(StoredEvent(sequence: Int64(number), event: event, isRecord: number < 3))
        }
        #expect(core.loaded().dropped.map(\.entry.id.number) == [3, 4])
    }

    @Test func `a record that was refused can be added to the answer that holds`() {
        var core = core { $0.limits.maximumEventBytes = 1_000 }
        let refused = core.answer(.optedOut, for: "p", record: .test(1, bodyBytes: 2_000))
        #expect(refused?.refusal == .tooLarge && refused?.record == nil)
        #expect(core.consent(for: "p") == .optedOut)
        // Also in the next process.
        var next = self.core { $0.limits.maximumEventBytes = 1_000 }
        next.load(core.state, isTrusted: true)
        #expect(next.answer(.optedOut, for: "p", record: nil) == nil)
        #expect(next.answer(.optedOut, for: "p", record: .test(2))?.record?.event.number == 2)
        #expect(next.answer(.optedOut, for: "p", record: .test(3)) == nil)
        #expect(numbers(next.next(at: start).orders.first) == [2])
    }

    // Flushes.

    @Test func `a flush that ends at its limit leaves what the queue sends by itself`() {
        var core = core {
            $0.batch.maximumEvents = 10
            $0.flush.count = 25
        }
        for number in 1...25 { _ = keep(.test(number), in: &core) }
        // By itself.
        var order = core.next(at: start).orders.first!
        let request = core.flush(nil, isForced: false)
        core.endFlush(request, .timeLimit, others: [])
        for _ in 0..<2 {
            _ = core.answered(order.id, .status(200), at: start, random: 0)
            let next = core.next(at: start).orders.first
            #expect(next != nil)
            if let next { order = next }
        }
    }

    @Test func `no request starts for a flush after its limit, unless another flush waits`() {
        for hasOther in [false, true] {
            var core = core { $0.batch.maximumEvents = 1 }
            for number in 1...3 { _ = keep(.test(number), in: &core) }
            let request = core.flush(nil, isForced: true)
            let order = core.next(at: start).orders.first!
            let others = hasOther ? [core.flush(0, isForced: false)] : []
            core.endFlush(request, .timeLimit, others: others)
            _ = core.answered(order.id, .status(200), at: start, random: 0)
            let step = core.next(at: start)
            #expect(step.orders.isEmpty != hasOther)
            if !hasOther { #expect(step.wakeAt == start.advanced(byMilliseconds: 30_000)) }
        }
    }

    @Test func `smaller limits drop the oldest at the next start`() {
        var core = core {
            $0.limits.maximumEvents = 2
            $0.limits.maximumBytes = .max
        }
        for number in 1...5 {
            #expect(core.load(StoredEvent(sequence: Int64(number), event: .test(number))) == nil)
        }
        #expect(core.loaded().dropped.map(\.entry.id.number) == [1, 2, 3])
        #expect(core.lanes[0].count == 2)
    }

    @Test func `after damage every purpose is pending`() {
        var core = core()
        var state = StoredState()
        state.consent = ["p": .optedIn]
        core.load(state, isTrusted: false)
        #expect(core.consent(for: "p") == .pending)
        core.load(state, isTrusted: true)
        #expect(core.consent(for: "p") == .optedIn)
    }
}
