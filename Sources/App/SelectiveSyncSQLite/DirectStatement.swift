import GRDB
import GRDBSQLite

/// A statement that a batch runs once for each record. Its arguments and results are neither copied nor boxed.
///
/// GRDB compiles and caches it, but does not see its changes. Call `Database.notifyChanges(in:)` in the same transaction,
/// otherwise `observe` misses them.
struct DirectStatement {
    /// Keeps `raw` alive.
    private let statement: Statement
    private let raw: OpaquePointer

    init(_ db: Database, _ sql: String) throws {
        statement = try db.cachedStatement(sql: sql)
        raw = statement.sqliteStatement
    }

    // Arguments; the first has the index 1.

    func bind(_ value: Int64?, at index: Int32) {
        if let value { sqlite3_bind_int64(raw, index, value) } else { sqlite3_bind_null(raw, index) }
    }

    /// - Parameter text: UTF-8 that must stay valid until the statement has run; nil for NULL.
    func bind(text: UnsafeBufferPointer<UInt8>?, at index: Int32) {
        guard let text else {
            sqlite3_bind_null(raw, index)
            return
        }
        text.withMemoryRebound(to: CChar.self) { text in
            if let start = text.baseAddress {
                // Without a destructor SQLite neither copies nor frees the bytes.
                _ = sqlite3_bind_text(raw, index, start, Int32(text.count), nil)
            } else {
                _ = sqlite3_bind_text(raw, index, "", 0, DirectStatement.copies)
            }
        }
    }

    private static var copies: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// - Parameter bytes: Must stay valid until the statement has run.
    func bind(bytes: UnsafeBufferPointer<UInt8>, at index: Int32) {
        sqlite3_bind_blob64(raw, index, bytes.baseAddress, UInt64(bytes.count), nil)
    }

    // Running.

    /// - Returns: How many rows it changed.
    @discardableResult
    func run() throws -> Int {
        defer { reset() }
        try check(sqlite3_step(raw), is: SQLITE_DONE)
        return Int(sqlite3_changes(sqlite3_db_handle(raw)))
    }

    /// The row that the last insertion of the connection has added.
    var insertedRow: Int64 { sqlite3_last_insert_rowid(sqlite3_db_handle(raw)) }

    /// - Returns: The result of `read` for the first row; nil if there is no row.
    func first<Value>(_ read: (DirectRow) throws -> Value) throws -> Value? {
        defer { reset() }
        let code = sqlite3_step(raw)
        guard code != SQLITE_DONE else { return nil }
        try check(code, is: SQLITE_ROW)
        return try read(DirectRow(raw: raw))
    }

    private func reset() {
        // Its result repeats the error of the run, which is already handled.
        sqlite3_reset(raw)
        sqlite3_clear_bindings(raw)
    }

    private func check(_ code: Int32, is wanted: Int32) throws {
        guard code != wanted else { return }
        // The task that waits for the transaction was cancelled.
        if code & 0xff == SQLITE_INTERRUPT { throw CancellationError() }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqlite3_db_handle(raw))))
    }
}

/// The current row of a statement.
struct DirectRow {
    fileprivate let raw: OpaquePointer

    /// Nil for NULL.
    ///
    /// - Throws: A corruption error for a value of another type.
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
