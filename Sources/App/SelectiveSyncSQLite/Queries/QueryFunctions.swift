import GRDB
import GRDBSQLite
import SelectiveSync

/// The SQL functions that read a field from a record's JSON, the same way as the store in memory does.
///
/// Indexes and triggers use them, so every connection that writes needs them. Another program can read the file without.
enum QueryFunctions {
    static func register(_ db: Database) throws {
        try register(db, "sync_value", arguments: 2) { context, _, values in
            QueryFunctions.answer(context, values, .value)
        }
        try register(db, "sync_ignoring_case", arguments: 2) { context, _, values in
            QueryFunctions.answer(context, values, .ignoringCase)
        }
        try register(db, "sync_date", arguments: 2) { context, _, values in
            QueryFunctions.answer(context, values, .date)
        }
        // The text of a blob.
        try register(db, "sync_text", arguments: 1) { context, _, values in
            QueryFunctions.answer(context, QueryFunctions.bytes(values?[0]))
        }
        try register(db, "sync_words", arguments: -1) { context, count, values in
            QueryFunctions.answerWords(context, Int(count), values)
        }
    }

    /// The expression for a field, whose name is valid.
    static func expression(_ field: RecordField, of column: String = "fields") -> String {
        let function =
            switch field.reading {
            case .value: "sync_value"
            case .ignoringCase: "sync_ignoring_case"
            case .date: "sync_date"
            }
        return "\(function)(\(column), '\(field.name)')"
    }

    /// The expression for the words of several fields.
    static func words(_ fields: [RecordField], of column: String) -> String {
        "sync_words(\(column), \(fields.map { "'\($0.name)'" }.joined(separator: ", ")))"
    }

    private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

    private static func register(
        _ db: Database, _ name: String, arguments: Int32,
        _ function: @escaping @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) throws {
        // Innocuous, because an index of a file that nobody trusts may use it too.
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        let code = sqlite3_create_function_v2(
            db.sqliteConnection, name, arguments, flags, nil, function, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    private static func answer(_ context: OpaquePointer?, _ values: Arguments?, _ reading: RecordField.Reading) {
        guard let values else { return }
        let found = FieldScanner.find(bytes(values[1]), in: bytes(values[0]))
        if reading == .value, case .plain(let text) = found { return answer(context, text) }
        answer(context, reading == .value ? found.value : found.value.read(reading))
    }

    private static func answerWords(_ context: OpaquePointer?, _ count: Int, _ values: Arguments?) {
        guard let values else { return }
        let fields = bytes(values[0])
        var words: [UInt8] = []
        for index in 1..<max(count, 1) {
            SearchWords.append(FieldScanner.find(bytes(values[index]), in: fields), to: &words)
        }
        words.withUnsafeBufferPointer { answer(context, $0) }
    }

    private static func bytes(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
        // The pointer first: asking for it may convert the value and so change its length.
        let start = sqlite3_value_blob(value)
        return UnsafeBufferPointer(
            start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : Int(sqlite3_value_bytes(value))
        )
    }

    private static func answer(_ context: OpaquePointer?, _ value: FieldValue) {
        switch value {
        case .none: sqlite3_result_null(context)
        case .integer(let integer): sqlite3_result_int64(context, integer)
        case .number(let number): sqlite3_result_double(context, number)
        case .text(var text): text.withUTF8 { answer(context, $0) }
        }
    }

    private static func answer(_ context: OpaquePointer?, _ text: UnsafeBufferPointer<UInt8>) {
        // SQLite copies the bytes.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        guard let start = text.baseAddress else { return sqlite3_result_text(context, "", 0, copies) }
        start.withMemoryRebound(to: CChar.self, capacity: text.count) {
            sqlite3_result_text64(context, $0, sqlite3_uint64(text.count), copies, UInt8(SQLITE_UTF8))
        }
    }
}
