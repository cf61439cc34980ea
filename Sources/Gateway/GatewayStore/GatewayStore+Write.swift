import APNSModel
import Foundation
import GRDB
package import GatewayCore

extension GatewayStore {
    /// Writes the changes of worlds in one transaction.
    ///
    /// If it throws, these worlds in memory differ from the file, so each has to be loaded again.
    package func write(_ changes: [String: WorldChanges]) throws(StoreError) {
        do throws(StoreError) {
            try writing { database in
                for (name, changes) in changes.sorted(by: { $0.key < $1.key }) {
                    try write(changes, name, database)
                }
            }
        } catch {
            for name in changes.keys { worlds[name] = nil }
            throw error
        }
    }

    private func write(_ changes: WorldChanges, _ name: String, _ database: Database) throws {
        var world = try worlds.removeValue(forKey: name) ?? StoredWorld(id: id(of: name, database))
        if changes.isWhole {
            for table in StoreSchema.tables {
                try database.execute(sql: "DELETE FROM \(table) WHERE world = ?", arguments: [world.id])
            }
            world = StoredWorld(id: world.id)
        }
        if let keys = changes.keys { try write(keys, &world, database) }
        if let apps = changes.apps { try write(apps, &world, database) }
        for device in changes.devices { try write(device, &world, database) }
        for channel in changes.channels { try write(channel, world, database) }
        try writeJournal(changes, &world, database)
        var core = changes.core
        if core.setup?.document != world.file { try write(file: core.setup?.document, &world, database) }
        core.setup?.document = nil
        let document = try documents.text(core)
        if document != world.document {
            world.document = document
            try run("UPDATE world SET document = ? WHERE id = ?", [document, world.id], database)
        }
        worlds[name] = world
    }

    /// The file may be large, so it is not in the document of the world, which changes with every request.
    private func write(file: String?, _ world: inout StoredWorld, _ database: Database) throws {
        if let file {
            try run("REPLACE INTO file VALUES (?, ?)", [world.id, file], database)
        } else {
            try run("DELETE FROM file WHERE world = ?", [world.id], database)
        }
        world.file = file
    }

    private func id(of name: String, _ database: Database) throws -> Int64 {
        if let id = try Int64.fetchOne(database, sql: "SELECT id FROM world WHERE name = ?", arguments: [name]) {
            return id
        }
        try database.execute(sql: "INSERT INTO world (name, document) VALUES (?, '{}')", arguments: [name])
        return database.lastInsertedRowID
    }

    private func write(_ keys: [ProviderKey], _ world: inout StoredWorld, _ database: Database) throws {
        let new = keys.map(\.document)
        for (number, key) in new.enumerated() where number >= world.keys.count || world.keys[number] != key {
            try run("REPLACE INTO key VALUES (?, ?, ?)", [world.id, number, try documents.text(key)], database)
        }
        if new.count < world.keys.count {
            try run("DELETE FROM key WHERE world = ? AND number >= ?", [world.id, new.count], database)
        }
        world.keys = new
    }

    private func write(_ apps: [RegisteredApp], _ world: inout StoredWorld, _ database: Database) throws {
        var gone = world.apps
        for app in apps {
            guard gone.removeValue(forKey: app.topic) != app else { continue }
            try run("REPLACE INTO app VALUES (?, ?, ?)", [world.id, app.topic, try documents.text(app)], database)
        }
        for topic in gone.keys {
            try run("DELETE FROM app WHERE world = ? AND topic = ?", [world.id, topic], database)
        }
        world.apps = Dictionary(uniqueKeysWithValues: apps.map { ($0.topic, $0) })
    }

    private func write(
        _ changed: WorldChanges.ChangedDevice, _ world: inout StoredWorld, _ database: Database
    ) throws {
        let address = StoredWorld.Address(environment: changed.environment, slot: changed.slot)
        let place: [(any DatabaseValueConvertible)?] = [world.id, changed.environment.rawValue, changed.slot]
        try run(
            "REPLACE INTO device VALUES (?, ?, ?, ?)", place + [try documents.text(changed.device.document)], database)
        let waiting = world.waiting[address, default: StoredList()].become(changed.device.waitingDeliveries)
        try remove(waiting.removed, place, .waiting, database)
        for (number, item) in waiting.added { try add(item, number, place, .waiting, database) }
        let history = world.history[address, default: StoredList()].become(changed.device.deliveredHistory)
        try remove(history.removed, place, .history, database)
        for (number, item) in history.added { try add(item, number, place, .history, database) }
    }

    private func remove(
        _ numbers: [Int], _ place: [(any DatabaseValueConvertible)?], _ list: StoredWorld.List, _ database: Database
    ) throws {
        for number in numbers {
            try run(
                "DELETE FROM delivery WHERE world = ? AND environment = ? AND slot = ? AND list = ? AND number = ?",
                place + [list.rawValue, number], database)
        }
    }

    private func add(
        _ item: some Encodable, _ number: Int, _ place: [(any DatabaseValueConvertible)?], _ list: StoredWorld.List,
        _ database: Database
    ) throws {
        try run(
            "REPLACE INTO delivery VALUES (?, ?, ?, ?, ?, ?)",
            place + [list.rawValue, number, try documents.text(item)], database)
    }

    private func write(_ changed: WorldChanges.ChangedChannel, _ world: StoredWorld, _ database: Database) throws {
        guard let channel = changed.channel else {
            return try run("DELETE FROM channel WHERE world = ? AND id = ?", [world.id, changed.id.base64], database)
        }
        try run(
            "REPLACE INTO channel VALUES (?, ?, ?, ?)",
            [
                world.id, changed.id.base64, try documents.text(channel.document),
                Data(channel.stored?.broadcast.payload ?? []),
            ], database)
    }

    private func writeJournal(_ changes: WorldChanges, _ world: inout StoredWorld, _ database: Database) throws {
        for entry in changes.entries {
            try run(
                "REPLACE INTO entry VALUES (?, ?, ?, ?)",
                [
                    world.id, Int64(entry.sequence), try documents.text(entry.record.document),
                    Data(entry.record.payload),
                ], database)
        }
        let first = changes.core.journal.lowerBound
        for line in changes.lives where line.sequence >= first {
            try run(
                "REPLACE INTO life VALUES (?, ?, ?, ?, ?, ?)",
                [
                    world.id, Int64(line.sequence), line.number, line.life.stage.rawValue, line.life.at, line.life.why,
                ], database)
        }
        guard first > world.firstEntry else { return }
        for table in ["entry", "life"] {
            try run("DELETE FROM \(table) WHERE world = ? AND sequence < ?", [world.id, Int64(first)], database)
        }
        world.firstEntry = first
    }

    /// Statements are prepared once and cached.
    private func run(
        _ sql: String, _ arguments: [(any DatabaseValueConvertible)?], _ database: Database
    ) throws {
        try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
    }
}
