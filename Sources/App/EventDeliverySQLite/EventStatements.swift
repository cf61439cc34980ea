import EventDelivery
import Foundation
import GRDB
import GRDBSQLite

/// The statements of the store, compiled once. Their arguments and results are neither copied nor boxed by GRDB.
struct EventStatements {
    private static let columns = "sequence, id, time, priority, flags, kind, destination, purpose, \"group\", body"

    // Keep the pointers alive.
    private let kept: [Statement]
    private let insertion, selection, listing, removal, setting: OpaquePointer

    init(_ db: Database) throws {
        let texts = [
            "INSERT OR REPLACE INTO event (\(EventStatements.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            "SELECT \(EventStatements.columns) FROM event WHERE sequence = ?1",
            "SELECT \(EventStatements.columns) FROM event WHERE sequence > ?1 ORDER BY sequence",
            "DELETE FROM event WHERE sequence BETWEEN ?1 AND ?2",
            "INSERT OR REPLACE INTO state (number, value) VALUES (1, ?1)",
        ]
        kept = try texts.map { try db.makeStatement(sql: $0) }
        let raw = kept.map(\.sqliteStatement)
        (insertion, selection, listing, removal, setting) = (raw[0], raw[1], raw[2], raw[3], raw[4])
    }

    // Writing.

    func insert(_ stored: StoredEvent) throws {
        let event = stored.event
        sqlite3_bind_int64(insertion, 1, stored.sequence)
        bind(withUnsafeBytes(of: event.id.uuid.uuid) { Array($0) }, insertion, 2)
        sqlite3_bind_int64(insertion, 3, event.stamp.time.milliseconds)
        sqlite3_bind_int64(insertion, 4, Int64(event.priority.rawValue))
        sqlite3_bind_int64(insertion, 5, (event.holdsOrder ? 1 : 0) | (stored.isRecord ? 2 : 0))
        bind(event.kind, insertion, 6)
        bind(event.destination.rawValue, insertion, 7)
        bind(event.purpose?.rawValue, insertion, 8)
        bind(event.group, insertion, 9)
        bind(event.body, insertion, 10)
        try run(insertion)
    }

    func remove(_ range: ClosedRange<Int64>) throws {
        sqlite3_bind_int64(removal, 1, range.lowerBound)
        sqlite3_bind_int64(removal, 2, range.upperBound)
        try run(removal)
    }

    func set(_ state: [UInt8]) throws {
        bind(state, setting, 1)
        try run(setting)
    }

    private static var copies: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private func bind(_ text: String?, _ statement: OpaquePointer, _ index: Int32) {
        guard let text else {
            sqlite3_bind_null(statement, index)
            return
        }
        _ = text.withCString { start in
            sqlite3_bind_text64(
                statement, index, start, UInt64(text.utf8.count), EventStatements.copies, UInt8(SQLITE_UTF8))
        }
    }

    private func bind(_ bytes: [UInt8], _ statement: OpaquePointer, _ index: Int32) {
        bytes.withUnsafeBytes { buffer in
            // A nil pointer would be NULL.
            guard let start = buffer.baseAddress, !buffer.isEmpty else {
                sqlite3_bind_zeroblob(statement, index, 0)
                return
            }
            sqlite3_bind_blob64(statement, index, start, UInt64(buffer.count), EventStatements.copies)
        }
    }

    private func run(_ statement: OpaquePointer) throws {
        defer { end(statement) }
        try check(sqlite3_step(statement), is: SQLITE_DONE, statement)
    }

    private func end(_ statement: OpaquePointer) {
        // Its result repeats the error of the run, which is already handled.
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    private func check(_ code: Int32, is wanted: Int32, _ statement: OpaquePointer) throws {
        guard code != wanted else { return }
        let connection = sqlite3_db_handle(statement)
        throw DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)))
    }

    // Reading.

    /// Nil if there is none, or if its values are of other types than this library writes.
    func event(_ sequence: Int64) throws -> StoredEvent? {
        defer { end(selection) }
        sqlite3_bind_int64(selection, 1, sequence)
        let code = sqlite3_step(selection)
        guard code != SQLITE_DONE else { return nil }
        try check(code, is: SQLITE_ROW, selection)
        return read(selection)
    }

    /// - Parameter last: The sequence after which to start, then the last one that was passed.
    func events(after last: inout Int64, _ take: (StoredEvent) -> Void) throws {
        defer { end(listing) }
        sqlite3_bind_int64(listing, 1, last)
        while true {
            let code = sqlite3_step(listing)
            guard code != SQLITE_DONE else { return }
            try check(code, is: SQLITE_ROW, listing)
            guard let event = read(listing), event.sequence > last else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            last = event.sequence
            take(event)
        }
    }

    private func read(_ row: OpaquePointer) -> StoredEvent? {
        let sequence = sqlite3_column_int64(row, 0)
        let id = bytes(row, 1)
        guard sequence > 0, sequence < .max >> 1, id.count == 16, sqlite3_column_type(row, 2) == SQLITE_INTEGER,
            let priority = EventPriority(rawValue: UInt8(clamping: sqlite3_column_int64(row, 3))),
            let kind = text(row, 5), let destination = text(row, 6)
        else { return nil }
        var uuid = UUID().uuid
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: id) }
        let flags = sqlite3_column_int64(row, 4)
        let event = CapturedEvent(
            EventStamp(
                id: EventID(UUID(uuid: uuid)), time: EventTime(milliseconds: sqlite3_column_int64(row, 2))),
            kind: kind, to: DestinationName(destination), purpose: text(row, 7).map { ConsentPurpose($0) },
            group: text(row, 8), priority: priority, holdsOrder: flags & 1 != 0, body: bytes(row, 9))
        return StoredEvent(sequence: sequence, event: event, isRecord: flags & 2 != 0)
    }

    private func text(_ row: OpaquePointer, _ column: Int32) -> String? {
        guard sqlite3_column_type(row, column) == SQLITE_TEXT else { return nil }
        return String(decoding: bytes(row, column), as: UTF8.self)
    }

    private func bytes(_ row: OpaquePointer, _ column: Int32) -> [UInt8] {
        let start = sqlite3_column_blob(row, column)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column))))
    }
}
