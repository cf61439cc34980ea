import APNSModel
import TestSeeds
import Testing

@testable import GatewayCore

/// What happens by the passing of time, and when.
struct WakeUpTests {
    private static func device(_ number: Int) -> DeviceToken {
        DeviceToken(String(repeating: "0", count: 8 - "\(number)".count) + "\(number)") ?? Self.device(0)
    }

    @Test(arguments: TestSeed.all([5]))
    func `wake-ups come in the order of their times, whatever the order in which they were set`(seed: TestSeed) {
        var generator = SeededGenerator(seed: seed.value)
        var wakeUps = Heap<WakeUp>()
        var times: [Int64] = []
        for slot in 0..<500 {
            let due = Int64(generator.next() % 100)
            times.append(due)
            wakeUps.insert(WakeUp(due: due, environment: .sandbox, slot: slot))
        }
        var taken: [WakeUp] = []
        while let next = wakeUps.removeFirst() { taken.append(next) }
        #expect(taken.map(\.due) == times.sorted())
        #expect(zip(taken, taken.dropFirst()).allSatisfy { $0 < $1 })
        #expect(wakeUps.first == nil && wakeUps.count == 0)
    }

    @Test func `55 minutes bring about all that is due in them, each at its time and in order`() throws {
        var scenario = Scenario()
        scenario.settings.budgets.silent = DeliveryBudget(count: 1, period: 1_800_000)
        scenario.devices = (0..<4).map { DeviceRegistration(topic: Scenario.topic, token: Self.device($0).hex) }
        var running = try scenario.run()
        func send(_ number: Int, _ change: (inout Scenario) -> Void = { _ in }) throws -> UInt64 {
            try running.send(
                scenario.with {
                    $0.head.path = "/3/device/\(Self.device(number).hex)"
                    change(&$0)
                }
            ).sequence
        }
        func connect(_ number: Int) { _ = running.world.subscribe(Self.device(number), in: .sandbox, real: 0) }
        func later(_ minutes: Int64) -> String { "\(Scenario.start / 1000 + minutes * 60)" }

        connect(0)
        _ = try send(0)
        let held = try send(0)  // free again after 30 minutes
        let expiring = try send(1) { $0.head.expiration = later(20) }
        connect(2)
        _ = try running.world.add(FaultRule(.offline(.fixed(2_400_000)), count: 1), real: 0)
        let back = try send(2)  // the device is back after 40 minutes
        let tooLate = try send(3) { $0.head.expiration = later(56) }
        let events = running.advance(seconds: 55 * 60)
        #expect(events.map(\.delivery.sequence) == [expiring, held, back])
        #expect(events.map(\.stage) == [.expired, .delivered, .delivered])
        #expect(events.map { ($0.life.at - Scenario.start) / 60_000 } == [20, 30, 40])
        #expect(running.world.notification(tooLate)?.life.count == 2)
        #expect(running.world.nextExpiry == Scenario.start + 56 * 60_000)
    }

    @Test func `what one wake-up brings about may bring about another before the end of the step`() throws {
        var phone = try DeviceScenario(isConnected: true)
        phone.running.world.settings.budgets.silent = DeliveryBudget(count: 1, period: 600_000)
        _ = try phone.running.world.add(FaultRule(.offline(.fixed(60_000)), count: 1), real: 0)
        try phone.patch(DevicePatch(isInLowPower: true))
        let held = try phone.alert(priority: "5")
        #expect(phone.stages(held) == [.stored])
        // Back after a minute, then held for the group of the next quarter of an hour.
        phone.advance(.seconds(3600))
        let group = ((Scenario.start + 60_000) / 900_000 + 1) * 900_000
        #expect(phone.life(held).map(\.stage) == [.stored, .throttled, .delivered])
        #expect(phone.life(held).map(\.at) == [Scenario.start, Scenario.start + 60_000, group])
    }

    @Test func `a request finds the world as it is at its time, without a call before it`() throws {
        var phone = try DeviceScenario()
        for _ in 0..<3 { try phone.silent() }
        let held = try phone.silent()
        phone.running.world.clock = .manual(at: Scenario.start + 3_600_000)
        let next = try phone.silent()
        #expect(next.events.map(\.delivery.sequence) == [held.sequence, next.sequence])
        #expect(next.events.map(\.stage) == [.delivered, .delivered])
        #expect(phone.stages(held) == [.throttled, .delivered])
    }

    @Test func `a device whose notifications expire earlier and earlier does not fill the memory`() throws {
        var phone = try DeviceScenario(isConnected: false)
        for seconds in (0..<2000).reversed() { try phone.alert(expires: 10_000 + Int64(seconds)) }
        #expect(phone.running.world.wakeUps.count <= 2 + 64)
        #expect(phone.running.world.nextExpiry == Scenario.start + 10_000_000)
        #expect(phone.advance(.seconds(10_000)).map(\.stage) == [.expired])
    }

    @Test func `a forgotten device is not woken in the place of the one that has its slot`() throws {
        var scenario = Scenario()
        scenario.settings.unknownDevices = .open
        scenario.settings.maximumDevices = 2
        var running = try scenario.run()
        for number in 0..<2 {
            try running.send(
                scenario.with {
                    $0.head.path = "/3/device/\(Self.device(number).hex)"
                    $0.head.expiration = "\(Scenario.start / 1000 + 60 * Int64(1 + number))"
                })
        }
        #expect(running.advance(seconds: 60).isEmpty)
        #expect(running.advance(seconds: 60).map(\.delivery.token) == [Self.device(1)])
    }

    @Test func `a stored notification does not outlive its device token`() throws {
        var phone = try DeviceScenario(isConnected: false)
        let stored = try phone.alert()
        try phone.patch(DevicePatch(expiresAt: Scenario.start + 5000))
        phone.advance(.seconds(5))
        #expect(phone.stages(stored) == [.stored, .dropped])
        #expect(phone.life(stored).last?.at == Scenario.start + 5000)
    }

    @Test func `an order is not promised, and the seed decides it`() throws {
        func order(_ seed: UInt64) throws -> [Int] {
            var scenario = ChannelScenario(.broadcast, policy: .mostRecent)
            scenario.scenario.settings.seed = seed
            var running = try scenario.run()
            var ids = [ChannelScenario.id]
            for _ in 0..<7 {
                let created = try running.send(ChannelScenario(.createChannel).scenario)
                ids.append(try #require(created.response?.channelID))
            }
            try running.subscribe(ids)
            var sent: [UInt64] = []
            for id in ids {
                let broadcast = scenario.with {
                    $0.head.channelID = id
                    $0.head.expiration = "\(Scenario.start / 1000 + 3600)"
                }
                sent.append(try running.send(broadcast.scenario).sequence)
            }
            let events = try running.connect()
            #expect(Set(events.map(\.delivery.sequence)) == Set(sent), "all of them, once")
            return events.compactMap { sent.firstIndex(of: $0.delivery.sequence) }
        }
        let first = try order(1)
        #expect(try order(1) == first)
        #expect(try order(2) != first)
        #expect(first != first.sorted())
    }
}
