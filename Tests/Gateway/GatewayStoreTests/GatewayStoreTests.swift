import APNSModel
import Foundation
import GRDB
import TestSeeds
import Testing

@testable import GatewayCore
@testable import GatewayStore

@Suite struct GatewayStoreTests {
    @Test func `a world comes back as it was`() throws {
        try withStoreFile { path in
            var scenario = try StoredScenario()
            scenario.push(to: "ab12", "waits")
            scenario.push(to: "ab12", "replaces it")
            scenario.push(to: "cd34", "to a connected device")
            let connected = try StoredScenario.token("cd34")
            _ = scenario.world.subscribe(connected, in: .sandbox, real: 0)
            scenario.push(to: "cd34", "delivered")
            let created = scenario.createChannel()
            let channel = try #require(created)
            scenario.broadcast(to: channel)
            _ = try scenario.world.add(FaultRule(.lose, count: 3), real: 0)
            scenario.push(to: "ab12", "lost")
            let store = try GatewayStore(path: path)
            try scenario.keep(in: store)
            store.close()

            let again = try GatewayStore(path: path)
            defer { again.close() }
            let world = try StoredScenario.restored(again)
            #expect(try StoredScenario.picture(of: world) == StoredScenario.picture(of: scenario.world))
            #expect(world.activeFaults(real: 0).first?.remaining == 2)
            #expect(world.now(real: 12) == StoredScenario.start)
            #expect(world.device(connected, in: .sandbox)?.connection == .interrupted)
        }
    }

    @Test func `a world goes on with the same ids as one that never ended`() throws {
        try withStore { store in
            var scenario = try StoredScenario()
            scenario.push(to: "ab12")
            try scenario.keep(in: store)
            var restored = StoredScenario(try StoredScenario.restored(store, seed: 99))
            for _ in 0..<3 {
                let ids = [scenario.push(to: "ab12"), restored.push(to: "ab12")].map { judgement in
                    [judgement.verdict.apnsID, judgement.verdict.uniqueID ?? ""]
                }
                #expect(ids[0] == ids[1])
            }
        }
    }

    @Test(arguments: TestSeed.all(1...40))
    func `what was written bit by bit is what the world has`(seed: TestSeed) throws {
        try withStore { store in
            var settings = WorldSettings()
            settings.retain = 20
            settings.maximumDevices = 4
            settings.maximumHistory = 3
            settings.maximumWaiting = 3
            var workload = RandomWorkload(seed: seed.value, try StoredScenario(settings: settings))
            for step in 1...200 {
                try workload.step()
                if step.isMultiple(of: Int(seed.value % 7) + 1) { try workload.scenario.keep(in: store) }
            }
            try workload.scenario.keep(in: store)
            let fresh = GatewayStoreTests.reopened(store)
            #expect(
                try StoredScenario.picture(of: StoredScenario.restored(fresh, settings: settings))
                    == StoredScenario.picture(of: workload.scenario.world))
        }
    }

    @Test func `a world that was reset and an emptied journal leave nothing of before`() throws {
        try withStore { store in
            var scenario = try StoredScenario()
            scenario.push(to: "ab12")
            try scenario.keep(in: store)
            scenario.world.deleteNotifications()
            scenario.push(to: "cd34")
            try scenario.keep(in: store)
            #expect(try StoredScenario.restored(store).journalCount == 1)
            scenario.world.reset(real: 0)
            try scenario.keep(in: store)
            #expect(
                try StoredScenario.picture(of: StoredScenario.restored(store))
                    == StoredScenario.picture(of: scenario.world))
            #expect(try StoredScenario.restored(store).journalCount == 0)
        }
    }

    @Test func `a world that the store does not have is stored as it was when it was taken`() throws {
        try withStore { store in
            var scenario = try StoredScenario()
            scenario.push(to: "ab12")
            let before = try StoredScenario.picture(of: scenario.world)
            let whole = scenario.world.takeChangesLater()
            scenario.push(to: "cd34")
            let after = try StoredScenario.picture(of: scenario.world)
            let rest = scenario.world.takeChangesLater()()
            #expect(!rest.isWhole && rest.keys == nil && rest.devices.count == 1 && rest.entries.count == 1)
            try store.write(["default": whole()])
            #expect(try StoredScenario.picture(of: StoredScenario.restored(store)) == before)
            try store.write(["default": rest])
            #expect(try StoredScenario.picture(of: StoredScenario.restored(store)) == after)
        }
    }

    @Test func `a revoked key stays revoked and an unknown one is added`() throws {
        try withStore { store in
            var scenario = try StoredScenario()
            let isRevoked = scenario.world.revokeKey("KEY0000001")
            #expect(isRevoked)
            try scenario.keep(in: store)
            #expect(try StoredScenario.restored(store).registeredKeys.map(\.isRevoked) == [true])
        }
    }

    @Test func `limits that were lifted while it ran stay lifted`() throws {
        try withStore { store in
            var given = WorldSettings()
            given.deviceRate = WorldSettings.DeviceRate(count: 9, period: 60_000)
            given.channelRate = WorldSettings.DeviceRate(count: 9, period: 60_000)
            given.idleTimeout = 420_000
            given.budgets = .documented
            var scenario = try StoredScenario(settings: given)
            scenario.world.settings.deviceRate = nil
            scenario.world.settings.channelRate = nil
            scenario.world.settings.idleTimeout = nil
            scenario.world.settings.budgets.silent = nil
            for _ in 1...2 {
                try scenario.keep(in: store)
                scenario = StoredScenario(try StoredScenario.restored(store, settings: given))
                let again = scenario.world.settings
                #expect(again.deviceRate == nil && again.channelRate == nil && again.idleTimeout == nil)
                #expect(again.budgets.silent == nil)
                #expect(again.budgets.complication == given.budgets.complication)
                given.budgets.silent = DeliveryBudget(count: 9, period: 3_600_000)
            }
        }
    }

    @Test func `a rate that was changed while it ran is that rate with every start`() throws {
        try withStore { store in
            var given = WorldSettings()
            given.deviceRate = WorldSettings.DeviceRate(count: 9, period: 60_000)
            var scenario = try StoredScenario(settings: given)
            let changed = WorldSettings.DeviceRate(count: 9, period: 3_600_000)
            scenario.world.settings.deviceRate = changed
            try scenario.keep(in: store)
            for next in [nil, WorldSettings.DeviceRate(count: 5, period: 60_000)] {
                given.deviceRate = next
                #expect(try StoredScenario.restored(store, settings: given).settings.deviceRate == changed)
            }
        }
    }

    @Test func `settings changed while it ran stay, others are those of the new run`() throws {
        try withStore { store in
            var scenario = try StoredScenario()
            scenario.world.settings.unregisteredDelay = 5000
            scenario.world.settings.contested.expiredTokenStatus = 400
            try scenario.keep(in: store)
            let snapshot = try #require(try store.load("default"))
            var given = WorldSettings()
            given.retain = 3
            let settings = try store.settings(given, of: snapshot)
            #expect(settings.unregisteredDelay == 5000)
            #expect(settings.contested.expiredTokenStatus == 400)
            #expect(settings.retain == 3)
        }
    }

    @Test func `the clock goes on, or takes the mode that is asked for`() throws {
        try withStore { store in
            var scenario = try StoredScenario()
            _ = scenario.world.advanceClock(by: 5000, real: 0)
            try scenario.keep(in: store)
            #expect(try StoredScenario.restored(store).now(real: 77) == StoredScenario.start + 5000)
            #expect(try StoredScenario.restored(store, clockMode: .manual).now(real: 77) == StoredScenario.start + 5000)
            #expect(try StoredScenario.restored(store, clockMode: .real).clock.mode == .real)
        }
    }

    @Test func `worlds in one file do not see each other, and one of them can go`() throws {
        try withStore { store in
            var (first, second) = (try StoredScenario(seed: 1), try StoredScenario(seed: 2))
            first.push(to: "ab12")
            second.push(to: "ab12")
            second.push(to: "ab12")
            try store.write(["one": first.world.takeChanges(), "two": second.world.takeChanges()])
            #expect(try store.worldNames() == ["one", "two"])
            #expect(try store.load("one")?.entries.count == 1)
            #expect(try store.load("two")?.entries.count == 2)
            try store.remove("one")
            #expect(try store.worldNames() == ["two"])
            #expect(try store.load("one")?.entries.count == nil)
            #expect(try store.load("two")?.entries.count == 2)
        }
    }

    @Test func `a world that could not be written leaves what is known of the others`() throws {
        try withStore { store in
            var (first, second) = (try StoredScenario(seed: 1), try StoredScenario(seed: 2))
            first.world.settings.maximumWaiting = 2
            for text in ["1", "2"] { first.push(to: "ab12", text) }
            try store.write(["one": first.world.takeChanges(), "two": second.world.takeChanges()])
            try store.limitGrowth(toPages: 0)
            for number in 0..<200 { second.push(to: "cd34", String(repeating: "x", count: 100 + number)) }
            #expect(throws: StoreError.self) { try store.write(["two": second.world.takeChanges()]) }
            try store.limitGrowth(toPages: nil)
            first.push(to: "ab12", "3")
            try store.write(["one": first.world.takeChanges()])
            let fresh = GatewayStoreTests.reopened(store)
            let devices = try fresh.load("one")?.devices[.sandbox]
            let device = try #require(first.world.device(try StoredScenario.token("ab12"), in: .sandbox))
            #expect(try #require(devices?[0]).waitingDeliveries == device.waitingDeliveries)
            // Its rows are known only by name, and it can still be removed.
            let other = GatewayStoreTests.reopened(store)
            try other.remove("one")
            #expect(try other.worldNames() == ["two"])
        }
    }

    @Test func `the file that a world was made of is written apart from what changes, and comes back`() throws {
        try withStore { store in
            var start = try StoredScenario.worldStart()
            start.setup.document = #"{"seed":7}"#
            var scenario = StoredScenario(try World(start, real: 0))
            scenario.world.beginStoring(isStored: false)
            try scenario.keep(in: store)
            scenario.push(to: "ab12")
            try scenario.keep(in: store)
            func texts(_ table: String) throws -> [String] {
                try store.reading { try String.fetchAll($0, sql: "SELECT document FROM \(table)") }
            }
            #expect(try texts("file") == [#"{"seed":7}"#])
            #expect(try texts("world").allSatisfy { !$0.contains("document") })
            let fresh = GatewayStoreTests.reopened(store)
            #expect(try fresh.load("default")?.core.setup?.document == #"{"seed":7}"#)
            // A world that takes its place was made of nothing.
            var other = try StoredScenario()
            try other.keep(in: store)
            #expect(try texts("file") == [])
            #expect(try store.load("default")?.core.setup?.document == nil)
        }
    }

    @Test func `a file in the document of a world, where an older version has it, moves with the next change`() throws {
        try withStoreFile { path in
            var start = try StoredScenario.worldStart()
            start.setup.document = "{}"
            var scenario = StoredScenario(try World(start, real: 0))
            scenario.world.beginStoring(isStored: false)
            let old = try GatewayStore(path: path)
            try scenario.keep(in: old)
            try old.writing { database in
                try database.execute(
                    sql: """
                        UPDATE world SET document = json_set(document, '$.setup.document', '{}');
                        DROP TABLE file;
                        PRAGMA user_version = 3;
                        """)
            }
            old.close()
            let store = try GatewayStore(path: path)
            defer { store.close() }
            #expect(try store.load("default")?.core.setup?.document == "{}")
            scenario.push(to: "ab12")
            try scenario.keep(in: store)
            #expect(try store.reading { try String.fetchAll($0, sql: "SELECT document FROM file") } == ["{}"])
            #expect(try store.load("default")?.core.setup?.document == "{}")
            try store.remove("default")
            #expect(try store.reading { try Int.fetchOne($0, sql: "SELECT count(*) FROM file") } == 0)
        }
    }

    @Test func `a document of an older version is completed`() throws {
        try withStore { store in
            var scenario = try StoredScenario()
            scenario.push(to: "ab12")
            try scenario.keep(in: store)
            try store.writing { database in
                try database.execute(
                    sql: """
                        UPDATE device SET document = json_remove(document, '$.device.allowsBackgroundRefresh',
                        '$.device.appState')
                        """)
            }
            let device = try StoredScenario.restored(store).device(StoredScenario.token("ab12"), in: .sandbox)
            #expect(device?.allowsBackgroundRefresh == true)
            #expect(device?.appState == .background)
        }
    }

    /// The same file, with nothing remembered of it.
    static func reopened(_ store: GatewayStore) -> GatewayStore {
        store.worlds = [:]
        return store
    }
}
