import GRDB
import GRDBSQLite
import PushDispatch
import SelectiveSync
import Testing

@testable import SelectiveSyncSQLite

/// An SQLite that was built without FTS5.
struct NoSearchTests {
    private let folder: TemporaryFolder
    private let file: String
    private static let indexes = QueryIndexes([RecordIndex("Account", ["Name"])], search: ["Account": ["Name"]])

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("store")
    }

    private func plain(_ indexes: QueryIndexes = Self.indexes) throws -> SQLiteStore {
        try SQLiteStore(file: file, indexes: indexes, busySeconds: 5) { db in
            // All modules of this connection.
            #expect(sqlite3_drop_modules(db.sqliteConnection, nil) == SQLITE_OK)
        }
    }

    private func code(of query: RecordQuery, in store: SQLiteStore) async -> RecordQueryError.Code? {
        do {
            _ = try await store.records(query)
            return nil
        } catch {
            return (error as? RecordQueryError)?.code
        }
    }

    private func merge(_ number: Int, _ name: String, into store: SQLiteStore) async throws {
        let result = try await store.merge(MergeBatch("Account", [.record(.test(number, name: name))]))
        #expect(result.counts.inserted == 1)
    }

    private let search = RecordQuery("Account", where: .search("alpha"))

    @Test func `a search is refused as not searchable, and everything else works`() async throws {
        let store = try plain()
        try await merge(1, "Alpha", into: store)
        #expect(await code(of: search, in: store) == .notSearchable)
        await #expect(throws: RecordQueryError.self) { try await store.waitForIndexes() }
        await #expect(throws: RecordQueryError.self) { for try await _ in store.observe(search) {} }
        let named = RecordQuery("Account", where: RecordField("Name") == "Alpha")
        #expect(try await store.records(named).records.count == 1)
        #expect(try await store.plan(of: named).contains { $0.contains("app_index_") })
        try await store.check()
    }

    @Test func `a file with a search table takes changes without FTS5, and is searched again with it`() async throws {
        let full = try SQLiteStore(file: file, indexes: Self.indexes)
        try await merge(1, "Alpha", into: full)
        #expect(try await full.records(search).records.count == 1)
        try full.close()

        for indexes in [Self.indexes, QueryIndexes()] {
            let store = try plain(indexes)
            #expect(await code(of: search, in: store) == .notSearchable)
            try await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "Beta" }
            // An error of SQLite is no damage, even if the search table cannot be read.
            await #expect(throws: SQLiteStoreError.self) {
                try await store.write { try $0.execute(sql: "no statement") }
            }
            try await store.check()
            try store.close()
        }
        let again = try SQLiteStore(file: file, indexes: Self.indexes)
        #expect(try await again.records(search).records.isEmpty)
        #expect(try await again.records(RecordQuery("Account", where: .search("beta"))).records.count == 1)
        try await again.check()
        try again.close()
        // Not even erasing needs the module.
        let last = try plain()
        try await last.erase(discardingEdits: true)
        #expect(try await last.records(of: "Account").isEmpty)
    }
}
