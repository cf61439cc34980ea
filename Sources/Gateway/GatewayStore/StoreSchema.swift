import GRDB

/// The tables of a store, and the migrations from each version to the next.
enum StoreSchema {
    /// The version that this code writes. A file with a higher version is not opened.
    static var version: Int { migrations.count }

    /// The tables with rows of a world. `probe` is empty except during a probe.
    static let tables = ["key", "app", "device", "delivery", "channel", "entry", "life", "file"]

    /// Each migration leads from the version of its index to the next. Files were written with them, so they never change.
    static let migrations: [String] = [
        """
        CREATE TABLE world (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
        CREATE TABLE key (
            world INTEGER NOT NULL, number INTEGER NOT NULL, document TEXT NOT NULL,
            PRIMARY KEY (world, number)) WITHOUT ROWID;
        CREATE TABLE app (
            world INTEGER NOT NULL, topic TEXT NOT NULL, document TEXT NOT NULL,
            PRIMARY KEY (world, topic)) WITHOUT ROWID;
        CREATE TABLE device (
            world INTEGER NOT NULL, environment TEXT NOT NULL, slot INTEGER NOT NULL, document TEXT NOT NULL,
            PRIMARY KEY (world, environment, slot)) WITHOUT ROWID;
        CREATE TABLE delivery (
            world INTEGER NOT NULL, environment TEXT NOT NULL, slot INTEGER NOT NULL, list TEXT NOT NULL,
            number INTEGER NOT NULL, document TEXT NOT NULL,
            PRIMARY KEY (world, environment, slot, list, number)) WITHOUT ROWID;
        CREATE TABLE channel (
            world INTEGER NOT NULL, id TEXT NOT NULL, document TEXT NOT NULL, payload BLOB NOT NULL,
            PRIMARY KEY (world, id)) WITHOUT ROWID;
        CREATE TABLE entry (
            world INTEGER NOT NULL, sequence INTEGER NOT NULL, document TEXT NOT NULL, payload BLOB NOT NULL,
            PRIMARY KEY (world, sequence)) WITHOUT ROWID;
        CREATE TABLE life (
            world INTEGER NOT NULL, sequence INTEGER NOT NULL, number INTEGER NOT NULL, stage TEXT NOT NULL,
            at INTEGER NOT NULL, why TEXT NOT NULL,
            PRIMARY KEY (world, sequence, number)) WITHOUT ROWID;
        CREATE TABLE probe (bytes BLOB NOT NULL);
        """,
        // Quotation marks within a string are escaped, so only keys match.
        """
        UPDATE device SET document = replace(document, '"link":', '"connection":');
        UPDATE world SET document = replace(
            replace(document, '"wish":', '"requirement":'), '"deviceRegistration":', '"unknownDevices":');
        """,
        // Two more contested questions, with their defaults.
        """
        UPDATE world SET document = replace(
            document, '"contested":{', '"contested":{"acceptsEmptyCollapseID":false,"dropsHeldAtTermination":false,');
        """,
        // The file that a world was made of. It was in the document of the world, which is written with every change; the next
        // write moves it.
        """
        CREATE TABLE IF NOT EXISTS file (world INTEGER PRIMARY KEY, document TEXT NOT NULL);
        """,
    ]

    /// Checks that the file is a store of a known version and sound. Changes nothing.
    static func check(_ database: Database, _ path: String) throws {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard application == GatewayStore.applicationID || application == 0 && tables == 0 else {
            throw StoreError(
                .foreign,
                "\(path) is the database of another program and is not changed; name another file for the store")
        }
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found <= version else {
            throw StoreError(
                .newer,
                "\(path) was written by a newer gateway (version \(found) of the file; this gateway reads up to "
                    + "\(version)) and is not changed; use that gateway, or name another file for the store")
        }
        let result = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard result == "ok" else { throw StoreError(damaged: path, result ?? "the check gave no answer") }
        let wanted = try columns(madeBy: migrations[..<found])
        if let missing = try wanted.subtracting(columns(database)).min() {
            throw StoreError(damaged: path, "the column \(missing) is missing")
        }
        for table in StoreSchema.tables where wanted.contains("\(table).world") {
            let sql = "SELECT EXISTS (SELECT * FROM \(table) WHERE world NOT IN (SELECT id FROM world))"
            guard try Bool.fetchOne(database, sql: sql) == false else {
                throw StoreError(damaged: path, "the table \(table) has rows of a world that is missing")
            }
        }
    }

    /// Every column, as `table.column`.
    private static func columns(_ database: Database) throws -> Set<String> {
        try String.fetchSet(
            database,
            sql: """
                SELECT tables.name || '.' || columns.name
                FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'
                """)
    }

    /// The columns of a file after these migrations.
    private static func columns(madeBy steps: ArraySlice<String>) throws -> Set<String> {
        try DatabaseQueue().write { database in
            for step in steps { try database.execute(sql: step) }
            return try columns(database)
        }
    }

    static func migrate(_ database: Database, _ path: String) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found < version else { return }
        try database.inTransaction(.immediate) {
            for step in migrations[found...] { try database.execute(sql: step) }
            try database.execute(sql: "PRAGMA application_id = \(GatewayStore.applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }
}
