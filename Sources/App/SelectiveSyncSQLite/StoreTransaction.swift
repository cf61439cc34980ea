import Foundation
import GRDB
import PushDispatch
import SelectiveSync

/// The operations inside one transaction of a store.
struct StoreTransaction {
    let db: Database
    let maximumPending: Int
    /// Nil if neither an observation nor a search can follow the changes.
    private let changed: ChangedRecords?

    init(_ db: Database, maximumPending: Int = .max, changed: ChangedRecords? = nil) {
        self.db = db
        self.maximumPending = maximumPending
        self.changed = changed
    }

    func table(_ object: String) -> RecordTable { RecordTable(db, object, changed) }
}

// Records.
extension StoreTransaction {
    func merge(_ batch: MergeBatch) throws -> MergeResult {
        if let user = batch.user, try string("user") != user { throw SyncStoreError.otherUser }
        if let generation = batch.generation { try check(generation) }
        var result = MergeResult()
        var table = try MergeTable(db, batch, changed)
        var keep = batch.keep
        for answer in batch.answers {
            let merge = try table.take(answer)
            result.count(merge, of: answer.id)
            if batch.isReadWithoutFilter, merge.leavesClean { keep.append(answer.id) }
        }
        if table.hasChanged { try db.notifyChanges(in: Table("record")) }
        try forget(batch.forget, of: batch.object)
        if !keep.isEmpty { try keepBehindMark(keep, of: batch.object) }
        if let progress = batch.progress { try set(progress, of: batch.object) }
        return result
    }

    func uploaded(_ sent: LocalRecord, _ outcome: UploadOutcome, of object: String) throws {
        let table = table(object)
        guard let current = try table.record(sent.key) else { return }
        let newKey = outcome.newKey.flatMap { $0 == current.key ? nil : $0 }
        let other = try newKey.flatMap { try table.record($0) }
        let after = outcome.applied(to: current, sent: sent, other: other)
        if let after {
            if after.key != current.key { try table.rename(current.key, after.key) }
            try table.put(after)
        } else {
            try table.remove(current.key)
        }
        if let id = after?.key.id, newKey != nil { try follow(current.key, to: id) }
        if let id = outcome.toBeFetched(after, try progress(of: object)) { try keepBehindMark([id], of: object) }
    }
}

// Edits.
extension StoreTransaction {
    func change<Value>(
        _ key: RecordKey, of object: String, _ body: (inout RecordChange) throws -> Value
    ) throws -> Value {
        let table = table(object)
        let former = try table.record(key)
        var change = RecordChange(former)
        try change.followReferences { try RecordTable.key(db, ofLocal: $0) }
        let value = try body(&change)
        try change.followReferences { try RecordTable.key(db, ofLocal: $0) }
        if let record = change.record {
            if former == nil, let key = record.localKey, try RecordTable.key(db, ofLocal: key) != nil {
                throw SyncStoreError.keyTaken
            }
            if record != former { try table.put(record) }
        } else if let former {
            try table.remove(former.key)
        }
        if change.isFetchedAgain, let id = change.record?.key.id { try keepBehindMark([id], of: object) }
        return value
    }

    /// Replaces the key of an uploaded record by its id, in the edits of all objects.
    private func follow(_ key: RecordKey, to id: RecordID) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(RecordTable.columns), object FROM record WHERE changes <> 0
                AND (instr(fields, ?1) OR instr(base, ?1) OR instr(theirs, ?1) OR instr(sent, ?1))
                """, arguments: [Data(key.description.utf8)])
        for row in rows {
            guard var record = try LocalRecord(row: row) else { continue }
            record.follow(key, to: id)
            try table(try row.decode(String.self, atIndex: 13)).put(record)
        }
    }
}

// Hints.
extension StoreTransaction {
    @discardableResult
    func keep(_ records: [RecordID], of object: String) throws -> PendingMark? {
        let mark = try keep(records, of: object, isBehind: false)
        if records.isEmpty, !object.isEmpty { try requestRegularSync(of: object, mark) }
        var canAdd = true
        while try hintCount > maximumPending,
            let largest = try String.fetchOne(
                db,
                sql: """
                    SELECT object FROM pending WHERE behind = 0 GROUP BY object ORDER BY count(*) DESC, object LIMIT 1
                    """)
        {
            canAdd = false
            try db.execute(sql: "DELETE FROM pending WHERE object = ? AND behind = 0", arguments: [largest])
            try requestRegularSync(of: largest, mark)
        }
        return canAdd ? PendingMark(number: mark) : nil
    }

    /// Keeps records that no regular sync would fetch, because its mark may be past them.
    func keepBehindMark(_ records: [RecordID], of object: String) throws {
        _ = try keep(records, of: object, isBehind: true)
    }

    private func keep(_ records: [RecordID], of object: String, isBehind: Bool) throws -> Int64 {
        let mark = try number("mark") + 1
        try set("mark", mark)
        var table = try PendingTable(db, object, isBehind: isBehind)
        for record in records { try table.keep(record, mark) }
        if table.hasChanged { try db.notifyChanges(in: Table("pending")) }
        return mark
    }

    /// The hints that a full list may drop. SQLite counts both numbers in an index.
    private var hintCount: Int {
        get throws {
            try Int.fetchOne(
                db,
                sql: "SELECT (SELECT count(*) FROM pending) - (SELECT count(*) FROM pending WHERE behind <> 0)") ?? 0
        }
    }

    private func requestRegularSync(of object: String, _ mark: Int64) throws {
        try db.execute(
            sql: "INSERT INTO overflow VALUES (?, ?) ON CONFLICT DO UPDATE SET mark = excluded.mark",
            arguments: [object, mark])
    }

    func forget(_ records: [PendingRecord], of object: String) throws {
        guard !records.isEmpty else { return }
        var table = try PendingTable(db, object)
        for record in records { try table.forget(record) }
        if table.hasChanged { try db.notifyChanges(in: Table("pending")) }
    }

    func forgetAll() throws {
        try db.execute(sql: "DELETE FROM pending WHERE behind = 0; DELETE FROM overflow;")
    }
}

// Progress and owner.
extension StoreTransaction {
    func progress(of object: String) throws -> SyncProgress {
        let stored = try Data.fetchOne(db, sql: "SELECT state FROM progress WHERE object = ?", arguments: [object])
        guard let stored else { return SyncProgress() }
        // If it cannot be read, the next pass fetches everything, which is always correct.
        return (try? JSONDecoder().decode(SyncProgress.self, from: stored)) ?? SyncProgress()
    }

    private func set(_ progress: SyncProgress, of object: String) throws {
        try db.execute(
            sql: "INSERT INTO progress VALUES (?, ?) ON CONFLICT DO UPDATE SET state = excluded.state",
            arguments: [object, try JSONEncoder().encode(progress)])
        guard progress.state == .done, let served = progress.served else { return }
        try db.execute(
            sql: "DELETE FROM overflow WHERE object = ? AND mark <= ?", arguments: [object, served.number])
    }

    var generation: StoreGeneration { get throws { StoreGeneration(number: try number("generation")) } }

    func check(_ generation: StoreGeneration) throws {
        guard try generation == self.generation else { throw SyncStoreError.otherUser }
    }

    func logIn(_ user: String, discardingEdits: Bool) throws {
        let former = try string("user")
        try db.execute(
            sql: "INSERT INTO fact VALUES ('user', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            arguments: [user])
        guard former != user else { return }
        // Observations read again, whether the former user's records are removed now or were before.
        changed?.noteEverything()
        if former != nil { try removeAll(discardingEdits: discardingEdits) }
    }

    /// Removes records, progress and hints.
    func removeAll(discardingEdits: Bool) throws {
        let unsent = try Int.fetchOne(db, sql: "SELECT count(*) FROM record WHERE changes <> 0") ?? 0
        guard unsent == 0 || discardingEdits else { throw SyncStoreError.unsentEdits(unsent) }
        changed?.noteEverything()
        try set("generation", generation.number + 1)
        try db.execute(sql: "DELETE FROM record; DELETE FROM progress; DELETE FROM pending; DELETE FROM overflow;")
        try IndexSchema.emptySearches(db)
    }

    /// Takes over the data of a damaged file into this new one.
    func restore(_ recovered: RecoveredData) throws {
        let mark = recovered.mark + 1
        try set("mark", mark)
        for object in recovered.objects {
            try db.execute(sql: "INSERT INTO overflow VALUES (?, ?)", arguments: [object, mark])
        }
        guard let owner = recovered.owner else { return }
        if let user = owner.user {
            try db.execute(sql: "INSERT INTO fact VALUES ('user', ?)", arguments: [user])
        }
        for (object, record) in recovered.edits { try RecordTable(db, object).put(record) }
    }

    func string(_ name: String) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM fact WHERE name = ?", arguments: [name])
    }

    func number(_ name: String) throws -> Int64 {
        let number = try Int64.fetchOne(db, sql: "SELECT value FROM fact WHERE name = ?", arguments: [name]) ?? 0
        // A number this large is damage.
        guard (0..<1 << 60).contains(number) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return number
    }

    private func set(_ name: String, _ number: Int64) throws {
        try db.execute(
            sql: "INSERT INTO fact VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            arguments: [name, number])
    }
}
