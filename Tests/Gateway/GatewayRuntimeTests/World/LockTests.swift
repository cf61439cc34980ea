import APNSModel
import Foundation
import GatewayCore
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

    /// A thread that sends notifications until it is stopped.
    private final class Sender: Sendable {
        private let isStopped = Atomic(false)
        private let count = Atomic(0)
        private let end = DispatchSemaphore(value: 0)

        func start(_ world: LiveWorld) {
            Thread.detachNewThread { [self] in
                while !isStopped.load(ordering: .relaxed) {
                    _ = world.push()
                    count.add(1, ordering: .relaxed)
                }
                end.signal()
            }
        }

        /// How many notifications are judged.
        var sent: Int { count.load(ordering: .relaxed) }

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
        let sender = Sender()
        sender.start(world)
        defer { sender.stop() }
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
        let sender = Sender()
        sender.start(world)
        defer { sender.stop() }
        var areJudgedMeanwhile = false
        for _ in 0..<20 where !areJudgedMeanwhile {
            let before = sender.sent
            world.reset()
            // Far more than those that come just before the exchange and after it.
            areJudgedMeanwhile = sender.sent - before > 100
        }
        #expect(areJudgedMeanwhile)
    }
}
