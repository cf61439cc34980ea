import Foundation
import GRDB
import PushDispatch
import SelectiveSync

/// What can still be read of a damaged file and is nowhere else: edits that were never sent, and whose they are.
///
/// Pages that cannot be read are stepped over. What is read is checked as anything from outside is; a text that was
/// changed inside one of its values cannot be told from a right one.
struct Rescue {
    /// Edits brought over; far more than anybody makes without a connection.
    static let maximumEdits = 100_000
    /// Numbers tried one after another where nothing can be read.
    private static let maximumFailures = 2_000
    /// After so many the damage is more than one page, and is stepped over in strides.
    private static let singleSteps = 200
    private static let stride: Int64 = 50

    /// Nil where it cannot be read whose the file is. Edits are then left where they are, because they must not become
    /// another user's.
    private(set) var owner: Owner?
    private(set) var edits: [(object: String, record: LocalRecord)] = []
    /// Edits that are there and cannot be read.
    private(set) var unreadable = 0
    /// Objects of which there were records, hints or progress.
    private(set) var objects: Set<String> = []
    private(set) var mark: Int64 = 0

    struct Owner: Hashable {
        /// Nil where nobody had logged in.
        var user: String?
    }

    init(_ files: StoreFiles) {
        self.init()
        if !files.isCutOff, let read = Rescue.read(files.main) {
            self = read
            return
        }
        // The first bytes of a file are the same in all stores; with those put right the rest may be readable.
        let copy = files.main + "-repair"
        defer { StoreFiles.remove(copy) }
        if SQLiteHeader.repair(files, into: copy), let read = Rescue.read(copy) { self = read }
    }

    private init() {}

    /// Nil where not even the list of tables can be read.
    private static func read(_ file: String) -> Rescue? {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        guard let queue = try? DatabaseQueue(path: file, configuration: configuration) else { return nil }
        defer { try? queue.close() }
        // A read that met damage may fail once more in its end; what it brought is no less true.
        var rescue: Rescue?
        try? queue.read { db in
            guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0 > 0 else { return }
            rescue = Rescue()
            rescue?.read(db)
        }
        return rescue
    }

    private mutating func read(_ db: Database) {
        if let user = try? Transaction(db).text("user") { owner = Owner(user: user) }
        mark = (try? Transaction(db).number("mark")) ?? 0
        for table in ["progress", "overflow", "pending", "record"] {
            let names = try? String.fetchAll(db, sql: "SELECT DISTINCT object FROM \(table) LIMIT 1000")
            objects.formUnion(names ?? [])
        }
        for number in numbers(db).sorted() { readEdit(db, number) }
    }

    /// The rows with edits: those that the index tells, and those that the table tells.
    private func numbers(_ db: Database) -> Set<Int64> {
        var found: Set<Int64> = []
        if let cursor = try? Int64.fetchCursor(db, sql: "SELECT number FROM record INDEXED BY dirty WHERE changes <> 0")
        {
            while found.count < Rescue.maximumEdits, let number = try? cursor.next() { found.insert(number) }
        }
        var last = Int64.min
        var failures = 0
        while failures < Rescue.maximumFailures, found.count < Rescue.maximumEdits, last < .max >> 1 {
            do {
                guard let row = try nextRow(db, after: last) else { break }
                // An order that goes back is damage too.
                guard row.number > last else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
                if row.isDirty { found.insert(row.number) }
                last = row.number
                failures = 0
            } catch {
                failures += 1
                last = max(last, 0) + (failures < Rescue.singleSteps ? 1 : Rescue.stride)
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
            let object = try row.decode(String.self, atIndex: 8)
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
