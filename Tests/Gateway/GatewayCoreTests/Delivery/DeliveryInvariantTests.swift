import APNSModel
import TestSeeds
import Testing

@testable import GatewayCore

/// What is true of deliveries whatever happens in whatever order.
struct DeliveryInvariantTests {
    /// A device under random sends, changes of its state and steps of the clock, with what has to hold of them.
    struct Run {
        var phone: DeviceScenario
        var generator: SeededGenerator
        var sent: [(judgement: Judgement, expiresAt: Int64?)] = []
        /// When silent pushes reached the app within its budget.
        var counted: [Int64] = []

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            phone = try DeviceScenario(isConnected: false, seed: seed)
        }

        mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator) ?? values[0] }

        mutating func step() throws {
            let before = phone.now
            let events: [DeliveryEvent]
            switch generator.next() % 12 {
            case 0...4: events = try send()
            case 5...6:
                let patch = state()
                if patch.budget != nil { counted = [] }
                events = try phone.patch(patch)
            case 7: events = try phone.connect(after: pick([nil, phone.device.history.last?.uniqueID, "unknown"]))
            case 8:
                phone.disconnect()
                events = []
            case 9: events = try removeAndReport()
            default: events = phone.advance(.milliseconds(pick([1, 999, 60_000, 899_000, 3_599_999, 7_200_000])))
            }
            try check(events, since: before)
        }

        private mutating func send() throws -> [DeliveryEvent] {
            let seconds: Int64? = pick([nil, nil, 0, -5, 1, 45, 1800, 90_000])
            let collapseID: String? = pick([nil, nil, "a", "b"])
            let judgement =
                pick([true, false])
                ? try phone.silent(priority: pick(["5", "5", "1"]), expires: seconds, collapseID: collapseID)
                : try phone.alert(priority: pick(["10", "5", "1"]), expires: seconds, collapseID: collapseID)
            let expiresAt = seconds.map { $0 == 0 ? 0 : (phone.now / 1000 + $0) * 1000 }
            sent.append((judgement, expiresAt))
            return judgement.events
        }

        /// Most often what lets notifications through.
        private mutating func maybe(_ open: Bool) -> Bool? { pick([nil, nil, nil, open, open, !open]) }

        private mutating func state() -> DevicePatch {
            var patch = DevicePatch(
                isOnline: maybe(true), isAwake: maybe(true), isInLowPower: maybe(false), isInLowData: maybe(false),
                allowsBackgroundRefresh: maybe(true),
                allowsNotifications: maybe(true))
            patch.appState = pick([nil, nil, nil] + Device.AppState.allCases.map { $0 })
            let budgets: [Device.BudgetChoice?] = [
                nil, nil, nil, nil, .world, .lifted, DeliveryBudget(count: 1, period: 60_000).map { .own($0) },
            ]
            patch.budget = pick(budgets)
            return patch
        }

        /// The app is removed, and reports its device token again a little later.
        private mutating func removeAndReport() throws -> [DeliveryEvent] {
            guard generator.next() % 4 == 0 else { return [] }
            var events = phone.running.world.uninstall(phone.token, in: .sandbox, real: 0)?.events ?? []
            events += phone.advance(.seconds(5))
            _ = try phone.running.world.register(Scenario().devices[0], real: 0)
            return events
        }

        private mutating func check(_ events: [DeliveryEvent], since before: Int64) throws {
            let device = try phone.device
            #expect(events.map(\.life.at) == events.map(\.life.at).sorted(), "in the order of their times")
            #expect(events.allSatisfy { (before...phone.now).contains($0.life.at) })
            if device.connection != .interrupted {
                #expect(device.waitingCount <= 1, "one stored for an app on a device")
            }
            #expect(device.waiting.allSatisfy { $0.expiresAt > phone.now })
            #expect(device.waiting.allSatisfy { ($0.hold != nil) == device.isReachable }, "held or stored, not both")
            #expect(device.wakeUpAt <= device.nextChange ?? .max)
            #expect(phone.running.world.nextExpiry > phone.now)
            for event in events where event.stage == .delivered && event.delivery.isSilent {
                if device.appState != .foreground, device.budget == .world { counted.append(event.life.at) }
            }
            if counted.count >= 4 { #expect(counted[counted.count - 1] - counted[counted.count - 4] >= 3_600_000) }
        }

        func checkEnds() throws {
            let waiting = Set(try phone.device.waiting.map(\.delivery.sequence))
            for (judgement, expiresAt) in sent {
                let life = phone.life(judgement)
                let ends = life.filter { ![.stored, .throttled].contains($0.stage) }
                #expect(ends.count == (waiting.contains(judgement.sequence) ? 0 : 1), "\(life)")
                #expect(ends.isEmpty || life.last?.stage == ends[0].stage, "nothing happens after the end")
                #expect(life.map(\.at) == life.map(\.at).sorted())
                guard let end = ends.first, end.stage == .delivered, let expiresAt else { continue }
                // One that asks for one attempt, or is too old already, is delivered at once or not at all.
                #expect(end.at < expiresAt || life.count == 1, "delivered after its expiration")
            }
            let reached = try phone.device.history.map(\.sequence)
            #expect(Set(reached).count == reached.count, "never delivered twice")
        }
    }

    @Test(arguments: TestSeed.all(0..<60))
    func `each accepted notification comes to exactly one end`(seed: TestSeed) throws {
        var run = try Run(seed: seed.value)
        for _ in 0..<150 { try run.step() }
        try run.checkEnds()
    }

    @Test(arguments: TestSeed.all([0]))
    func `thirty random sequences reach every stage, and the same seed gives the same lives`(seed: TestSeed) throws {
        let seeds = (0..<30).map { seed.value &+ $0 }
        func lives(_ seed: UInt64) throws -> [String] {
            var run = try Run(seed: seed)
            for _ in 0..<300 { try run.step() }
            return run.sent.flatMap { run.phone.life($0.judgement).map { "\($0.stage) \($0.at) \($0.why)" } }
        }
        let first = try seeds.flatMap { try lives($0) }
        for stage in LifeEntry.Stage.allCases where stage != .accepted && stage != .refused {
            #expect(first.contains { $0.hasPrefix(stage.rawValue) }, "\(stage)")
        }
        for cause in Hold.Cause.allCases {
            #expect(first.contains { $0.contains("the hold has ended (\(cause.rawValue))") }, "\(cause)")
        }
        #expect(try seeds.flatMap { try lives($0) } == first)
    }
}
