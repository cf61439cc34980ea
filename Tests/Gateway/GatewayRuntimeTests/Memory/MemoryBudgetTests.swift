import APNSModel
import GatewayConfiguration
import GatewayTesting
import SystemFiles
import Testing

@testable import GatewayCore
@testable import GatewayRuntime
@testable import GatewayServer

struct MemoryBudgetTests {
    /// Worlds that share a limit of memory.
    private final class Setup: Sendable {
        let memory: MemoryBudget
        let worlds: Worlds

        init(
            limit: Int, granularity: Int64 = 1000, settings change: (inout WorldSettings) -> Void = { _ in }
        ) throws {
            memory = MemoryBudget(limit: limit, granularity: granularity)
            var start = WorldStart(apps: [RegisteredApp(topic: "com.example.agent", teamID: "ABCDE12345")])
            start.settings.maximumHistory = SubscriberLimits.history
            change(&start.settings)
            let standard = LiveWorld(
                try World(start, real: WallClock.milliseconds), environment: .sandbox, memory: memory,
                delegate: RecordingDelegate())
            worlds = Worlds(standard, start, maximum: 100, memory: memory) { RecordingDelegate() }
        }

        func world(_ name: String) throws -> LiveWorld { try worlds.world(try #require(WorldName(name))) }
    }

    private static func requests(_ count: Int, to device: Int, payload: [UInt8]) -> [CompleteRequest] {
        (0..<count).map { _ in
            var head = RequestHead(path: "/3/device/\(device < 16 ? "0" : "")\(String(device, radix: 16))")
            head.topic = "com.example.agent"
            head.pushType = "alert"
            head.priority = "10"
            return CompleteRequest(stream: 1, head: head, body: payload)
        }
    }

    private static func payload(_ bytes: Int) -> [UInt8] {
        let frame = #"{"aps":{"alert":""}}"#
        return Array(#"{"aps":{"alert":"\#(String(repeating: "x", count: bytes - frame.utf8.count))"}}"#.utf8)
    }

    /// Sends to devices in turn, and looks at the limit after each batch.
    private static func send(
        _ count: Int, to devices: Int, payload: [UInt8], in world: LiveWorld, check: (Int) -> Void
    ) {
        let batch = 50
        for number in 0..<count / batch {
            var connection = GatewayConnection(environment: .sandbox, role: .control)
            let requests = requests(batch, to: number % devices, payload: payload)
            let accepted = world.judge(requests, on: &connection).count { $0?.verdict.isAccepted ?? false }
            #expect(accepted == batch)
            check(number)
        }
    }

    /// The numbers of a gateway whose journal keeps one entry: 20 listeners, 40,000 pushes of 4 KB. Their histories would
    /// hold 160 MB.
    @Test func `20 listeners and 40,000 pushes of 4 KB stay within the limit`() throws {
        let limit = 32 << 20
        let setup = try Setup(limit: limit) {
            $0.retain = 1
            $0.maximumJournalBytes = 1
        }
        let world = setup.worlds.standard
        for device in 0..<20 {
            let token = "\(device < 16 ? "0" : "")\(String(device, radix: 16))"
            let registered = try world.register(DeviceRegistration(topic: "com.example.agent", token: token))
            #expect(world.connect(registered.token, in: .sandbox))
        }
        var largest = 0
        Self.send(40_000, to: 20, payload: Self.payload(4096), in: world) { _ in
            largest = max(largest, setup.memory.used)
            #expect(setup.memory.used <= limit)
        }
        #expect(largest > limit / 2)
        #expect(setup.memory.givenUp.deliveries > 30_000)
        #expect(setup.memory.used == world.held.total)
        // The newest are there: what is left is the end of what was sent.
        let newest = try #require(DeviceToken("13"))
        let kept = try #require(world.read { world, _ in world.device(newest, in: .sandbox) })
        #expect(!kept.deliveredHistory.isEmpty)
        #expect(kept.deliveredHistory.last?.sequence == 39_999)
    }

    @Test func `journals of many worlds share the limit, and the oldest entries of all go first`() throws {
        let setup = try Setup(limit: 4 << 20, granularity: 0)
        let (first, second) = (try setup.world("first"), try setup.world("second"))
        let payload = Self.payload(4096)
        Self.send(500, to: 1, payload: payload, in: first) { _ in }
        Self.send(2000, to: 1, payload: payload, in: second) { _ in #expect(setup.memory.used <= 4 << 20) }
        #expect(first.read { world, _ in world.journalCount } == 1)
        #expect(second.read { world, _ in world.journalCount } > 300)
    }

    @Test func `a world that is gone uses no memory`() throws {
        let setup = try Setup(limit: 8 << 20)
        let before = setup.memory.used
        do {
            let world = try setup.world("first")
            Self.send(100, to: 1, payload: Self.payload(4096), in: world) { _ in }
            #expect(setup.memory.used > before + 100 * 4096)
            _ = setup.worlds.remove(world.name)
        }
        #expect(setup.memory.used == before)
    }

    @Test func `emptying the journal frees what it held`() throws {
        let setup = try Setup(limit: 8 << 20)
        Self.send(100, to: 1, payload: Self.payload(4096), in: setup.worlds.standard) { _ in }
        let full = setup.memory.used
        setup.worlds.standard.deleteNotifications()
        #expect(setup.memory.used < full - 100 * 4096)
    }

    @Test func `a listener that does not read is disconnected before its queue takes the memory`() async throws {
        let setup = try Setup(limit: 1 << 20)
        let world = setup.worlds.standard
        let token = try world.register(DeviceRegistration(topic: "com.example.agent", token: "00")).token
        let disconnected = Counter()
        let subscription = try world.subscribe(token, in: .sandbox, after: nil) { disconnected.add() }
        Self.send(400, to: 1, payload: Self.payload(4096), in: world) { _ in
            #expect(setup.memory.queued.bytes <= 2 * setup.memory.queued.limit + 4096 + Delivery.fixedBytes)
        }
        #expect(disconnected.count == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test func `events kept for clients that come back are forgotten when memory is short`() async throws {
        let setup = try Setup(limit: 1 << 20)
        let world = setup.worlds.standard
        let subscription = try world.subscribeToEvents {}
        let reading = Task { for await _ in subscription.items {} }
        Self.send(1000, to: 1, payload: Self.payload(4096), in: world) { _ in
            #expect(setup.memory.queued.bytes <= 2 * setup.memory.queued.limit + 60 * 8192)
        }
        world.endSubscriptions()
        await reading.value
    }

    /// Making room under the lock that a new world is added with would take this lock twice, which stops the process.
    @Test func `a world is made while others have to make room`() throws {
        let setup = try Setup(limit: 1 << 20)
        let waiting = QueuedItem(2 * setup.memory.queued.limit + 1, in: setup.memory.queued)
        #expect(setup.memory.queued.isOverTwiceTheLimit && !setup.memory.isFull)
        let world = try setup.world("first")
        #expect(setup.worlds.existing(world.name) === world)
        withExtendedLifetime(waiting) {}
    }

    @Test(
        arguments: [
            (40, 60, true), (41, 60, false), (1, 100, false), (100, 0, true), (1000, 0, true), (1000, 1, false),
        ] as [(Int, Int, Bool)])
    func `a body is taken beside others up to the limit, and alone always`(bytes: Int, others: Int, fits: Bool) {
        #expect(BodyMemory.fits(bytes, beside: others, limit: 100) == fits)
    }

    @Test func `large bodies count until they are released, and have a quarter of the limit`() throws {
        let memory = MemoryBudget(limit: 400 << 10)
        let first = BodyMemory(in: memory, small: 1 << 10)
        try first.grow(to: 1 << 10)
        #expect(memory.used == 0)
        try first.grow(to: 20 << 10)
        try first.grow(to: 60 << 10)
        #expect(memory.used == 60 << 10)
        do {
            let second = BodyMemory(in: memory, small: 1 << 10)
            try second.grow(to: 1 << 10)
            #expect(throws: BodyMemory.Full.self) { try second.grow(to: 41 << 10) }
            #expect(memory.bodyBytes == 60 << 10)
            try second.grow(to: 40 << 10)
            #expect(memory.bodyBytes == 100 << 10)
        }
        #expect(memory.bodyBytes == 60 << 10)
        try first.grow(to: 1 << 20)
        first.release()
        first.release()
        #expect(memory.used == 0)
    }

    @Test func `room is made for a large body`() throws {
        let setup = try Setup(limit: 4 << 20)
        Self.send(850, to: 1, payload: Self.payload(4096), in: setup.worlds.standard) { _ in }
        let before = setup.memory.used
        #expect(before > 3 << 20)
        let body = BodyMemory(in: setup.memory, small: 0)
        try body.grow(to: 1 << 20)
        #expect(setup.memory.used <= 4 << 20)
        #expect(setup.memory.bodyBytes == 1 << 20 && setup.memory.givenUp.journalEntries > 0)
        body.release()
    }

    private static func world(devices count: Int) throws -> World {
        let devices = (0..<count).map {
            DeviceRegistration(topic: "com.example.agent", token: String(0x10_0000 + $0, radix: 16))
        }
        let apps = [RegisteredApp(topic: "com.example.agent", teamID: "ABCDE12345")]
        return try World(WorldStart(apps: apps, devices: devices), real: WallClock.milliseconds)
    }

    @Test func `a world of a file that does not fit is refused, and nothing is changed`() throws {
        let setup = try Setup(limit: 1 << 20)
        let world = try setup.world("first")
        Self.send(100, to: 1, payload: Self.payload(1024), in: world) { _ in }
        let before = setup.memory.used
        let large = try Self.world(devices: 5000)
        #expect(large.held.total > 1 << 20)
        let name = try #require(WorldName("second"))
        #expect(throws: Worlds.CreationError.memoryFull) { try setup.worlds.restore(large, inPlaceOf: world) }
        #expect(throws: Worlds.CreationError.memoryFull) { try setup.worlds.prepare(name, WorldSetup(), large) }
        #expect(setup.memory.used == before && setup.memory.givenUp.journalEntries == 0)
        #expect(world.read { world, _ in world.journalCount } == 100)
        // The name is free.
        setup.worlds.complete(try setup.worlds.prepare(name, WorldSetup(), try Self.world(devices: 1)))
        #expect(setup.worlds.existing(name) != nil)
    }

    @Test func `a world of a file may use what journals and the world that it replaces hold`() throws {
        let file = try Self.world(devices: 2000)
        let setup = try Setup(limit: file.held.total * 3 / 2)
        let world = try setup.world("first")
        Self.send(1000, to: 1, payload: Self.payload(4096), in: setup.worlds.standard) { _ in }
        #expect(setup.memory.used + file.held.total > setup.memory.limit)
        for _ in 1...2 {
            try setup.worlds.restore(file, inPlaceOf: world)
            #expect(setup.memory.used <= setup.memory.limit)
        }
        #expect(world.read { world, _ in world.devices(in: .sandbox, limit: 1).total } == 2000)
        let name = try #require(WorldName("second"))
        #expect(throws: Worlds.CreationError.memoryFull) { try setup.worlds.prepare(name, WorldSetup(), file) }
    }

    @Test func `a world of a file fits beside the request that has it, and beside what waits for subscribers`() throws {
        let file = try Self.world(devices: 2000)
        for isRequest in [true, false] {
            let setup = try Setup(limit: file.held.total * 3 / 2)
            let world = try setup.world("first")
            let passing = setup.memory.limit * 2 / 5
            let request = BodyMemory(in: setup.memory, small: 0)
            let waiting = isRequest ? nil : QueuedItem(passing, in: setup.memory.queued)
            if isRequest { try request.grow(to: passing) }
            #expect(setup.memory.used + file.held.total > setup.memory.limit && !setup.memory.isFull)
            try setup.worlds.restore(file, inPlaceOf: world)
            #expect(world.read { world, _ in world.devices(in: .sandbox, limit: 1).total } == 2000)
            withExtendedLifetime((request, waiting)) {}
        }
    }

    @Test func `a test gateway restores no file that does not fit`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let memory = try #require(gateway.running.worlds.memory)
            let file = gateway.export()
            try gateway.uninstall(device: "ab12")
            // As if another world held it.
            memory.add(memory.limit)
            let error = #expect(throws: TestGatewayError.self) { try gateway.restore(file: file) }
            #expect(error?.description.contains("there is no memory for the world") == true)
            memory.add(-memory.limit)
            try gateway.restore(file: file)
        }
    }

    @Test func `no world is made where there is no memory for it`() throws {
        let setup = try Setup(limit: 56 << 10)
        let world = try setup.world("first")
        let name = try #require(WorldName("second"))
        #expect(throws: Worlds.CreationError.memoryFull) { try setup.worlds.world(name) }
        withExtendedLifetime(world) {}
    }
}
