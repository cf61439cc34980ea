import APNSModel
import Dispatch
import GatewayConfiguration
import GatewayCore
import Synchronization
import Testing

@testable import GatewayRuntime

/// Worlds that are made while others look for them.
struct WorldsCreationTests {
    /// Records which worlds have reported that something is due.
    private final class Reports: Sendable {
        let names = Mutex<Set<WorldName>>([])
    }

    private final class Delegate: LiveWorldDelegate {
        let reports: Reports

        init(_ reports: Reports) { self.reports = reports }

        func clockChanged(_ change: ClockChange, in world: LiveWorld) {}
        func faultRulesRemoved(_ id: String?, in world: LiveWorld) {}

        func nextDue(in milliseconds: Int64?, of world: LiveWorld) {
            _ = reports.names.withLock { $0.insert(world.name) }
        }
    }

    private func worlds(maximum: Int, _ reports: Reports) throws -> Worlds {
        let standard = try LiveWorld.inMemory(delegate: Delegate(reports))
        return Worlds(standard, WorldStart(), maximum: maximum) { Delegate(reports) }
    }

    @Test func `nobody finds a world whose delegate does not know of it`() throws {
        let reports = Reports()
        let count = 200
        let worlds = try worlds(maximum: count + 1, reports)
        let names = try (0..<count).map { try #require(WorldName("w\($0)")) }
        // Two threads ask for each world, and each of them adds a rule at once. The thread that adds the first rule
        // reports it, perhaps after the other one has ended, so what was reported is compared after all of them.
        DispatchQueue.concurrentPerform(iterations: 2 * count) { index in
            let name = names[index / 2]
            do {
                let world = try worlds.world(name)
                _ = try world.add(FaultRule(.lose, until: world.now() + 3_600_000))
            } catch {
                Issue.record(error)
            }
        }
        #expect(worlds.count == count + 1)
        #expect(reports.names.withLock { $0 } == Set(names))
        for name in names {
            #expect(worlds.existing(name)?.read { world, real in world.activeFaults(real: real).count } == 2)
        }
    }

    @Test func `a world is made once, and not beyond the maximum`() throws {
        let worlds = try worlds(maximum: 2, Reports())
        let (first, second) = (try #require(WorldName("first")), try #require(WorldName("second")))
        let made = try worlds.prepare(first, WorldSetup())
        #expect(worlds.existing(first) == nil)
        #expect(throws: Worlds.CreationError.opening(first)) { try worlds.world(first) }
        #expect(throws: Worlds.CreationError.taken(first)) { try worlds.prepare(first, WorldSetup()) }
        #expect(throws: Worlds.CreationError.full(2)) { try worlds.world(second) }
        worlds.complete(made)
        #expect(try worlds.world(first) === made)
        #expect(throws: Worlds.CreationError.taken(first)) { try worlds.prepare(first, WorldSetup()) }
        #expect(throws: Worlds.CreationError.taken(.standard)) { try worlds.prepare(.standard, WorldSetup()) }
        #expect(throws: Worlds.CreationError.full(2)) { try worlds.world(second) }
        #expect(worlds.remove(first) === made)
        #expect(worlds.existing(first) == nil)
        #expect(try worlds.world(second) !== made)
    }

    @Test func `a world that is given up leaves its name free`() throws {
        let worlds = try worlds(maximum: 2, Reports())
        let name = try #require(WorldName("first"))
        let made = try worlds.prepare(name, WorldSetup())
        worlds.abandon(made)
        #expect(worlds.existing(name) == nil && worlds.count == 1)
        #expect(try worlds.world(name) !== made)
    }

    @Test func `the webhooks of the configuration are there when a world is found`() throws {
        let reports = Reports()
        let url = try #require(WebhookURL("http://127.0.0.1:1/"))
        let worlds = Worlds(
            try LiveWorld.inMemory(delegate: Delegate(reports)), WorldStart(), maximum: 100, webhooks: [url]
        ) { Delegate(reports) }
        worlds.startAll()
        #expect(worlds.standard.webhooks.all.map(\.url) == [url])
        let names = try (0..<50).map { try #require(WorldName("w\($0)")) }
        DispatchQueue.concurrentPerform(iterations: 100) { index in
            do {
                #expect(try worlds.world(names[index / 2]).webhooks.all.map(\.isFixed) == [true])
            } catch {
                Issue.record(error)
            }
        }
        worlds.forEach { $0.endSubscriptions() }
        #expect(worlds.all.allSatisfy { $0.webhooks.all.isEmpty })
    }
}
