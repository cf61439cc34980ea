import EventDelivery
import Foundation
import GRDB
import GRDBSQLite

/// The statements of the store, compiled once. Their arguments and results are neither copied nor boxed by GRDB.
struct EventStatements {
    /// What a row of the table `state` contains.
    enum StateRow: Int64 {
        /// The state of the queue.
        case state = 1
        /// Damage was repaired, and the queue has not stored a state since then: a `RecoveryMark`.
        case recovery
        /// The log still has what a person's answer has removed.
        case erasure
    }

    /// Every sequence is smaller.
    static let endOfSequences: Int64 = .max >> 1

    private static let columns =
        "sequence, id, time, priority, flags, kind, destination, purpose, \"group\", body, checksum"

    // Keep the pointers alive.
    private let kept: [Statement]
    private let insertion, selection, ascending, descending, removal, setting, reading, clearing: OpaquePointer

    init(_ db: Database) throws {
        let columns = EventStatements.columns
        let range = "SELECT \(columns) FROM event WHERE sequence >= ?1 AND sequence < ?2 ORDER BY sequence"
        let texts = [
            "INSERT OR REPLACE INTO event (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            "SELECT \(columns) FROM event WHERE sequence = ?1", range, range + " DESC",
            "DELETE FROM event WHERE sequence BETWEEN ?1 AND ?2",
            "INSERT OR REPLACE INTO state (number, value, checksum) VALUES (?1, ?2, ?3)",
            "SELECT value, checksum FROM state WHERE number = ?1", "DELETE FROM state WHERE number = ?1",
        ]
        kept = try texts.map { try db.makeStatement(sql: $0) }
        let raw = kept.map(\.sqliteStatement)
        (insertion, selection, ascending, descending) = (raw[0], raw[1], raw[2], raw[3])
        (removal, setting, reading, clearing) = (raw[4], raw[5], raw[6], raw[7])
    }

    // Writing.

    func insert(_ stored: StoredEvent) throws {
        let event = stored.event
        let flags = RowFlags(stored)
        try run(insertion) {
            try bind(stored.sequence, insertion, 1)
            try withUnsafeBytes(of: event.id.uuid.uuid) { try bind($0, insertion, 2) }
            try bind(event.stamp.time.milliseconds, insertion, 3)
            try bind(Int64(event.priority.rawValue), insertion, 4)
            try bind(flags.rawValue, insertion, 5)
            try bind(event.kind, insertion, 6)
            try bind(event.destination.rawValue, insertion, 7)
            try bind(event.purpose?.rawValue, insertion, 8)
            try bind(event.group, insertion, 9)
            try event.body.withUnsafeBytes { try bind($0, insertion, 10) }
            try bind(stored.checksum, insertion, 11)
        }
    }

    func remove(_ range: ClosedRange<Int64>) throws {
        try run(removal) {
            try bind(range.lowerBound, removal, 1)
            try bind(range.upperBound, removal, 2)
        }
    }

    func set(_ value: [UInt8], in row: StateRow) throws {
        try run(setting) {
            try bind(row.rawValue, setting, 1)
            try value.withUnsafeBytes { try bind($0, setting, 2) }
            try bind(Int64(Checksum.crc32(value)), setting, 3)
        }
    }

    func clear(_ row: StateRow) throws { try run(clearing) { try bind(row.rawValue, clearing, 1) } }

    // A value that could not be bound would be stored as NULL.

    private func bind(_ number: Int64, _ statement: OpaquePointer, _ index: Int32) throws {
        try check(sqlite3_bind_int64(statement, index, number), is: SQLITE_OK, statement)
    }

    private static var copies: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private func bind(_ text: String?, _ statement: OpaquePointer, _ index: Int32) throws {
        guard let text else { return try check(sqlite3_bind_null(statement, index), is: SQLITE_OK, statement) }
        let code = text.withCString { start in
            sqlite3_bind_text64(
                statement, index, start, UInt64(text.utf8.count), EventStatements.copies, UInt8(SQLITE_UTF8))
        }
        try check(code, is: SQLITE_OK, statement)
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, _ statement: OpaquePointer, _ index: Int32) throws {
        // A nil pointer would be NULL.
        let code =
            if let start = bytes.baseAddress, !bytes.isEmpty {
                sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), EventStatements.copies)
            } else {
                sqlite3_bind_zeroblob(statement, index, 0)
            }
        try check(code, is: SQLITE_OK, statement)
    }

    private func run(_ statement: OpaquePointer, _ bindAll: () throws -> Void) throws {
        defer { end(statement) }
        try bindAll()
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

    /// Nil if there is none, or if it is damaged.
    func event(_ sequence: Int64) throws -> StoredEvent? {
        defer { end(selection) }
        try bind(sequence, selection, 1)
        let code = sqlite3_step(selection)
        guard code != SQLITE_DONE else { return nil }
        try check(code, is: SQLITE_ROW, selection)
        return read(selection)
    }

    /// Passes all events in the order of their sequences. A damaged one is an error.
    func events(_ take: (StoredEvent) -> Void) throws {
        defer { end(ascending) }
        // All rows, also those with a sequence that no event can have.
        try bind(.min, ascending, 1)
        try bind(.max, ascending, 2)
        while true {
            let code = sqlite3_step(ascending)
            guard code != SQLITE_DONE else { return }
            try check(code, is: SQLITE_ROW, ascending)
            guard let event = read(ascending) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            take(event)
        }
    }

    /// Passes the events of a range up to the first page that cannot be read, without damaged rows.
    ///
    /// - Returns: As `GapReader` needs it.
    func scan(_ range: Range<Int64>, isForward: Bool, _ take: (StoredEvent) -> Void) -> Int64 {
        let statement = isForward ? ascending : descending
        defer { end(statement) }
        var reached = isForward ? range.lowerBound : range.upperBound
        do {
            try bind(range.lowerBound, statement, 1)
            try bind(range.upperBound, statement, 2)
            while true {
                let code = sqlite3_step(statement)
                guard code != SQLITE_DONE else { return isForward ? range.upperBound : range.lowerBound }
                try check(code, is: SQLITE_ROW, statement)
                let sequence = sqlite3_column_int64(statement, 0)
                // A damaged page can have a number of another page.
                guard isForward ? sequence >= reached : sequence < reached, range.contains(sequence) else {
                    return reached
                }
                reached = isForward ? sequence + 1 : sequence
                if let event = read(statement) { take(event) }
            }
        } catch {
            return reached
        }
    }

    /// Nil if there is none. A damaged one is an error.
    func value(_ row: StateRow) throws -> [UInt8]? {
        defer { end(reading) }
        try bind(row.rawValue, reading, 1)
        let code = sqlite3_step(reading)
        guard code != SQLITE_DONE else { return nil }
        try check(code, is: SQLITE_ROW, reading)
        let value = bytes(reading, 0)
        guard sqlite3_column_int64(reading, 1) == Int64(Checksum.crc32(value)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return value
    }

    /// Nil for a damaged row: a changed byte must not turn an event into one that needs no consent.
    private func read(_ row: OpaquePointer) -> StoredEvent? {
        let sequence = sqlite3_column_int64(row, 0)
        let flags = RowFlags(rawValue: sqlite3_column_int64(row, 4))
        guard sequence > 0, sequence < EventStatements.endOfSequences, let id = EventID(bytes: bytes(row, 1)),
            let priority = EventPriority(rawValue: UInt8(clamping: sqlite3_column_int64(row, 3))),
            let kind = text(row, 5), let destination = text(row, 6)
        else { return nil }
        let event = CapturedEvent(
            EventStamp(
                id: id, time: EventTime(milliseconds: sqlite3_column_int64(row, 2))),
            kind: kind, to: DestinationName(destination), purpose: text(row, 7).map { ConsentPurpose($0) },
            group: text(row, 8), priority: priority, holdsOrder: flags.contains(.holdsOrder), body: bytes(row, 9))
        let stored = StoredEvent(sequence: sequence, event: event, isRecord: flags.contains(.isRecord))
        guard RowFlags(stored) == flags, stored.checksum == sqlite3_column_int64(row, 10) else { return nil }
        return stored
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

/// What the column `flags` says.
struct RowFlags: OptionSet {
    let rawValue: Int64

    static let holdsOrder = RowFlags(rawValue: 1)
    static let isRecord = RowFlags(rawValue: 2)
    static let hasPurpose = RowFlags(rawValue: 4)
    static let hasGroup = RowFlags(rawValue: 8)

    init(rawValue: Int64) { self.rawValue = rawValue }

    init(_ stored: StoredEvent) {
        self = []
        if stored.event.holdsOrder { insert(.holdsOrder) }
        if stored.isRecord { insert(.isRecord) }
        if stored.event.purpose != nil { insert(.hasPurpose) }
        if stored.event.group != nil { insert(.hasGroup) }
    }
}

extension StoredEvent {
    /// Of everything in the row.
    var checksum: Int64 {
        var sum = Checksum()
        func add(_ text: String?) {
            guard var text else { return }
            text.withUTF8 { bytes in
                sum.add(UnsafeRawBufferPointer(bytes))
                // Where a text ends counts.
                withUnsafeBytes(of: UInt32(clamping: bytes.count).littleEndian) { sum.add($0) }
            }
        }
        let numbers = (
            sequence.littleEndian, event.stamp.time.milliseconds.littleEndian,
            (RowFlags(self).rawValue << 8 | Int64(event.priority.rawValue)).littleEndian, event.id.uuid.uuid
        )
        withUnsafeBytes(of: numbers) { sum.add($0) }
        add(event.kind)
        add(event.destination.rawValue)
        add(event.purpose?.rawValue)
        add(event.group)
        event.body.withUnsafeBytes { sum.add($0) }
        return Int64(sum.value)
    }
}
