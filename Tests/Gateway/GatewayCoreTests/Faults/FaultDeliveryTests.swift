import APNSModel
import Testing

@testable import GatewayCore

/// What fault rules do to notifications that were accepted, and to their devices.
struct FaultDeliveryTests {
    /// A world with these rules, whose device is connected.
    private func running(_ rules: FaultRule..., isConnected: Bool = true) throws -> Running {
        var running = try Scenario().run()
        for rule in rules { _ = try running.world.add(rule, real: 0) }
        if isConnected {
            _ = running.world.subscribe(try Scenario().deviceToken, in: .sandbox, real: 0)
        }
        return running
    }

    private func stages(_ judgement: Judgement, _ running: Running) -> [LifeEntry.Stage] {
        running.world.notification(judgement.sequence)?.life.map(\.stage) ?? []
    }

    private func reached(_ running: Running) throws -> Int? {
        let token = try Scenario().deviceToken
        return running.world.deliveries(to: token, in: .sandbox, since: "")?.deliveries.count
    }

    private func device(_ running: Running) throws -> Device {
        try #require(running.world.device(try Scenario().deviceToken, in: .sandbox))
    }

    @Test func `what is lost is accepted and never delivered`() throws {
        var running = try running(FaultRule(.lose, count: 1))
        let lost = try running.send(Scenario())
        #expect(lost.response?.status == 200)
        #expect(lost.fault == nil)
        #expect(stages(lost, running) == [.accepted, .dropped])
        #expect(running.world.notification(lost.sequence)?.life.last?.why.contains("fault rule") == true)
        let next = try running.send(Scenario())
        #expect(stages(next, running) == [.accepted, .delivered])
        #expect(try reached(running) == 1)
    }

    @Test func `a duplicate is accepted once and delivered as often as the rule says`() throws {
        var running = try running(FaultRule(.duplicate(3)))
        let judgement = try running.send(Scenario())
        #expect(stages(judgement, running) == [.accepted, .delivered, .delivered, .delivered])
        #expect(Set(judgement.events.map(\.delivery.uniqueID)).count == 1)
        #expect(try reached(running) == 3)
        #expect(running.world.counts.accepted == 1)
    }

    @Test func `a duplicate that has to wait is still delivered as often`() throws {
        var running = try running(FaultRule(.duplicate(2)), isConnected: false)
        let judgement = try running.send(Scenario())
        #expect(stages(judgement, running) == [.accepted, .stored])
        _ = running.world.subscribe(try Scenario().deviceToken, in: .sandbox, real: 0)
        #expect(stages(judgement, running) == [.accepted, .stored, .delivered, .delivered])
    }

    @Test func `a device that goes offline gets what is stored when it is brought back`() throws {
        var running = try running(FaultRule(.offline(nil), count: 1))
        let first = try running.send(Scenario())
        #expect(stages(first, running) == [.accepted, .stored])
        #expect(try !device(running).isOnline)
        _ = running.advance(seconds: 86_400)
        #expect(try !device(running).isOnline)
        let back = DevicePatch(isOnline: true)
        _ = running.world.patch(try Scenario().deviceToken, in: .sandbox, back, real: 0)
        #expect(stages(first, running) == [.accepted, .stored, .delivered])
    }

    @Test func `a device that is offline for a time is back by the world's clock`() throws {
        var running = try running(FaultRule(.offline(.fixed(10_000)), count: 1))
        let first = try running.send(Scenario())
        let back = try device(running).backAt
        #expect(back == Scenario.start + 10_000)
        running.advance(milliseconds: 9_999)
        #expect(stages(first, running) == [.accepted, .stored])
        let second = try running.send(Scenario())
        #expect(stages(first, running) == [.accepted, .stored, .replaced], "only the newest is stored")
        running.advance(milliseconds: 1)
        #expect(stages(second, running) == [.accepted, .stored, .delivered])
        #expect(try device(running).isOnline)
    }

    @Test func `what expires before the device is back is not delivered, and what expires later is`() throws {
        for (seconds, last) in [(5, LifeEntry.Stage.expired), (15, .delivered)] as [(Int64, LifeEntry.Stage)] {
            var running = try running(FaultRule(.offline(.fixed(10_000)), count: 1))
            let expiration = Scenario.start / 1000 + seconds
            let judgement = try running.send(Scenario().with { $0.head.expiration = "\(expiration)" })
            _ = running.advance(seconds: 60)
            #expect(stages(judgement, running) == [.accepted, .stored, last])
        }
    }

    @Test func `a patch decides over a fault rule when a device is back`() throws {
        var running = try running(FaultRule(.offline(.fixed(10_000)), count: 1))
        try running.send(Scenario())
        let offline = DevicePatch(isOnline: false)
        _ = running.world.patch(try Scenario().deviceToken, in: .sandbox, offline, real: 0)
        _ = running.advance(seconds: 60)
        #expect(try !device(running).isOnline)
    }

    @Test func `a device token that dies late gets 200 until the gateway knows, and then 410 with that time`() throws {
        var running = try running(FaultRule(.uninstall(noticedAfter: .fixed(600_000)), count: 1))
        let first = try running.send(Scenario())
        #expect(stages(first, running) == [.accepted, .dropped])
        running.advance(milliseconds: 599_999)
        #expect(try running.send(Scenario()).verdict.isAccepted)
        running.advance(milliseconds: 1)
        _ = running.advance(seconds: 60)
        let dead = try running.send(Scenario()).verdict
        #expect(dead.outcome == .refused(.unregistered, timestamp: Scenario.start + 600_000))
        // An app that reports its device token again makes it active.
        _ = try running.world.register(
            DeviceRegistration(topic: Scenario.topic, token: Scenario.token), real: 0)
        #expect(try running.send(Scenario()).verdict.isAccepted)
        _ = running.world.uninstall(try Scenario().deviceToken, in: .sandbox, real: 0)
        #expect(try running.send(Scenario()).verdict.reason == .unregistered, "this one is noticed at once")
    }

    @Test func `a device token whose death is never noticed stays good`() throws {
        var running = try running(FaultRule(.uninstall(noticedAfter: .never), count: 1))
        try running.send(Scenario())
        _ = running.advance(seconds: 86_400 * 365)
        let later = Scenario().with { $0.age = -86_400 * 365 }
        #expect(try running.send(later).verdict.isAccepted)
    }

    @Test func `what is refused is not touched by rules for deliveries`() throws {
        let effects: [FaultEffect] = [.offline(nil), .uninstall(noticedAfter: .fixed(0)), .lose, .duplicate(2)]
        for effect in effects {
            var running = try running(FaultRule(effect))
            let judgement = try running.send(Scenario().with { $0.head.priority = "7" })
            #expect(judgement.verdict.reason == .badPriority)
            #expect(judgement.events.isEmpty)
            #expect(try device(running).isOnline && device(running).isInstalled)
        }
    }

    @Test func `the streams of a refusal fall to one and come back with the next good request`() throws {
        var running = try running(FaultRule(.refuse(.badDeviceToken, streams: 1), count: 1))
        #expect(try running.send(Scenario()).streamLimit == nil, "a new connection has one stream anyway")
        #expect(try running.send(Scenario()).streamLimit == 1000)
        _ = try running.world.add(FaultRule(.refuse(.badDeviceToken, streams: 1), count: 1), real: 0)
        #expect(try running.send(Scenario()).streamLimit == 1)
        #expect(running.connection.streamLimit == 1)
        #expect(try running.send(Scenario()).streamLimit == 1000)
    }

    @Test func `a slow accept hits connections alone, and others hit none`() throws {
        var running = try running(
            FaultRule(.silence(.before), count: 1), FaultRule(.slowAccept(.fixed(50)), count: 1),
            FaultRule(.slowAccept(.never), count: 1))
        let first = running.world.connects(real: 0)
        #expect(first?.fault.id == "2")
        #expect(first?.until == Scenario.start + 50)
        let second = running.world.connects(real: 0)
        #expect(second?.until == .max)
        #expect(running.world.connects(real: 0) == nil)
        #expect(try running.send(Scenario()).fault == .silence)
        #expect(try running.send(Scenario()).fault == nil)
    }

    @Test func `a rule that ended is reported, whether by count or by time`() throws {
        var running = try running(
            FaultRule(.lose, count: 1), FaultRule(.lose, until: Scenario.start + 1000), FaultRule(.lose))
        #expect(!running.world.hasEndedFaults)
        try running.send(Scenario())
        #expect(running.world.takeEndedFaults().map(\.id) == ["1"])
        #expect(running.world.nextChange == Scenario.start + 1000)
        running.advance(milliseconds: 1000)
        #expect(running.world.takeEndedFaults().map(\.id) == ["2"])
        #expect(!running.world.hasEndedFaults)
        _ = running.world.removeFaults()
        #expect(!running.world.hasEndedFaults, "who removes a rule knows")
    }

    @Test func `the rules of the start come back with a reset, but for those whose time is over`() throws {
        let until = Scenario.start + 1000
        let start = WorldStart(
            clock: .manual(at: Scenario.start), faults: [FaultRule(.lose, count: 1), FaultRule(.lose, until: until)])
        var world = try World(start, real: 0)
        #expect(world.activeFaults(real: 0).map(\.id) == ["1", "2"])
        _ = world.removeFaults()
        world.reset(real: 0)
        #expect(world.activeFaults(real: 0).map(\.id) == ["1", "2"])
    }

    @Test(arguments: [WorldClock.manual(at: Scenario.start), .real])
    func `a world begins without the rules whose time is over by its own clock`(clock: WorldClock) throws {
        let now = Scenario.start
        let start = WorldStart(
            clock: clock, faults: [FaultRule(.lose, until: now), FaultRule(.lose, until: now + 1), FaultRule(.lose)])
        // A manual clock does not follow the machine's.
        let real = clock.mode == .manual ? 0 : now
        #expect(start.faultsOver(real: real) == [FaultRule(.lose, until: now)])
        let world = try World(start, real: real)
        #expect(world.activeFaults(real: real).map(\.rule) == Array(start.faults.dropFirst()))
    }

    @Test func `the same seed and the same requests give equal journals under every effect`() throws {
        func journal(seed: UInt64) throws -> [String] {
            var scenario = Scenario()
            scenario.settings.seed = seed
            var running = try scenario.run()
            let delay = FaultDelay.uniform(0...20_000)
            let effects: [FaultEffect] = [
                .refuse(.tooManyRequests, streams: 1), .delay(delay), .delay(.never), .silence(.after),
                .reset(code: 2, .before), .window(WindowFault(bytes: 0, time: delay)), .lose, .duplicate(2),
                .offline(delay), .slowBody(delay), .maximumConcurrentStreams(3),
            ]
            for effect in effects { _ = try running.world.add(FaultRule(effect, probability: 0.1), real: 0) }
            var actions: [String] = []
            for number in 0..<400 {
                if number.isMultiple(of: 50) {
                    _ = running.world.subscribe(try scenario.deviceToken, in: .sandbox, real: 0)
                }
                running.advance(milliseconds: 700)
                let judgement = try running.send(scenario)
                actions.append("\(String(describing: judgement.fault)) \(String(describing: judgement.streamLimit))")
            }
            let entries = running.world.notifications(NotificationQuery().with { $0.limit = 1000 }).entries
            return entries.map { entry in
                let life = entry.life.map { "\($0.stage) \($0.at) \($0.why)" }
                return "\(entry.uniqueID) \(entry.verdict.outcome) \(entry.fault?.why ?? "-") \(life)"
            } + actions
        }
        let first = try journal(seed: 1)
        #expect(first.count == 800)
        #expect(try journal(seed: 1) == first)
        #expect(try journal(seed: 2) != first)
    }
}

extension NotificationQuery {
    fileprivate func with(_ change: (inout NotificationQuery) -> Void) -> NotificationQuery {
        var changed = self
        change(&changed)
        return changed
    }
}
