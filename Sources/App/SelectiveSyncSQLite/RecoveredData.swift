import DatabaseFiles
import Foundation
import GRDB
import PushDispatch
import SelectiveSync

/// What a damaged file still contains and the server does not have: edits that were never sent, and their owner.
///
/// Pages that cannot be read are skipped. What is read is checked like any input. A wrong byte inside a string cannot be
/// detected.
struct RecoveredData {
    /// The maximum number of recovered edits, far more than a user makes without a connection.
    static let maximumEdits = 100_000
    /// How many row numbers in succession are tried where nothing can be read.
    private static let maximumFailures = 2_000
    /// After this many failures the damage is larger than one page, and several rows are skipped at a time.
    private static let singleSteps = 200
    private static let stride: Int64 = 50

    /// Nil if the owner of the file cannot be read. The edits are then not taken over, because they must not become another
    /// user's.
    private(set) var owner: Owner?
    private(set) var edits: [(object: String, record: LocalRecord)] = []
    /// The number of edits that cannot be read.
    private(set) var unreadable = 0
    /// Objects with records, hints or progress.
    private(set) var objects: Set<String> = []
    private(set) var mark: Int64 = 0

    struct Owner: Hashable {
        /// Nil if nobody had logged in.
        var user: String?
    }

    init(_ files: DatabaseFiles) {
        self.init()
        if !files.isCutOff, let read = RecoveredData.read(files.main) {
            self = read
            return
        }
        // The first bytes are the same in all stores. With a correct header the rest may be readable.
        let copy = files.repaired
        defer { DatabaseFiles.remove(copy) }
        if SQLiteHeader.repair(files, into: copy), let read = RecoveredData.read(copy) { self = read }
    }

    private init() {}

    /// Nil if not even the list of tables can be read.
    private static func read(_ file: String) -> RecoveredData? {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        guard let queue = try? DatabaseQueue(path: file, configuration: configuration) else { return nil }
        defer { try? queue.close() }
        // After damage the end of the transaction may fail as well. What was read before is valid.
        var recovered: RecoveredData?
        try? queue.read { db in
            guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0 > 0 else { return }
            recovered = RecoveredData()
            recovered?.read(db)
        }
        return recovered
    }

    private mutating func read(_ db: Database) {
        if let user = try? StoreTransaction(db).string("user") { owner = Owner(user: user) }
        mark = (try? StoreTransaction(db).number("mark")) ?? 0
        for table in ["progress", "overflow", "pending", "record"] {
            let names = try? String.fetchAll(db, sql: "SELECT DISTINCT object FROM \(table) LIMIT 1000")
            objects.formUnion(names ?? [])
        }
        for number in numbers(db).sorted() { readEdit(db, number) }
    }

    /// The numbers of rows with edits, from the index and from the table.
    private func numbers(_ db: Database) -> Set<Int64> {
        var found: Set<Int64> = []
        if let cursor = try? Int64.fetchCursor(db, sql: "SELECT number FROM record INDEXED BY dirty WHERE changes <> 0")
        {
            while found.count < RecoveredData.maximumEdits, let number = try? cursor.next() { found.insert(number) }
        }
        var last = Int64.min
        var failures = 0
        while failures < RecoveredData.maximumFailures, found.count < RecoveredData.maximumEdits, last < .max >> 1 {
            do {
                guard let row = try nextRow(db, after: last) else { break }
                // A number out of order is damage too.
                guard row.number > last else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
                if row.isDirty { found.insert(row.number) }
                last = row.number
                failures = 0
            } catch {
                failures += 1
                last = max(last, 0) + (failures < RecoveredData.singleSteps ? 1 : RecoveredData.stride)
            }
        }
        return found
    }

    private func nextRow(_ db: Database, after number: Int64) throws -> (number: Int64, isDirty: Bool)? {
        let next = try db.cachedStatement(
            sql: "SELECT number, changes <> 0 FROM record NOT INDEXED WHERE number > ? ORDER BY number LIMIT 1")
        return try Row.fetchOne(next, arguments: [number]).map {
            (try $0.decode(Int64.self, atIndex: 0), try $0.decode(Bool.self, atIndex: 1))
        }
    }

    private mutating func readEdit(_ db: Database, _ number: Int64) {
        let sql = "SELECT \(RecordTable.columns), object FROM record NOT INDEXED WHERE number = ? AND changes <> 0"
        do {
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [number]) else { return }
            let object = try row.decode(String.self, atIndex: 13)
            guard let record = try LocalRecord(row: row), !object.isEmpty,
                (1...7).contains(record.changes.rawValue)
            else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            objects.insert(object)
            edits.append((object, record))
        } catch {
            unreadable += 1
        }
    }
}
