import GRDB
import SelectiveSync

/// The indexes and search tables that an app has declared, as statements for its file.
///
/// The name of each contains a hash of its definition, so that names alone show what a file lacks and what it no longer
/// needs.
struct IndexSchema: Sendable {
    /// To be raised when a function of `QueryFunctions` gets another result: the indexes contain results.
    private static let version = 1

    struct Index: Hashable, Sendable {
        let declared: RecordIndex

        var name: String {
            let fields = declared.fields.map { "\($0.name)/\($0.reading.rawValue)" }
            return IndexSchema.name("app_index", [declared.object] + fields)
        }

        /// The key makes the order complete, and with the changes SQLite counts without reading a record.
        var statement: String {
            let columns = declared.fields.map { QueryFunctions.expression($0) } + ["key", "changes"]
            return """
                CREATE INDEX \(name) ON record (\(columns.joined(separator: ", "))) WHERE object = '\(declared.object)'
                """
        }
    }

    struct Search: Hashable, Sendable {
        let object: String
        let fields: [RecordField]

        var name: String { IndexSchema.name("app_search", [object] + fields.map(\.name)) }

        /// The last one notes that the table has the words of all records, and follows each change from then on.
        var statements: [String] {
            [
                // The words come without case and accents, and this tokenizer keeps them as they are. The table stores them too, so
                // that the right ones are removed even if a later system reads other words from the same text.
                "CREATE VIRTUAL TABLE \(name) USING fts5(words, tokenize = 'ascii', detail = none, columnsize = 0)",
                """
                INSERT INTO \(name) (rowid, words) SELECT number, \(QueryFunctions.words(fields, of: "fields"))
                FROM record WHERE object = '\(object)'
                """,
                "INSERT INTO fact VALUES ('\(name)', 1)",
            ]
        }

        func isFollowed(_ db: Database) throws -> Bool {
            try Int.fetchOne(
                db.cachedStatement(sql: "SELECT count(*) FROM fact WHERE name = ?"), arguments: [name]) == 1
        }
    }

    let indexes: [Index]
    let searches: [Search]

    /// - Parameter declared: Validated.
    init(_ declared: QueryIndexes) {
        indexes = declared.indexes.map { Index(declared: $0) }
        searches = declared.search.map { Search(object: $0.key, fields: $0.value) }
    }

    func search(of object: String) -> Search? { searches.first { $0.object == object } }

    private static func name(_ prefix: String, _ definition: [String]) -> String {
        // FNV-1a. Definitions differ by more than case, and names of SQLite do not, so they cannot be names themselves.
        let bytes = "\(version) \(definition.joined(separator: " "))".utf8
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)).multipliedReportingOverflow(by: 0x100_0000_01b3).partialValue
        }
        let digits = String(hash, radix: 16)
        return "\(prefix)_\(String(repeating: "0", count: 16 - digits.count))\(digits)"
    }
}

// Matching a file.
extension IndexSchema {
    /// The names of the indexes in a file that an app has declared.
    static func indexes(_ db: Database) throws -> Set<String> {
        Set(
            try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND name GLOB 'app_index_*'"))
    }

    /// The search tables that follow each change. One that does not was left by an SQLite without FTS5, or by an app that declared
    /// no search.
    static func searches(_ db: Database) throws -> Set<String> {
        try tables(db).intersection(
            String.fetchAll(db, sql: "SELECT name FROM fact WHERE name GLOB '\(IndexSchema.searchNames)'"))
    }

    /// The pattern of the names of search tables, and of the facts about them.
    static let searchNames = "app_search_*"

    /// All search tables, but not the tables in which FTS5 keeps their data.
    private static func tables(_ db: Database) throws -> Set<String> {
        Set(
            try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '\(searchNames)'
                    AND sql GLOB 'CREATE VIRTUAL TABLE *'
                    """))
    }

    func matches(_ db: Database) throws -> Bool {
        guard try IndexSchema.indexes(db) == Set(indexes.map(\.name)) else { return false }
        let followed = try IndexSchema.searches(db)
        guard try IndexSchema.canSearch(db) else { return searches.isEmpty && followed.isEmpty }
        return try followed == Set(searches.map(\.name)) && IndexSchema.tables(db) == followed
    }

    /// Ends the following of the search tables that this store does not keep in step, before its first change.
    func stopFollowing(_ db: Database) throws {
        let kept = try IndexSchema.canSearch(db) ? Set(searches.map(\.name)) : []
        for name in try IndexSchema.searches(db).subtracting(kept).sorted() {
            try db.execute(sql: "DELETE FROM fact WHERE name = ?", arguments: [name])
        }
    }

    /// Drops what is no longer declared and creates what is missing, each in its own transaction.
    func apply(_ db: Database) throws {
        let old = try IndexSchema.indexes(db)
        for name in old.subtracting(indexes.map(\.name)).sorted() { try db.execute(sql: "DROP INDEX \(name)") }
        for index in indexes where try !IndexSchema.indexes(db).contains(index.name) {
            try db.execute(sql: index.statement)
        }
        guard try IndexSchema.canSearch(db) else {
            // Without FTS5 a table can neither be dropped nor follow the changes. The next SQLite with FTS5 drops it.
            if searches.isEmpty { return }
            throw IndexSchema.noSearch
        }
        let followed = try IndexSchema.searches(db).intersection(searches.map(\.name))
        for name in try IndexSchema.tables(db).subtracting(followed).sorted() {
            try db.execute(sql: "DROP TABLE \(name)")
        }
        for search in searches where !followed.contains(search.name) {
            try IndexSchema.commit(db) { for statement in search.statements { try db.execute(sql: statement) } }
        }
    }

    /// Removes all words. A search table keeps those of deleted records until it merges its parts, so it is created anew.
    static func emptySearches(_ db: Database) throws {
        let canSearch = try canSearch(db)
        for name in try tables(db).sorted() {
            let sql = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
            guard let statement = try String.fetchOne(db, sql: sql, arguments: [name]) else { continue }
            if canSearch {
                try db.execute(sql: "DROP TABLE \(name)")
                try db.execute(sql: statement)
            } else {
                // The next SQLite with FTS5 drops the table.
                for part in ["data", "idx", "content"] { try db.execute(sql: "DELETE FROM \(name)_\(part)") }
            }
        }
    }

    private static func commit(_ db: Database, _ change: () throws -> Void) throws {
        try db.inTransaction {
            try change()
            return .commit
        }
    }

    /// Whether this SQLite has FTS5.
    static func canSearch(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'") == 1
    }

    static let noSearch = RecordQueryError(
        .notSearchable, "this SQLite was built without FTS5; use another or declare no search")
}
