import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

/// Edits in a file: outcomes of uploads, conflicts and references.
struct SQLiteEditTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(file: folder.file("store"), maximumPending: 100)
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

    @Test func `a new record gets the server's id, and an edit made meanwhile stays dirty`() async throws {
        let key = try await store.create(["Name": "new"], of: "Account")
        let sent = try await send(key)
        try await store.edit(key, of: "Account") { $0["Name"] = "newer" }
        try await store.uploaded(sent, .clean(id: .test(5), ServerDate(millisecondsSince1970: 9)), of: "Account")
        let after = try #require(try await store.record(.test(5), of: "Account"))
        // A screen may still have the former key.
        #expect(try await store.record(key, of: "Account") == after)
        #expect(after.changes == .updated && after.fields["Name"] == "newer")
        #expect(try await store.dirtyRecords(of: "Account") == [after])
    }

    @Test func `edits of a new record that a sync fetched first are kept`() async throws {
        let key = try await store.create(["Name": "new", "Type": "a", "Phone": "1"], of: "Account")
        let sent = try await send(key)
        try await store.edit(key, of: "Account") {
            $0["Name"] = "from the one copy"
            $0["Type"] = "b"
        }
        let edited = try #require(try await store.record(key, of: "Account"))
        var version = ServerRecord.test(5, name: "new", at: 9)
        version.fields["Type"] = "a"
        version.fields["Phone"] = "1"
        _ = try await store.merge(MergeBatch("Account", [.record(version)]))
        try await store.edit(.server(.test(5)), of: "Account") {
            $0["Type"] = "c"
            $0["Phone"] = "2"
        }
        let other = try #require(try await store.record(.test(5), of: "Account"))
        let memory = MemoryRecordStore()
        for record in [edited, other] { await memory.put(record, of: "Account") }

        let outcome = UploadOutcome.clean(id: .test(5), ServerDate(millisecondsSince1970: 9))
        try await store.uploaded(sent, outcome, of: "Account")
        try await memory.uploaded(sent, outcome, of: "Account")
        let records = try await store.records(of: "Account")
        #expect(records == (await memory.records(of: "Account")))
        #expect(records.count == 1 && records[0].changes == .updated)
        #expect(records[0].fields["Name"] == "from the one copy", "edited in one copy alone")
        #expect(records[0].fields["Type"] == "c", "in both: the server's copy counts")
        #expect(records[0].fields["Phone"] == "2")
        #expect(records[0].stamps.system == ServerDate(millisecondsSince1970: 9))
    }

    @Test func `a new record that was deleted after a sync fetched it stays deleted`() async throws {
        let key = try await store.create(["Name": "new"], of: "Account")
        let sent = try await send(key)
        _ = try await store.merge(MergeBatch("Account", [.record(.test(5, name: "new", at: 9))]))
        try await store.delete(.server(.test(5)), of: "Account")
        try await store.uploaded(sent, .clean(id: .test(5), nil), of: "Account")
        #expect(try await store.records(of: "Account").map(\.changes) == [.deleted])
    }

    @Test func `a record whose edits are discarded is fetched again if its base is not known`() async throws {
        // An edit that an earlier version of the library stored, without a base.
        try await store.put(LocalRecord(.test(1, at: 5), changes: .updated), of: "Account")
        try await store.discardEdits(.server(.test(1)), of: "Account")
        #expect(try await store.pending(of: "Account").map(\.record) == [.test(1)])
        let result = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "theirs", at: 5))]))
        #expect(result.counts.replaced == 1)
    }

    @Test func `a conflict is observed, survives a restart, and is resolved`() async throws {
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "base", at: 5))]))
        try await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "mine" }
        var seen: [[String]] = []
        for try await conflicts in store.observeConflicts(of: "Account") {
            seen.append(conflicts.flatMap(\.fields))
            guard conflicts.isEmpty, seen.count == 1 else { break }
            _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "theirs", at: 6))]))
        }
        #expect(seen == [[], ["Name"]])
        let again = try again()
        let conflict = try #require(try await again.conflicts(of: "Account").first)
        #expect(conflict.base["Name"] == "base" && conflict.mine["Name"] == "mine")
        #expect(conflict.theirs?["Name"] == "theirs")
        try await again.resolve(conflict.key, of: "Account", .mine)
        #expect(try await again.conflicts(of: "Account").isEmpty)
        #expect(try await again.record(.test(1), of: "Account")?.unsent() == ["Name": "mine"])
    }

    @Test func `references in the edits of all objects follow a record that gets its id`() async throws {
        let parent = try await store.create(["Name": "a"], of: "Account")
        let child = try await store.create(["Name": "b", "AccountId": .string("\(parent)")], of: "Contact")
        _ = try await store.merge(MergeBatch("Contact", [.record(.test(9, name: "c", at: 5))]))
        try await store.edit(.server(.test(9)), of: "Contact") { $0["AccountId"] = .string("\(parent)") }
        let sent = try await send(parent)
        try await store.uploaded(sent, .clean(id: .test(5), nil), of: "Account")
        let id = JSONValue.string("\(RecordID.test(5))")
        #expect(try await store.record(child, of: "Contact")?.fields["AccountId"] == id)
        #expect(try await store.record(.test(9), of: "Contact")?.unsent() == ["AccountId": id])
        let later = try await store.create(["Name": "d", "AccountId": .string("\(parent)")], of: "Contact")
        #expect(try await store.record(later, of: "Contact")?.fields["AccountId"] == id)
    }

    @Test func `a change that throws, or takes a key that exists, writes nothing`() async throws {
        let key = try await store.create(["Name": "a"], of: "Account")
        await #expect(throws: SyncStoreError.keyTaken) {
            try await store.change([key], of: "Contact") {
                $0.record = LocalRecord(key, fields: [:], changes: .created)
            }
        }
        #expect(try await store.records(of: "Contact").isEmpty)
        await #expect(throws: SyncStoreError.noRecord) {
            try await store.change([key, .local(1)], of: "Account") { change in
                guard change.record != nil else { throw SyncStoreError.noRecord }
                change.record = nil
            }
        }
        #expect(try await store.record(key, of: "Account") != nil)
    }

    @Test func `what one user has begun never reaches the records of the next one, in the file too`() async throws {
        let key = RecordKey.server(.test(1))
        try await store.logIn("a", discardingEdits: false)
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "A"))], user: "a"))
        let (session, generation) = (try await store.session(), try await store.generation())
        let sent = try #require(try await store.record(key, of: "Account"))
        try await session.edit(key, of: "Account") { $0["Name"] = "mine" }

        try await store.logIn("b", discardingEdits: true)
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "A"))], user: "b"))
        try store.close()
        let late = try again()
        for lost in [session, StoreSession(late, generation)] {
            await #expect(throws: (any Error).self) { try await lost.edit(key, of: "Account") { $0["Name"] = "late" } }
        }
        let other = StoreSession(late, generation)
        await #expect(throws: SyncStoreError.otherUser) { try await other.delete(key, of: "Account") }
        await #expect(throws: SyncStoreError.otherUser) { try await other.create(["Name": "new"], of: "Account") }
        await #expect(throws: SyncStoreError.otherUser) {
            try await late.uploaded(sent, .remove, of: "Account", in: generation)
        }
        var batch = MergeBatch("Account", [.missing(.test(1))])
        batch.generation = generation
        await #expect(throws: SyncStoreError.otherUser) { try await late.merge(batch) }
        #expect(try await late.records(of: "Account").map(\.fields["Name"]) == ["A"])

        let last = try await late.session()
        try await late.erase(discardingEdits: true)
        await #expect(throws: SyncStoreError.otherUser) { try await last.create(["Name": "new"], of: "Account") }
    }
}
