import DatabaseFiles
import Foundation
import GRDB
import PushDispatch
import SelectiveSync
import Testing

@testable import SelectiveSyncSQLite

struct StatementTests {
    @Test(arguments: ["SELECT nonsense FROM record", "SELECT * FROM nothing", "UPDATE record SET", "SELECT json('{')"])
    func `one wrong statement is no damage`(sql: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store")
        let store = try SQLiteStore(file: file)
        try await store.logIn("ada", discardingEdits: false)
        let key = try await store.create(["Name": "new"], of: "Account")
        await #expect {
            try await store.write { try $0.execute(sql: sql) }
        } throws: {
            ($0 as? SQLiteStoreError)?.code == .statement
        }
        #expect(try await store.record(key, of: "Account") != nil)
        try store.close()
        // Not even at the next start.
        let (again, replacement) = try SQLiteStore.openOrReplace(file: file)
        #expect(replacement == nil)
        #expect(try await again.record(key, of: "Account") != nil)
    }

    @Test func `edits are counted by an index`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(file: folder.file("store"))
        let plan = try await store.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(Schema.countOfUnsent)")
                .map { try $0.decode(String.self, forColumn: "detail") }
        }
        #expect(plan.count == 1 && plan[0].hasSuffix("INDEX dirty"), "\(plan)")
    }

    @Test func `counting reads no record`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(file: folder.file("store"))
        try await store.logIn("ada", discardingEdits: false)
        for number in 1...3 { _ = try await store.create(["Name": .integer(Int64(number))], of: "Account") }
        try await store.write { try $0.execute(sql: "UPDATE record SET fields = x'00'") }
        var counts = store.observeCounts().makeAsyncIterator()
        #expect(try await counts.next() == StoreCounts(unsent: 3))
    }

    @Test(arguments: [
        "DROP TABLE pending", "ALTER TABLE record DROP COLUMN theirs",
        "DROP TABLE grdb_migrations",
    ])
    func `a missing table or column is damage`(sql: String) async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(file: folder.file("store"))
        try await store.write { try $0.execute(sql: sql) }
        await #expect {
            try await store.write { try $0.execute(sql: "SELECT nonsense FROM record") }
        } throws: {
            ($0 as? SQLiteStoreError)?.code == .damaged
        }
    }

    @Test func `all files of a store are known, to protect them`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store")
        let store = try SQLiteStore(file: file)
        try await store.logIn("ada", discardingEdits: false)
        for end in ["-aside-1", "-aside-1-wal", "-damaged", "-new"] {
            try Data([1]).write(to: URL(fileURLWithPath: file + end))
        }
        try Data([1]).write(to: URL(fileURLWithPath: folder.file("other")))
        let names = DatabaseFiles(ofRecords: file).all.map { String($0.dropFirst(file.count)) }
        #expect(Set(names) == ["", "-wal", "-shm", "-aside-1", "-aside-1-wal", "-damaged", "-new"])
    }
}
