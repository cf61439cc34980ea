import GRDB

/// The tables, and the migrations of files of earlier versions.
enum Schema {
    /// The application ID in the file's header: "SSyn".
    static let applicationID: Int32 = 0x5353_796e

    /// The condition of the index of records with edits. A query uses the index only with the same condition.
    static let isUnsent = "changes <> 0"
    /// Of a record with edits: as `LocalRecord.conflict`; 5 is `created` and `deleted`.
    static let isInConflict = "(theirs IS NOT NULL OR gone <> 0 AND changes & 5 = 0)"
    static let countOfUnsent = """
        SELECT count(*), coalesce(sum(\(isInConflict)), 0), coalesce(sum(error IS NOT NULL), 0)
        FROM record WHERE \(isUnsent)
        """

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Tables that are observed need row numbers: SQLite reports no changes of a table without them.
        migrator.registerMigration("1 records with stamps, pending, progress") { db in
            try db.execute(
                sql: """
                    PRAGMA application_id = \(applicationID);
                    CREATE TABLE fact (name TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID;
                    CREATE TABLE record (
                        number INTEGER PRIMARY KEY,
                        object TEXT NOT NULL,
                        key TEXT NOT NULL,
                        fields BLOB NOT NULL,
                        changes INTEGER NOT NULL DEFAULT 0,
                        gone INTEGER NOT NULL DEFAULT 0,
                        uploaded INTEGER,
                        systemModstamp INTEGER,
                        lastModified INTEGER,
                        error TEXT,
                        sync TEXT,
                        UNIQUE (object, key)
                    );
                    CREATE INDEX dirty ON record (object) WHERE changes <> 0;
                    CREATE TABLE pending (
                        object TEXT NOT NULL, record TEXT NOT NULL, mark INTEGER NOT NULL,
                        PRIMARY KEY (object, record)
                    );
                    CREATE INDEX pendingByMark ON pending (object, mark);
                    CREATE TABLE overflow (object TEXT PRIMARY KEY NOT NULL, mark INTEGER NOT NULL) WITHOUT ROWID;
                    CREATE TABLE progress (object TEXT PRIMARY KEY NOT NULL, state BLOB NOT NULL) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("2 records behind the mark") { db in
            try db.execute(
                sql: """
                    ALTER TABLE pending ADD COLUMN behind INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX pendingBehind ON pending (object) WHERE behind <> 0;
                    """)
        }
        migrator.registerMigration("3 edits with base, conflicts, references") { db in
            try db.execute(
                sql: """
                    ALTER TABLE record ADD COLUMN base BLOB;
                    ALTER TABLE record ADD COLUMN theirs BLOB;
                    ALTER TABLE record ADD COLUMN sent BLOB;
                    ALTER TABLE record ADD COLUMN external TEXT;
                    ALTER TABLE record ADD COLUMN localKey TEXT;
                    UPDATE record SET localKey = key WHERE key LIKE 'local\\_%' ESCAPE '\\';
                    CREATE INDEX recordByLocalKey ON record (localKey) WHERE localKey IS NOT NULL;
                    """)
        }
        migrator.registerMigration("4 words without triggers") { db in
            // Their tables count as stale from now on, so they are created again.
            let triggers = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB '\(IndexSchema.searchNames)'
                    """)
            for name in triggers { try db.execute(sql: "DROP TRIGGER \(name)") }
        }
        return migrator
    }

    /// - Throws: `SQLiteStoreError` for a file of another application or of a later version.
    static func check(_ db: Database, _ file: String) throws {
        let id = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if id == applicationID {
            guard try !migrator.hasBeenSuperseded(db) else {
                throw SQLiteStoreError(
                    code: .newerVersion, file: file,
                    detail: "was created by a later version; update the app or use another file")
            }
            return
        }
        let tables = Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
        // The tables of this library with a wrong header.
        guard !tables.isSuperset(of: ["fact", "record", "pending", "overflow", "progress"]) else {
            throw SQLiteStoreError.damaged(file)
        }
        // Only the list of migrations: the first opening was interrupted.
        guard id == 0, tables.subtracting(["grdb_migrations"]).isEmpty else {
            throw SQLiteStoreError(
                code: .foreign, file: file, detail: "is a database of another application; use another file")
        }
    }

    /// Whether the file has all tables and columns of its version.
    static func isComplete(_ db: Database) throws -> Bool {
        guard let version = try migrator.completedMigrations(db).last else { return false }
        let reference = try DatabaseQueue()
        try migrator.migrate(reference, upTo: version)
        let expected = try reference.read { try columns($0) }
        let actual = try columns(db)
        return expected.allSatisfy { table, columns in actual[table]?.isSuperset(of: columns) == true }
    }

    /// The columns of each table. Only those of the library: an SQLite without FTS5 cannot read a search table.
    private static func columns(_ db: Database) throws -> [String: Set<String>] {
        var columns: [String: Set<String>] = [:]
        let tables = """
            SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '\(IndexSchema.searchNames)'
            """
        for table in try String.fetchAll(db, sql: tables) {
            columns[table] = Set(try db.columns(in: table).map(\.name))
        }
        return columns
    }
}
