import Foundation
import GRDB
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import TestSeeds
import Testing

struct SQLiteStoreTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(file: folder.file("store"), maximumPending: 100)
    }

    private func hint(_ numbers: Int..., object: String = "Account") -> Hint {
        Hint(type: "T", object: object, records: numbers.map(RecordID.test))
    }

    private func again() throws -> SQLiteStore { try SQLiteStore(file: folder.file("store"), maximumPending: 100) }

    /// Notes that a record is being sent, as an upload does.
    private func send(_ key: RecordKey) async throws -> LocalRecord {
        _ = try await store.change([key], of: "Account") { change in
            let unsent = change.record?.unsent()
            change.record?.sent = unsent
        }
        return try #require(try await store.record(key, of: "Account"))
    }

    @Test func `a batch is in the file when it returns: records, hints and progress`() async throws {
        let mark = try #require(try await store.keep(hint(1, 2, 3)))
        var batch = MergeBatch("Account", [.record(.test(1, at: 5)), .missing(.test(2))])
        batch.forget = [PendingRecord(.test(1), mark: mark), PendingRecord(.test(2), mark: mark)]
        batch.keep = [.test(9)]
        batch.progress = SyncProgress()
        batch.progress?.mark = ServerDate(millisecondsSince1970: 5)
        let result = try await store.merge(batch)
        #expect(result.changed == [.test(1)] && result.counts.absent == 1)

        let other = try again()
        #expect(try await other.record(.test(1), of: "Account")?.fields == ServerRecord.test(1, at: 5).fields)
        #expect(try await other.pending(of: "Account").map(\.record) == [.test(3), .test(9)])
        #expect(try await other.progress(of: "Account").mark == ServerDate(millisecondsSince1970: 5))
        #expect(try await other.pendingMark().number == 2)
    }

    @Test func `a batch that fails changes nothing`() async throws {
        try await store.logIn("a", discardingEdits: false)
        try await store.keep(hint(1))
        var batch = MergeBatch("Account", [.record(.test(1))], user: "b")
        batch.progress = SyncProgress()
        await #expect(throws: SyncStoreError.otherUser) { try await store.merge(batch) }
        #expect(try await store.records(of: "Account").isEmpty)
        #expect(try await store.pending(of: "Account").count == 1)
    }

    /// Random calls of both stores.
    @Test(arguments: TestSeed.all(0..<30))
    func `it decides like the store in memory`(seed: TestSeed) async throws {
        var generator = seed.generator
        let memory = MemoryRecordStore(PendingList(maximumRecords: 2))
        let store = try SQLiteStore(file: folder.file("small"), maximumPending: 2)
        for _ in 0..<60 {
            let number = Int.random(in: 0..<6, using: &generator)
            let stamp = Int64.random(in: 0..<5, using: &generator)
            let rules = MergeRules(
                mode: Bool.random(using: &generator) ? .overwrite : .leaveIfChanged,
                missing: Bool.random(using: &generator) ? .mark : .remove)
            switch Int.random(in: 0..<16, using: &generator) {
            case 0:
                var local = LocalRecord(.test(number, name: "mine", at: stamp), changes: [.updated])
                local.uploaded = Bool.random(using: &generator) ? ServerDate(millisecondsSince1970: 3) : nil
                await memory.put(local, of: "Account")
                try await store.put(local, of: "Account")
            case 1:
                await memory.keep(hint(number))
                try await store.keep(hint(number))
            case 2:
                let pending = await memory.pending(of: "Account", after: nil).prefix(2)
                await memory.forget(Array(pending), of: "Account")
                try await store.forget(Array(pending), of: "Account")
            case 3:
                guard let sent = await memory.record(.test(number), of: "Account") else { continue }
                let outcome = UploadOutcome.clean(id: nil, ServerDate(millisecondsSince1970: stamp))
                try await memory.uploaded(sent, outcome, of: "Account")
                try await store.uploaded(sent, outcome, of: "Account")
            case 4:
                var batch = MergeBatch("Account", [])
                batch.progress = SyncProgress()
                batch.progress?.mark = ServerDate(millisecondsSince1970: stamp)
                _ = try await (memory.merge(batch), store.merge(batch))
            case 5:
                var batch = MergeBatch("Account", [])
                batch.keep = [.test(number)]
                _ = try await (memory.merge(batch), store.merge(batch))
            case 6:
                await memory.forgetAll()
                try await store.forgetAll()
            case 7:
                let name = JSONValue.string("mine \(stamp)")
                try? await memory.edit(.server(.test(number)), of: "Account") { $0["Name"] = name }
                try? await store.edit(.server(.test(number)), of: "Account") { $0["Name"] = name }
            case 8:
                try await memory.delete(.server(.test(number)), of: "Account")
                try await store.delete(.server(.test(number)), of: "Account")
            case 9:
                let values: [String: JSONValue] = ["Name": .string("both \(stamp)")]
                let all: [ConflictResolution] = [.mine, .theirs, .fields(values)]
                let resolution = all.randomElement(using: &generator) ?? .mine
                try await memory.resolve(.server(.test(number)), of: "Account", resolution)
                try await store.resolve(.server(.test(number)), of: "Account", resolution)
            case 10:
                try await memory.discardEdits(.server(.test(number)), of: "Account")
                try await store.discardEdits(.server(.test(number)), of: "Account")
            default:
                let answer: FetchedRecord =
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: .missing(.test(number))
                    case 1: .deleted(.test(number), at: ServerDate(millisecondsSince1970: stamp))
                    default: .record(.test(number, name: "v\(stamp)", at: stamp))
                    }
                var batch = MergeBatch("Account", [answer], rules: rules)
                batch.isReadWithoutFilter = Bool.random(using: &generator)
                #expect(try await memory.merge(batch) == (try await store.merge(batch)))
            }
            #expect(try await store.records(of: "Account") == (await memory.records(of: "Account")))
            #expect(try await store.pending(of: "Account") == (await memory.pending(of: "Account", after: nil)))
            #expect(try await store.objectsToSync() == (await memory.objectsToSync()))
            #expect(
                try await store.cleanRecords(of: "Account", after: .test(1), limit: 3)
                    == (await memory.cleanRecords(of: "Account", after: .test(1), limit: 3)))
        }
    }

    @Test func `a full pending list requires a regular sync, until one has run`() async throws {
        try await store.keep(hint(1, object: "Case"))
        let many = Hint(type: "T", object: "Account", records: (0..<100).map(RecordID.test))
        #expect(try await store.keep(many) == nil)
        #expect(try await store.objectsToSync() == ["Account"])
        #expect(try await store.pending(of: "Case").count == 1)
        var batch = MergeBatch("Account", [])
        batch.progress = SyncProgress()
        batch.progress?.state = .done
        batch.progress?.served = PendingMark(number: 1)
        _ = try await store.merge(batch)
        #expect(try await store.objectsToSync() == ["Account"])
        batch.progress?.served = try await store.pendingMark()
        _ = try await store.merge(batch)
        #expect(try await store.objectsToSync().isEmpty)
    }

    @Test func `hints behind the mark survive a log-out and a full list, but not another user`() async throws {
        var batch = MergeBatch("Account", [])
        batch.keep = [.test(1)]
        _ = try await store.merge(batch)
        try await store.keep(hint(1, 2))
        try await store.keep(Hint(type: "T", object: "Account", records: (10..<111).map(RecordID.test)))
        #expect(try await again().pending(of: "Account").map(\.record) == [.test(1)])
        try await store.keep(hint(3))
        try await store.logIn("a", discardingEdits: false)
        try await store.forgetAll()
        #expect(try await store.pending(of: "Account").map(\.record) == [.test(1)])
        try await store.logIn("b", discardingEdits: false)
        #expect(try await store.pending(of: "Account").isEmpty)
    }

    @Test func `a file of the first version keeps its hints, edits and new records`() async throws {
        try await store.keep(hint(1))
        try await store.put(LocalRecord(.test(2, name: "mine", at: 5), changes: .updated), of: "Account")
        try await store.put(LocalRecord(.local(7), fields: ["Name": "new"], changes: .created), of: "Account")
        try await DatabaseQueue(path: folder.file("store")).write {
            try $0.execute(
                sql: """
                    DROP INDEX pendingBehind;
                    ALTER TABLE pending DROP COLUMN behind;
                    DROP INDEX recordByLocalKey;
                    ALTER TABLE record DROP COLUMN base;
                    ALTER TABLE record DROP COLUMN theirs;
                    ALTER TABLE record DROP COLUMN sent;
                    ALTER TABLE record DROP COLUMN external;
                    ALTER TABLE record DROP COLUMN localKey;
                    DELETE FROM grdb_migrations WHERE identifier NOT LIKE '1 %';
                    """)
        }
        let again = try again()
        #expect(try await again.pending(of: "Account").map(\.record) == [.test(1)])
        try await again.forgetAll()
        #expect(try await again.pending(of: "Account").isEmpty)
        #expect(try await again.record(.local(7), of: "Account")?.localKey == .local(7))
        // Stamps show that the server's version is the one that was edited.
        _ = try await again.merge(MergeBatch("Account", [.record(.test(2, name: "theirs", at: 5))]))
        let edit = try #require(try await again.record(.test(2), of: "Account"))
        #expect(edit.unsent() == ["Name": "mine"] && edit.conflict == nil)
    }

    @Test func `a hint without records requires a regular sync`() async throws {
        let mark = try await store.keep(hint())
        #expect(try await store.objectsToSync() == ["Account"] && mark?.number == 1)
        #expect(try await store.pending(of: "Account").isEmpty)
        try await store.keep(Hint(type: "CHAT", object: "", records: []))
        #expect(try await store.objectsToSync() == ["Account"])
        var batch = MergeBatch("Account", [])
        batch.progress = SyncProgress()
        batch.progress?.state = .done
        batch.progress?.served = mark
        _ = try await store.merge(batch)
        #expect(try await store.objectsToSync().isEmpty)
    }

    @Test func `another user gets an empty store, and unsent edits are only discarded on request`() async throws {
        try await store.logIn("a", discardingEdits: false)
        let key = try await store.create(["Name": "mine"], of: "Account")
        try await store.keep(hint(1))
        await #expect(throws: SyncStoreError.unsentEdits(1)) { try await store.logIn("b", discardingEdits: false) }
        #expect(try await store.user() == "a")
        #expect(try await store.record(key, of: "Account")?.changes == .created)
        try await store.logIn("b", discardingEdits: true)
        #expect(try await store.records(of: "Account").isEmpty)
        #expect(try await store.pending(of: "Account").isEmpty)
    }

    @Test func `a record keeps the number of its row, even under another key`() async throws {
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1)), .record(.test(5))]))
        let key = try await store.create(["Name": "new"], of: "Account")
        let sent = try await send(key)
        #expect(sent.rowNumber == 3 && sent.fieldsWithFlags["_soupEntryId"] == 3)
        // The upload and a push stored the same record.
        try await store.uploaded(sent, .clean(id: .test(5), nil), of: "Account")
        _ = try await store.merge(MergeBatch("Account", [.record(.test(5, name: "later", at: 9))]))
        try await store.put(LocalRecord(.test(1, name: "mine"), changes: .updated), of: "Account")
        #expect(try await store.records(of: "Account").map(\.rowNumber) == [1, 3])
        #expect(try await store.records(of: "Account").map(\.key) == [.server(.test(1)), .server(.test(5))])
        #expect(try await store.dirtyRecords(of: "Account").map(\.rowNumber) == [1])
    }

    @Test func `an observer gets the records now and after each change`() async throws {
        var seen: [[RecordKey]] = []
        for try await records in store.observe("Account") {
            seen.append(records.map(\.key))
            guard records.isEmpty else { break }
            _ = try await store.merge(MergeBatch("Account", [.record(.test(1))]))
        }
        #expect(seen == [[], [.server(.test(1))]])
    }

    @Test func `an observer gets the number of waiting records`() async throws {
        var seen: [Int] = []
        for try await count in store.observePendingCount() {
            seen.append(count)
            guard count == 0 else { break }
            try await store.keep(hint(1, 2))
        }
        #expect(seen == [0, 2])
    }

    @Test(arguments: [
        "Account'; DROP TABLE record; --", "\"record\"", "Ac%count_", "", "Ä\u{301}💥", "\u{1}\n\r\t", "NULL", "x'00'",
    ])
    func `names and values that look like SQL are names and values`(text: String) async throws {
        try await store.logIn(text, discardingEdits: false)
        let fields: [String: JSONValue] = [text: .string(text), "n": [.number(.nan), .null, .object([text: true])]]
        let record = FetchedRecord.record(ServerRecord(id: .test(1), fields: fields))
        #expect(try await store.merge(MergeBatch(text, [record], user: text)).counts.inserted == 1)
        #expect(try await store.merge(MergeBatch(text, [record], user: text)).counts.unchanged == 1)
        try await store.keep(hint(1, object: text))
        var edit = LocalRecord(.local(7), fields: [text: .string(text)], changes: .created)
        edit.lastError = text
        try await store.put(edit, of: text)

        let other = try again()
        #expect(try await other.user() == text)
        #expect(try await other.record(.test(1), of: text)?.fields[text]?.string == text)
        #expect(try await other.dirtyRecords(of: text) == [edit])
        #expect(try await other.cleanRecords(of: text, after: nil, limit: 9) == [.test(1)])
        #expect(try await other.pending(of: text).map(\.record) == [.test(1)])
        #expect(try await other.records(of: "Account").isEmpty)
        try await other.check()
    }

    @Test func `the same record once more writes nothing, and notifies no observer`() async throws {
        let batch = MergeBatch("Account", [.record(.test(1, at: 5))])
        _ = try await store.merge(batch)
        let size = { try Data(contentsOf: URL(fileURLWithPath: folder.file("store-wal"))) }
        let before = try size()
        #expect(try await store.merge(batch).counts.unchanged == 1)
        #expect(try size() == before)
        var batchOfSync = batch
        batchOfSync.syncID = "regular"
        #expect(try await store.merge(batchOfSync).counts.unchanged == 1)
        #expect(try await store.record(.test(1), of: "Account")?.syncID == "regular")
    }

    @Test func `only the owner can read the file`() throws {
        for name in ["store", "store-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
}

struct SQLiteFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a file that is not a database is not changed`() throws {
        let file = folder.file("text")
        let text = Data(String(repeating: "no database\n", count: 100).utf8)
        try text.write(to: URL(fileURLWithPath: file))
        #expect(SQLiteStore.errorCode(opening: file) == .damaged)
        #expect(FileManager.default.contents(atPath: file) == text)
    }

    @Test func `another application's database is refused and not changed`() throws {
        let file = folder.file("other")
        try DatabaseQueue(path: file).write { try $0.execute(sql: "CREATE TABLE theirs (a)") }
        let before = FileManager.default.contents(atPath: file)
        #expect(SQLiteStore.errorCode(opening: file) == .foreign)
        #expect(FileManager.default.contents(atPath: file) == before)
    }

    @Test func `a file of a later version is refused`() throws {
        let file = folder.file("later")
        _ = try SQLiteStore(file: file)
        try DatabaseQueue(path: file).write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 what nobody knows yet')")
        }
        #expect(SQLiteStore.errorCode(opening: file) == .newerVersion)
    }

    @Test func `a missing folder is reported`() {
        #expect(SQLiteStore.errorCode(opening: folder.file("none/store")) == .unusable)
    }

    @Test func `a damaged page is reported, not fatal`() async throws {
        let file = folder.file("damaged")
        do {
            let store = try SQLiteStore(file: file)
            let records = (0..<500).map { FetchedRecord.record(.test($0, name: String(repeating: "x", count: 200))) }
            _ = try await store.merge(MergeBatch("Account", records))
        }
        try await DatabaseQueue(path: file).writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 4_096 * 3)
        try handle.write(contentsOf: Data(repeating: 0xff, count: Int(size) - 4_096 * 3))
        try handle.close()
        do {
            let store = try SQLiteStore(file: file)
            _ = try await store.records(of: "Account")
            Issue.record("nothing was reported")
        } catch {
            #expect((error as? SQLiteStoreError)?.code == .damaged)
        }
    }
}
