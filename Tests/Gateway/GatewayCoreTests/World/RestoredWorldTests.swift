import APNSModel
import Testing

@testable import GatewayCore

/// A world that takes the place of another one.
struct RestoredWorldTests {
    private static func token(_ number: Int) throws -> DeviceToken {
        try #require(DeviceToken(String(0xab_0000 + number, radix: 16)))
    }

    private static func world(devices: Int) throws -> World {
        var world = try World(
            WorldStart(apps: [RegisteredApp(topic: Scenario.topic, teamID: Keys.team)]), real: 0)
        for number in 0..<devices {
            let token = try token(number)
            _ = try world.register(DeviceRegistration(topic: Scenario.topic, token: token.hex), real: 0)
        }
        return world
    }

    /// Where the devices of each chunk are in memory.
    private static func places(_ world: World) -> [UnsafePointer<Device>?] {
        world.tables[.sandbox].slots.chunks.map { $0.withUnsafeBufferPointer(\.baseAddress) }
    }

    @Test func `a world becomes a restored one without a copy of its devices`() throws {
        var other = try Self.world(devices: 3 * DeviceSlots.chunkSize)
        let connected = try Self.token(DeviceSlots.chunkSize)
        _ = other.subscribe(connected, in: .sandbox, real: 0)
        let next = other.restored()
        var world = try Self.world(devices: 3)
        world.become(next)
        let (before, restored, after) = (Self.places(other), Self.places(next), Self.places(world))
        let ended = before.indices.filter { before[$0] != restored[$0] }
        #expect(ended == [1], "the connection has ended before the lock is taken")
        #expect(after == restored)
        #expect(world.tables[.sandbox].index.partsUnlike(other.tables[.sandbox].index) == 0)
        #expect(world.device(connected, in: .sandbox)?.connection == .interrupted)
    }

    @Test(arguments: [0, 5]) func `no revision comes again`(changes: Int) throws {
        var world = try Self.world(devices: 1)
        var other = try Self.world(devices: 1)
        for number in 0..<changes {
            try world.register(RegisteredApp(topic: "com.example.app\(number)", teamID: Keys.team))
        }
        for number in 0..<3 {
            try other.register(RegisteredApp(topic: "com.example.app\(number)", teamID: Keys.team))
        }
        let former = [world.revision, world.keysRevision, other.revision, other.keysRevision]
        world.become(other.restored())
        let latest = try #require(former.max())
        #expect(world.revision > latest && world.keysRevision > latest)
        #expect(world.registeredApps.count == 4)
    }

    @Test func `a file without the next id of a fault rule gives none that its journal names`() throws {
        var running = try Scenario().run()
        for _ in 1...2 { _ = try running.world.add(FaultRule(.lose, count: 1), real: 0) }
        for _ in 1...2 { _ = try running.send(Scenario()) }
        var saved = SavedWorld(running.world)
        #expect(saved.journal.map(\.request.fault?.id) == ["1", "2"])
        saved.nextFault = nil
        var world = try World(running.world.start, saved, real: 0)
        let fault = try world.add(FaultRule(.lose), real: 0)
        #expect(fault.id == "3")
    }
}
