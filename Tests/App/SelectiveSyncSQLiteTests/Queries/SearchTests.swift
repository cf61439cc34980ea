import Foundation
import GRDB
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import TestSeeds
import Testing

struct SearchTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private static let indexes = QueryIndexes(search: ["Account": ["Name", "City"]])

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(file: folder.file("store"), indexes: Self.indexes)
    }

    private func found(_ text: String, in store: SQLiteStore? = nil) async throws -> [String] {
        var query = RecordQuery("Account", where: .search(text))
        query.includesDeleted = true
        return try await (store ?? self.store).records(query).records.map { $0.key.description.suffix(4) }.map {
            String($0)
        }
    }

    private func server(_ number: Int, _ name: String) -> FetchedRecord { .record(.test(number, name: name)) }

    private func name(_ number: Int) -> String { String(RecordID.test(number).description.suffix(4)) }

    @Test func `the search follows every change in its transaction`() async throws {
        let one = RecordKey.server(.test(1))
        let merged = try await store.merge(MergeBatch("Account", [server(1, "Alpha"), server(2, "Beta")]))
        #expect(merged.counts.inserted == 2)
        #expect(try await found("alp") == [name(1)])
        // Fetched, edited, uploaded, resolved, removed.
        let again = try await store.merge(MergeBatch("Account", [server(1, "Gamma"), server(2, "Beta")]))
        #expect(again.counts.inserted == 0)
        #expect(try await found("alp").isEmpty)
        #expect(try await found("gam") == [name(1)])
        try await store.edit(one, of: "Account") { $0["Name"] = "Delta" }
        #expect(try await found("delt") == [name(1)])
        await #expect(throws: SyncStoreError.noRecord) {
            _ = try await store.change([one], of: "Account") { change in
                change.record?.edit { $0["Name"] = "Lost" }
                throw SyncStoreError.noRecord
            }
        }
        #expect(try await found("lost").isEmpty)
        try await store.discardEdits(one, of: "Account")
        #expect(try await found("gamma") == [name(1)])
        let local = try await store.create(["City": "Jena"], of: "Account")
        #expect(try await found("jena") == [String(local.description.suffix(4))])
        let sent = try #require(try await store.record(local, of: "Account"))
        try await store.uploaded(sent, .clean(id: .test(7), nil), of: "Account")
        #expect(try await found("jena") == [name(7)])
        _ = try await store.merge(MergeBatch("Account", [.missing(.test(1))]))
        #expect(try await found("gamma").isEmpty)
        try await store.put(LocalRecord(one, fields: ["Name": "Gamma"]), of: "Contact")
        #expect(try await found("gamma").isEmpty)
        try await store.check()
    }

    @Test func `the words of a batch are written together`() async throws {
        let batch = MergeBatch("Account", (1...200).map { server($0, "Alpha \($0)") })
        #expect(try await store.merge(batch).counts.inserted == 200)
        try store.close()
        let queue = try DatabaseQueue(path: folder.file("store"))
        let parts = try await queue.read { db in
            let table = try String.fetchOne(db, sql: "SELECT name FROM fact WHERE name GLOB 'app_search_*'")
            return try Int.fetchOne(db, sql: "SELECT count(DISTINCT segid) FROM \(try #require(table))_idx")
        }
        // FTS5 writes a part for each savepoint, and merges them later.
        #expect(parts == 1)
    }

    @Test func `a change of another field leaves the words alone`() async throws {
        let one = RecordKey.server(.test(1))
        _ = try await store.merge(MergeBatch("Account", [server(1, "Alpha")]))
        try await store.edit(one, of: "Account") { $0["Type"] = "Customer" }
        try await store.edit(one, of: "Account") { $0["Name"] = "Ålpha" }
        #expect(try await found("alpha") == [name(1)])
        #expect(try await store.count(RecordQuery("Account", where: .search("alpha"))) == 1)
        try await store.check()
    }

    @Test func `a file whose search was kept by triggers is opened, and its words are read again`() async throws {
        _ = try await store.merge(MergeBatch("Account", [server(1, "Alpha")]))
        try store.close()
        let queue = try DatabaseQueue(path: folder.file("store"))
        try await queue.write { db in
            let table = try #require(
                try String.fetchOne(db, sql: "SELECT name FROM fact WHERE name GLOB 'app_search_*'"))
            try db.execute(
                sql: """
                    DELETE FROM fact WHERE name = '\(table)';
                    DELETE FROM grdb_migrations WHERE identifier GLOB '4 *';
                    UPDATE record SET fields = CAST('{"Name":"Beta"}' AS BLOB);
                    CREATE TRIGGER \(table)_update AFTER UPDATE OF fields ON record
                    BEGIN DELETE FROM \(table) WHERE rowid = old.number; END;
                    """)
        }
        try queue.close()
        let opened = try SQLiteStore(file: folder.file("store"), indexes: Self.indexes)
        #expect(try await found("alpha", in: opened).isEmpty)
        #expect(try await found("beta", in: opened) == [name(1)])
        _ = try await opened.merge(MergeBatch("Account", [server(1, "Gamma")]))
        #expect(try await found("gamma", in: opened) == [name(1)])
        try await opened.check()
    }

    @Test func `another user finds nothing of the previous one`() async throws {
        try await store.logIn("a", discardingEdits: false)
        _ = try await store.merge(MergeBatch("Account", [server(1, "Alpha")]))
        try await store.logIn("b", discardingEdits: true)
        #expect(try await found("alpha").isEmpty)
        _ = try await store.merge(MergeBatch("Account", [server(2, "Alpha")]))
        #expect(try await found("alpha") == [name(2)])
        try await store.check()
    }

    @Test func `records that were there before the declaration are found`() async throws {
        let plain = try SQLiteStore(file: folder.file("plain"))
        _ = try await plain.merge(MergeBatch("Account", [server(1, "Alpha"), server(2, "Beta")]))
        try plain.close()
        let declared = try SQLiteStore(file: folder.file("plain"), indexes: Self.indexes)
        #expect(try await found("alpha", in: declared) == [name(1)])
        try declared.close()
        // Without the declaration nothing is kept in step, so the next one begins anew.
        let again = try SQLiteStore(file: folder.file("plain"))
        try await again.waitForIndexes()
        _ = try await again.merge(MergeBatch("Account", [server(2, "Gamma")]))
        try again.close()
        let last = try SQLiteStore(file: folder.file("plain"), indexes: Self.indexes)
        #expect(try await found("gamma", in: last) == [name(2)])
        #expect(try await found("beta", in: last).isEmpty)
    }

    @Test func `a replacement of a damaged file finds the edits that were taken over`() async throws {
        try await store.logIn("a", discardingEdits: false)
        _ = try await store.merge(MergeBatch("Account", [server(1, "Alpha"), server(2, "Beta")]))
        try await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "Edited" }
        try store.close()
        let file = folder.file("store")
        // The mark of damage is the inode of the file.
        let number = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
        try String(try #require(number)).write(toFile: file + "-damaged", atomically: false, encoding: .utf8)
        let (replaced, replacement) = try SQLiteStore.openOrReplace(file: file, indexes: Self.indexes)
        #expect(replacement?.recoveredEdits == 1)
        #expect(try await found("edited", in: replaced) == [name(1)])
        #expect(try await found("beta", in: replaced).isEmpty)
    }

    /// Whatever a user types is words, never an expression, an error or a mark of damage.
    @Test(
        arguments: [
            "\"", "'", "''; DROP TABLE record; --", "*", "a*", "a OR b", "NOT", "a NEAR b", "NEAR(a b, 2)", "words:a",
            "{words} : a",
            "^a", "a + b", "-a", "(", ")", "a\u{0}b", "\u{202e}", "\u{feff}", "%", "_", "\\", "a\"b", "AND AND", "😀",
            String(repeating: "\"", count: 9_999), String(repeating: "(", count: 9_999),
            String(repeating: "a", count: 10_000),
        ])
    func `a hostile text is only words`(text: String) async throws {
        _ = try await store.merge(MergeBatch("Account", [server(1, "a b and not near"), server(2, "c")]))
        let memory = MemoryRecordStore(search: ["Account": ["Name", "City"]])
        _ = try await memory.merge(MergeBatch("Account", [server(1, "a b and not near"), server(2, "c")]))
        let query = RecordQuery("Account", where: .search(text))
        #expect(try await store.records(query).records == memory.records(query).records)
        try await store.check()
    }

    @Test(arguments: TestSeed.all(0..<30))
    func `random texts find what the store in memory finds`(seed: TestSeed) async throws {
        var generator = seed.generator
        let alphabet = Array("aAbB1 .-\"*:'äÄéßİσΣ東京한क्षि\u{301}\u{0}\u{200d}😀ﬁ²Ⅷ").map { String($0) }
        func text(_ count: Int) -> String {
            (0..<count).map { _ in alphabet.randomElement(using: &generator)! }.joined()
        }
        let memory = MemoryRecordStore(search: ["Account": ["Name", "City"]])
        let answers = (0..<30).map { number -> FetchedRecord in
            let fields: [String: JSONValue] = [
                "Name": .string(text(10)), "City": number % 2 == 0 ? .string(text(3)) : 15,
            ]
            return .record(ServerRecord(id: .test(number), fields: fields))
        }
        _ = try await memory.merge(MergeBatch("Account", answers))
        _ = try await store.merge(MergeBatch("Account", answers))
        for _ in 0..<60 {
            let query = RecordQuery("Account", where: .search(text(Int.random(in: 0..<5, using: &generator))))
            #expect(try await store.records(query).records == memory.records(query).records, "\(query)")
        }
    }
}
