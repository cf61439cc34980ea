import APNSModel
import Foundation
import GRDB
package import GatewayCore
import ProviderToken

extension GatewayStore {
    /// A stored world; nil for one that was never stored.
    package func load(_ name: String) throws(StoreError) -> WorldSnapshot? {
        try reading { database in
            guard
                let row = try Row.fetchOne(
                    database, sql: "SELECT id, document FROM world WHERE name = ?", arguments: [name])
            else { return nil }
            var world = StoredWorld(id: row["id"])
            world.document = row["document"]
            var core = try documents.value(WorldCore.self, world.document, in: "the world \(name)", path)
            world.file = try String.fetchOne(
                database, sql: "SELECT document FROM file WHERE world = ?", arguments: [world.id])
            if let file = world.file {
                var setup = core.setup ?? WorldSetup()
                setup.document = file
                core.setup = setup
            }
            var snapshot = WorldSnapshot(core: core)
            snapshot.keys = try keys(&world, database)
            snapshot.apps = try apps(&world, database)
            snapshot.devices = try devices(&world, database)
            snapshot.channels = try channels(world, database)
            snapshot.entries = try entries(world, core.journal, database)
            world.firstEntry = core.journal.lowerBound
            worlds[name] = world
            return snapshot
        }
    }

    /// The settings for a loaded world: the given ones, with the changes that were made while it ran.
    package func settings(_ given: WorldSettings, of snapshot: WorldSnapshot) throws(StoreError) -> WorldSettings {
        do {
            return try documents.settings(given, changed: snapshot.core.storedSettings)
        } catch {
            throw StoreError(damaged: path, "the settings cannot be read")
        }
    }

    private func keys(_ world: inout StoredWorld, _ database: Database) throws -> [ProviderKey] {
        let texts = try String.fetchAll(
            database, sql: "SELECT document FROM key WHERE world = ? ORDER BY number", arguments: [world.id])
        world.keys = try texts.map { try documents.value(ProviderKey.Document.self, $0, in: "a key", path) }
        do {
            return try world.keys.map { try ProviderKey($0) }
        } catch {
            throw StoreError(damaged: path, "a key cannot be read: \(error)")
        }
    }

    private func apps(_ world: inout StoredWorld, _ database: Database) throws -> [RegisteredApp] {
        let texts = try String.fetchAll(
            database, sql: "SELECT document FROM app WHERE world = ?", arguments: [world.id])
        let apps = try texts.map { try documents.value(RegisteredApp.self, $0, in: "an app", path) }
        world.apps = Dictionary(apps.map { ($0.topic, $0) }) { $1 }
        return apps
    }

    private func devices(
        _ world: inout StoredWorld, _ database: Database
    ) throws -> [APNSEnvironment: [Int: Device]] {
        try readDeliveries(&world, database)
        var devices: [APNSEnvironment: [Int: Device]] = [:]
        let rows = try Row.fetchCursor(
            database, sql: "SELECT environment, slot, document FROM device WHERE world = ?", arguments: [world.id])
        while let row = try rows.next() {
            guard let environment = APNSEnvironment(rawValue: row["environment"]) else {
                throw StoreError(damaged: path, "a device has an unknown environment")
            }
            let address = StoredWorld.Address(environment: environment, slot: row["slot"])
            let text: String = row["document"]
            let document = try documents.value(
                Device.Document.self, text, completedBy: Device.documentDefaults, in: "a device", path)
            devices[environment, default: [:]][address.slot] = Device(
                document, waiting: world.waiting[address]?.items ?? [], history: world.history[address]?.items ?? [])
        }
        return devices
    }

    private func readDeliveries(_ world: inout StoredWorld, _ database: Database) throws {
        var waiting: [StoredWorld.Address: (items: [StoredDelivery], numbers: [Int])] = [:]
        var history: [StoredWorld.Address: (items: [Delivery], numbers: [Int])] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT environment, slot, list, number, document FROM delivery WHERE world = ?
                ORDER BY environment, slot, list, number
                """, arguments: [world.id])
        while let row = try rows.next() {
            guard let environment = APNSEnvironment(rawValue: row["environment"]),
                let list = StoredWorld.List(rawValue: row["list"])
            else { throw StoreError(damaged: path, "a delivery is in an unknown list") }
            let address = StoredWorld.Address(environment: environment, slot: row["slot"])
            let text: String = row["document"]
            switch list {
            case .waiting:
                let delivery = try documents.value(StoredDelivery.self, text, in: "a delivery", path)
                waiting[address, default: ([], [])].items.append(delivery)
                waiting[address]?.numbers.append(row["number"])
            case .history:
                let delivery = try documents.value(Delivery.self, text, in: "a delivery", path)
                history[address, default: ([], [])].items.append(delivery)
                history[address]?.numbers.append(row["number"])
            }
        }
        world.waiting = waiting.mapValues { StoredList(items: $0.items, numbers: $0.numbers) }
        world.history = history.mapValues { StoredList(items: $0.items, numbers: $0.numbers) }
    }

    private func channels(_ world: StoredWorld, _ database: Database) throws -> [BroadcastChannel] {
        try Row.fetchAll(database, sql: "SELECT document, payload FROM channel WHERE world = ?", arguments: [world.id])
            .map { row in
                let (text, payload): (String, Data) = (row["document"], row["payload"])
                let document = try documents.value(BroadcastChannel.Document.self, text, in: "a channel", path)
                return BroadcastChannel(document, payload: Array(payload))
            }
    }

    private func entries(
        _ world: StoredWorld, _ range: Range<UInt64>, _ database: Database
    ) throws -> [WorldSnapshot.Entry] {
        let bounds: StatementArguments = [world.id, Int64(range.lowerBound), Int64(range.upperBound)]
        var lives: [UInt64: [LifeEntry]] = [:]
        let lines = try Row.fetchCursor(
            database,
            sql: """
                SELECT sequence, stage, at, why FROM life WHERE world = ? AND sequence >= ? AND sequence < ?
                ORDER BY sequence, number
                """, arguments: bounds)
        while let row = try lines.next() {
            let sequence: Int64 = row["sequence"]
            guard let stage = LifeEntry.Stage(rawValue: row["stage"]) else {
                throw StoreError(damaged: path, "the life of a notification has an unknown stage")
            }
            lives[UInt64(bitPattern: sequence), default: []].append(
                LifeEntry(stage: stage, at: row["at"], why: row["why"]))
        }
        var entries: [WorldSnapshot.Entry] = []
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT sequence, document, payload FROM entry WHERE world = ? AND sequence >= ? AND sequence < ?
                ORDER BY sequence
                """, arguments: bounds)
        while let row = try rows.next() {
            let sequence: Int64 = row["sequence"]
            let (text, payload): (String, Data) = (row["document"], row["payload"])
            let document = try documents.value(JournalRecord.Document.self, text, in: "a notification", path)
            let number = UInt64(bitPattern: sequence)
            entries.append(
                WorldSnapshot.Entry(
                    sequence: number,
                    record: JournalRecord(document, payload: Array(payload), life: lives[number] ?? [])))
        }
        return entries
    }
}
