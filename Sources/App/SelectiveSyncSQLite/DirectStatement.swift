import GRDB
import GRDBSQLite

/// A statement that a batch runs once for each record: what it takes and gives is neither copied nor boxed.
///
/// GRDB compiles and keeps it, but does not see what it changes. Whoever changes a table with it calls
/// `Database.notifyChanges(in:)` in the same transaction, or no screen learns of it.
struct DirectStatement {
    /// Keeps `raw` alive.
    private let statement: Statement
    private let raw: OpaquePointer

    init(_ db: Database, _ sql: String) throws {
        statement = try db.cachedStatement(sql: sql)
        raw = statement.sqliteStatement
    }

    // MARK: - What it takes, the first under 1

    func bind(_ value: Int64?, at index: Int32) {
        if let value { sqlite3_bind_int64(raw, index, value) } else { sqlite3_bind_null(raw, index) }
    }

    /// - Parameter text: UTF-8 that stays where it is until the statement has run; nil for NULL.
    func bind(text: UnsafeBufferPointer<UInt8>?, at index: Int32) {
        guard let text else {
            sqlite3_bind_null(raw, index)
            return
        }
        text.withMemoryRebound(to: CChar.self) { text in
            if let start = text.baseAddress {
                // Without a destructor the library neither copies nor frees.
                _ = sqlite3_bind_text(raw, index, start, Int32(text.count), nil)
            } else {
                _ = sqlite3_bind_text(raw, index, "", 0, DirectStatement.copies)
            }
        }
    }

    private static var copies: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// - Parameter bytes: They stay where they are until the statement has run.
    func bind(bytes: UnsafeBufferPointer<UInt8>, at index: Int32) {
        sqlite3_bind_blob64(raw, index, bytes.baseAddress, UInt64(bytes.count), nil)
    }

    // MARK: - Running it

    /// - Returns: How many rows it changed.
    @discardableResult
    func run() throws -> Int {
        defer { reset() }
        try check(sqlite3_step(raw), is: SQLITE_DONE)
        return Int(sqlite3_changes(sqlite3_db_handle(raw)))
    }

    /// - Returns: What `read` makes of the first row; nil where there is none.
    func first<Value>(_ read: (DirectRow) throws -> Value) throws -> Value? {
        defer { reset() }
        let code = sqlite3_step(raw)
        guard code != SQLITE_DONE else { return nil }
        try check(code, is: SQLITE_ROW)
        return try read(DirectRow(raw: raw))
    }

    private func reset() {
        // It repeats the error of the run, which was told.
        sqlite3_reset(raw)
        sqlite3_clear_bindings(raw)
    }

    private func check(_ code: Int32, is wanted: Int32) throws {
        guard code != wanted else { return }
        // Whoever waited for the transaction was cancelled.
        if code & 0xff == SQLITE_INTERRUPT { throw CancellationError() }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqlite3_db_handle(raw))))
    }
}

/// The row that a statement stands on.
struct DirectRow {
    fileprivate let raw: OpaquePointer

    /// Nil for NULL.
    ///
    /// - Throws: A corruption error for anything else than a whole number.
    func integer(_ column: Int32) throws -> Int64? {
        switch sqlite3_column_type(raw, column) {
        case SQLITE_INTEGER: return sqlite3_column_int64(raw, column)
        case SQLITE_NULL: return nil
        default: throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
    }

    func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ column: Int32) -> Bool {
        let count = Int(sqlite3_column_bytes(raw, column))
        guard count == bytes.count else { return false }
        return UnsafeRawBufferPointer(start: sqlite3_column_blob(raw, column), count: count).elementsEqual(bytes)
    }
}
