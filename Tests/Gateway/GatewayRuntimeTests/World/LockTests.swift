import APNSModel
import Foundation
import GatewayCore
import GatewayTestSupport
import Logging
import Synchronization
import SystemFiles
import Testing

@testable import GatewayRuntime

/// What takes long is read in parts, and others change the world between two of them.
@Suite(.timeLimit(.minutes(10)))
struct LockTests {
    private static let count = 2000

    /// A world with a journal of `count` entries.
    private static func fullWorld() throws -> LiveWorld {
        let world = try LiveWorld.inMemory()
        for _ in 0..<count { _ = try #require(world.push()) }
        #expect(world.read { world, _ in world.journalCount } == count)
        return world
    }

    /// A thread that uses a world until it is stopped. It sends notifications unless something else is asked for.
    private final class User: Sendable {
        private let isStopped = Atomic(false)
        private let count = Atomic(0)
        private let end = DispatchSemaphore(value: 0)

        func start(_ world: LiveWorld, _ use: @escaping @Sendable (LiveWorld) -> Void = { _ = $0.push() }) {
            Thread.detachNewThread { [self] in
                while !isStopped.load(ordering: .relaxed) {
                    use(world)
                    count.add(1, ordering: .relaxed)
                }
                end.signal()
            }
        }

        /// How many times it has used the world.
        var uses: Int { count.load(ordering: .relaxed) }

        func stop() {
            isStopped.store(true, ordering: .relaxed)
            end.wait()
        }
    }

    @Test func `parts have each entry once, the newest first, and none has too many`() {
        for range in [3..<1000, 0..<256, 0..<257, 900..<901, 7..<7] as [Range<UInt64>] {
            let parts = Array(JournalParts(range))
            #expect(parts.allSatisfy { !$0.isEmpty && $0.count <= 256 })
            #expect(parts.reversed().flatMap { Array($0) } == Array(range))
        }
    }

    @Test func `a scan of the journal reads one part at a time`() throws {
        let world = try Self.fullWorld()
        var sizes: [Int] = []
        world.readJournal { _, part in sizes.append(part.count) }
        #expect(sizes.reduce(0, +) == Self.count)
        #expect(sizes.max() == Int(JournalParts.maximum))
    }

    @Test func `notifications are judged between two parts of a scan`() throws {
        let world = try Self.fullWorld()
        let user = User()
        user.start(world)
        defer { user.stop() }
        var isChangedMeanwhile = false
        for _ in 0..<10_000 where !isChangedMeanwhile {
            var ends: Set<UInt64> = []
            world.readJournal { world, _ in ends.insert(world.journalSequences.upperBound) }
            isChangedMeanwhile = ends.count > 1
        }
        #expect(isChangedMeanwhile)
    }

    @Test func `notifications are judged while a reset registers the devices of the start`() throws {
        let topic = "com.example.agent"
        let start = WorldStart(
            apps: [RegisteredApp(topic: topic, teamID: "ABCDE12345")],
            devices: (0..<4000).map { DeviceRegistration(topic: topic, token: String(format: "%08x", $0)) })
        let world = LiveWorld(
            try World(start, real: WallClock.milliseconds), environment: .sandbox, delegate: RecordingDelegate())
        let user = User()
        user.start(world)
        defer { user.stop() }
        var areJudgedMeanwhile = false
        for _ in 0..<20 where !areJudgedMeanwhile {
            let before = user.uses
            world.reset()
            // Far more than those that come just before the exchange and after it.
            areJudgedMeanwhile = user.uses - before > 100
        }
        #expect(areJudgedMeanwhile)
    }

    @Test func `a world can be used while its state is made again after a failed write`() async throws {
        var isFree = false
        for _ in 0..<20 where !isFree {
            isFree = try await withFolder { folder in try await Self.isFreeAfterFailedWrite(in: folder) }
        }
        #expect(isFree)
    }

    /// - Returns: Whether a world was used about as often as others can use one in the time that it takes to make its state.
    private static func isFreeAfterFailedWrite(in folder: String) async throws -> Bool {
        let topic = "com.example.agent"
        let apps = [RegisteredApp(topic: topic, teamID: "ABCDE12345")]
        // The store does not have these devices: it is read at once, and making a world of it takes long.
        let start = WorldStart(
            apps: apps,
            devices: (0..<4000).map { DeviceRegistration(topic: topic, token: String(format: "%08x", $0)) })
        let storeQueue = try StoreQueue(path: folder + "/gateway.sqlite", logger: Logger(label: "test"))
        defer { storeQueue.close() }
        let real = WallClock.milliseconds
        _ = try storeQueue.world(.standard, WorldStart(apps: apps), nil, clockMode: nil, real: real)
        let snapshot = try #require(try storeQueue.snapshot(of: .standard))
        func makeState() throws -> World {
            try World(start, snapshot, clockMode: nil, settings: start.settings, real: real)
        }
        var stored = try makeState()
        stored.beginStoring(isStored: true)
        let world = LiveWorld(stored, environment: .sandbox, storeQueue: storeQueue, delegate: RecordingDelegate())
        let user = User()
        user.start(world) { _ = $0.now() }
        defer { user.stop() }
        while user.uses == 0 { await Task.yield() }
        var before = user.uses
        _ = try makeState()
        let expected = (user.uses - before) / 2
        try storeQueue.limitGrowth(toPages: 0)
        before = user.uses
        world.checkStore(afterFailureOf: .standard)
        await storeQueue.finish()
        #expect(world.isStoreFailing)
        return user.uses - before > expected
    }
}
