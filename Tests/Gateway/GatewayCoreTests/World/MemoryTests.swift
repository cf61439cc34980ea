import APNSModel
import TestSeeds
import Testing

@testable import GatewayCore

/// What a world counts as its memory, and what it gives up.
struct MemoryTests {
    /// A world with the deliveries of a few devices, some connected.
    private func world(devices: Int, sends: Int, connected: Int) throws -> World {
        let scenario = Scenario().with {
            $0.settings.unknownDevices = .open
            $0.settings.acceptsAnyKey = true
        }
        var running = try scenario.run()
        for number in 0..<connected {
            let token = try MemoryTests.token(number)
            _ = try running.world.register(DeviceRegistration(topic: Scenario.topic, token: token.hex), real: 0)
            _ = running.world.subscribe(token, in: .sandbox, real: 0)
        }
        for number in 0..<sends {
            running.world.moment = Int64(number)
            try MemoryTests.send(number, to: number % devices, &running)
        }
        return running.world
    }

    private static func token(_ number: Int) throws -> DeviceToken {
        try #require(DeviceToken("ab" + String(sixDigitsOf: number)))
    }

    private static func send(_ number: Int, to device: Int, _ running: inout Running) throws {
        let scenario = Scenario().with {
            $0.head.path = "/3/device/ab" + String(sixDigitsOf: device)
            $0.head.pushType = "alert"
            $0.head.priority = "10"
            $0.body = Array(#"{"aps":{"alert":"\#(number)"}}"#.utf8)
        }
        let verdict = try running.send(scenario).verdict
        try #require(verdict.isAccepted, "\(verdict.why)")
    }

    /// Counted anew from all that the world has.
    private func recount(_ world: World) -> (deliveries: Int, waiting: Int, channels: Int) {
        var (deliveries, waiting) = (0, 0)
        for environment in APNSEnvironment.allCases {
            for device in world.tables[environment].slots {
                deliveries += device.history.reduce(0) { $0 + $1.heldBytes }
                deliveries += device.waiting.reduce(0) { $0 + $1.delivery.heldBytes }
                waiting += device.waiting.count
            }
        }
        return (deliveries, waiting, world.channels.ids.reduce(0) { $0 + (world.channels[$1]?.heldBytes ?? 0) })
    }

    /// As the tables of devices count it, which look for what they can drop only where that is not 0.
    private func waitingCount(_ world: World) -> Int {
        APNSEnvironment.allCases.reduce(0) { $0 + world.tables[$1].waitingCount }
    }

    @Test func `the file that a world was made of is counted`() throws {
        var start = WorldStart()
        let before = try World(start, real: 0).held.world
        start.setup.document = String(repeating: " ", count: 100_000)
        #expect(try World(start, real: 0).held.world == before + 100_000)
    }

    @Test(arguments: TestSeed.all([1, 2, 3]))
    func `what is counted as things come and go is what is there`(seed: TestSeed) throws {
        var generator = seed.generator
        var world = try world(devices: 12, sends: 200, connected: 6)
        for _ in 0..<300 {
            let token = try MemoryTests.token(Int.random(in: 0..<12, using: &generator))
            world.moment += 1
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: _ = world.patch(token, in: .sandbox, DevicePatch(isOnline: false), real: 0)
            case 1: _ = world.patch(token, in: .sandbox, DevicePatch(isOnline: true), real: 0)
            case 2: _ = world.uninstall(token, in: .sandbox, real: 0)
            case 3: _ = try? world.register(DeviceRegistration(topic: Scenario.topic, token: token.hex), real: 0)
            case 4: _ = world.subscribe(token, in: .sandbox, after: "x", real: 0)
            case 5: world.unsubscribe(token, in: .sandbox, real: 0)
            case 6: _ = world.advanceClock(by: 86_400_000, real: 0)
            default: _ = world.giveUp(bytes: 2000, keptUntil: .max, limit: 3)
            }
            #expect(world.held.deliveries == recount(world).deliveries)
            #expect(waitingCount(world) == recount(world).waiting)
        }
        let restored = world.restored()
        #expect(restored.held.deliveries == recount(restored).deliveries)
        #expect(waitingCount(restored) == recount(restored).waiting)
    }

    @Test func `the oldest goes first, whether it is in the journal or in the history of a device`() throws {
        var world = try world(devices: 4, sends: 40, connected: 4)
        let oldest = world.oldestKept()
        #expect(oldest == 0)
        let before = world.held.total
        let given = world.giveUp(bytes: .max, keptUntil: 9, limit: 1000)
        #expect(given.journalEntries == 10 && given.deliveries == 10)
        #expect(world.held.total == before - given.bytes)
        #expect(world.oldestKept() == 10)
        #expect(world.journalSequences == 10..<40)
        for number in 0..<4 {
            let device = try #require(world.device(try MemoryTests.token(number), in: .sandbox))
            #expect(device.history.allSatisfy { $0.sequence >= 10 })
            #expect(device.history.count == (number < 2 ? 7 : 8))
        }
    }

    @Test func `a step gives up no more than its limit, and stops when enough is free`() throws {
        var world = try world(devices: 4, sends: 40, connected: 4)
        let limited = world.giveUp(bytes: .max, keptUntil: .max, limit: 5)
        #expect(limited.journalEntries + limited.deliveries == 5)
        let small = world.giveUp(bytes: 1, keptUntil: .max, limit: 1000)
        #expect(small.journalEntries + small.deliveries == 1)
    }

    @Test func `entries about deliveries that have left their history are skipped`() throws {
        var world = try world(devices: 1, sends: 3000, connected: 1)
        // The history has at most twice its length; the entries about the others are stale.
        let kept = try #require(world.device(try MemoryTests.token(0), in: .sandbox)).history.count
        #expect(kept < 3000)
        let given = world.giveUp(bytes: .max, keptUntil: .max, limit: 100_000)
        #expect(given.deliveries == kept)
        #expect(world.held.deliveries == 0)
    }

    @Test func `what waits is given up last, and its life says why`() throws {
        var world = try world(devices: 3, sends: 3, connected: 0)
        #expect(world.giveUp(bytes: .max, keptUntil: .max, limit: 100).deliveries == 0)
        #expect(waitingCount(world) == 3)
        let (given, events) = world.giveUpWaiting(bytes: 1, limit: 10, real: 0)
        #expect(given.waiting == 1 && events.map(\.stage) == [.dropped])
        #expect(events.first?.life.why.contains("--memory") == true)
        let rest = world.giveUpWaiting(bytes: .max, limit: 10, real: 0)
        #expect(rest.0.waiting == 2 && waitingCount(world) == 0)
        #expect(world.held.deliveries == 0)
        #expect(world.giveUpWaiting(bytes: .max, limit: 10, real: 0).0.bytes == 0)
    }

    @Test func `without memory nothing is registered, and sends replace devices that were registered on use`() throws {
        let scenario = Scenario().with { $0.settings.unknownDevices = .open }
        var running = try scenario.run()
        running.world.isMemoryFull = true
        #expect(throws: RegistrationError.memoryFull) {
            try running.world.register(DeviceRegistration(topic: Scenario.topic, token: "cd"), real: 0)
        }
        #expect(throws: RegistrationError.memoryFull) {
            try running.world.register(RegisteredApp(topic: "com.example.other", teamID: Keys.team))
        }
        #expect(throws: RegistrationError.memoryFull) { try running.world.add(FaultRule(.lose), real: 0) }
        // An app that is known changes.
        try running.world.register(RegisteredApp(topic: Scenario.topic, teamID: Keys.team))
        let unknown = scenario.with { $0.head.path = "/3/device/cd" }
        let refused = try running.send(unknown).verdict
        #expect(refused.reason == .serviceUnavailable && refused.why.contains("--memory"))
        running.world.isMemoryFull = false
        #expect(try running.send(unknown).verdict.isAccepted)
        running.world.isMemoryFull = true
        #expect(try running.send(scenario.with { $0.head.path = "/3/device/ef" }).verdict.isAccepted)
        #expect(running.world.device(try #require(DeviceToken("cd")), in: .sandbox) == nil)
    }

    @Test func `a broadcast counts its payload once, however many devices get it`() throws {
        let payload = [UInt8](repeating: 0x20, count: 4000)
        let topic = try #require(Topic("com.example.agent.push-type.liveactivity"))
        let channel = try #require(ChannelID("AAAAAAAAAAAAAAAAAAAAAA=="))
        let broadcast = Broadcast(
            sequence: 1, id: UniqueID(1, 1), requestID: "1", channelID: channel, environment: .sandbox, topic: topic,
            pushType: .liveactivity, priority: .immediate, expiration: .once, payload: payload)
        let deliveries = try (0..<100).map {
            broadcast.delivery(to: try MemoryTests.token($0), copies: 1, sharers: 100)
        }
        let sum = deliveries.reduce(0) { $0 + $1.heldBytes }
        #expect(sum == 100 * Delivery.fixedBytes + payload.count)
    }
}

extension String {
    /// Six hexadecimal digits.
    fileprivate init(sixDigitsOf number: Int) {
        let digits = String(number, radix: 16)
        self = String(repeating: "0", count: 6 - digits.count) + digits
    }
}
