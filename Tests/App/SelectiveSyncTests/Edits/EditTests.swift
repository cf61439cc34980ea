import PushDispatch
import SelectiveSync
import Testing

/// Edits of records in a store, and their conflicts.
struct EditTests {
    private static let early = "2026-05-20T20:49:32.000+0000"
    private static let late = "2026-05-20T20:49:33.000+0000"
    private let store = MemoryRecordStore()
    private let key = RecordKey.server(.test(1))

    private func merge(_ fields: [String: JSONValue]?, at stamp: String = Self.late, policy: ConflictPolicy = .keep)
        async throws
    {
        var version = ServerRecord.test(1, at: stamp)
        version.fields.merge(fields ?? [:]) { _, new in new }
        _ = try await store.merge(
            MergeBatch(
                "Account", [fields == nil ? .missing(.test(1)) : .record(version)],
                rules: MergeRules(conflicts: policy)))
    }

    private func record() async -> LocalRecord? { await store.record(key, of: "Account") }

    private func edit(_ fields: [String: JSONValue]) async throws {
        try await store.edit(key, of: "Account") { $0.merge(fields) { _, new in new } }
    }

    /// Both sides have changed Name; the user has changed Phone, the server Type.
    private func makeConflict(policy: ConflictPolicy = .keep) async throws {
        try await merge(["Name": "base", "Type": "base", "Phone": "base"], at: Self.early)
        try await edit(["Name": "mine", "Phone": "mine"])
        try await merge(["Name": "theirs", "Type": "theirs", "Phone": "base"], policy: policy)
    }

    @Test func `an edit keeps its base, and an undone one leaves the record clean`() async throws {
        try await merge(["Type": "x"], at: Self.early)
        try await edit(["Type": "x"])
        #expect(await record()?.isDirty == false)
        try await edit(["Type": "y"])
        #expect(await record()?.changes == .updated)
        #expect(await record()?.base?["Type"] == "x")
        try await edit(["Type": "x"])
        #expect(await record()?.isDirty == false)
        #expect(await record()?.base == nil)
    }

    @Test func `a reference to a record that was created again follows where the user has set it, and nowhere else`()
        throws
    {
        let (old, new) = (RecordKey.server(.test(7)), RecordID.test(8))
        func record(_ from: RecordID, _ value: RecordID, _ changes: LocalRecord.Changes) -> LocalRecord {
            var record = LocalRecord(key, fields: ["ParentId": .string(value.description)], changes: changes)
            record.base = ["ParentId": .string(from.description)]
            return record
        }
        var deleted = record(.test(7), .test(7), .deleted)
        let before = deleted
        deleted.follow(old, to: new)
        #expect(deleted == before)
        var set = record(.test(1), .test(7), .updated)
        set.follow(old, to: new)
        #expect(set.unsent() == ["ParentId": .string(new.description)])
        #expect(set.base?["ParentId"] == .string(RecordID.test(1).description))
        var isNew = LocalRecord(
            .local(5), fields: ["ParentId": .string(RecordID.test(7).description)], changes: .created)
        isNew.follow(old, to: new)
        #expect(isNew.fields["ParentId"] == .string(new.description))
    }

    @Test func `an edit cannot change what the server sets, and a removed field is null`() async throws {
        try await merge(["Type": "x"], at: Self.early)
        try await store.edit(key, of: "Account") {
            $0["SystemModstamp"] = "2000-01-01T00:00:00Z"
            $0["Id"] = nil
            $0["Type"] = nil
        }
        #expect(await record()?.fields["SystemModstamp"]?.string == Self.early)
        #expect(await record()?.fields["Id"]?.string == "\(RecordID.test(1))")
        #expect(await record()?.fields["Type"] == .null)
    }

    @Test func `a record that is missing or deleted cannot be edited, and an error changes nothing`() async throws {
        await #expect(throws: SyncStoreError.noRecord) { try await edit(["Name": "x"]) }
        try await merge([:], at: Self.early)
        await #expect(throws: TestError.self) {
            try await store.edit(key, of: "Account") {
                $0["Name"] = "x"
                throw TestError()
            }
        }
        #expect(await record()?.isDirty == false)
        try await store.delete(key, of: "Account")
        await #expect(throws: SyncStoreError.noRecord) { try await edit(["Name": "x"]) }
        #expect(await record()?.changes == .deleted)
    }

    @Test func `the server's other fields come into a record with edits at once`() async throws {
        try await merge(["Type": "x"], at: Self.early)
        try await edit(["Name": "mine"])
        try await merge(["Type": "y"])
        #expect(await record()?.fields["Type"] == "y")
        #expect(await record()?.fields["Name"] == "mine")
        #expect(await record()?.base?["Type"] == "y")
        #expect(await record()?.conflict == nil)
        try await merge(["Type": "older"], at: Self.early)
        #expect(await record()?.fields["Type"] == "y")
    }

    @Test func `the same edit by both sides leaves the record clean`() async throws {
        try await merge(["Type": "x"], at: Self.early)
        try await edit(["Type": "y"])
        try await merge(["Type": "y"])
        #expect(await record()?.isDirty == false)
    }

    @Test func `a conflict ends with the decision for the user's values`() async throws {
        try await makeConflict()
        #expect(try await store.conflicts(of: "Account").map(\.fields) == [["Name"]])
        #expect(await record()?.fields["Type"] == "theirs")
        try await store.resolve(key, of: "Account", .mine)
        #expect(await record()?.conflict == nil)
        #expect(await record()?.unsent() == ["Name": "mine", "Phone": "mine"])
    }

    @Test func `a conflict ends with the decision for the server's values, and other edits stay`() async throws {
        try await makeConflict()
        try await store.resolve(key, of: "Account", .theirs)
        #expect(await record()?.fields["Name"] == "theirs")
        #expect(await record()?.unsent() == ["Phone": "mine"])
    }

    @Test func `a conflict ends field by field`() async throws {
        try await merge(["Type": "base"], at: Self.early)
        try await edit(["Name": "mine", "Type": "mine"])
        try await merge(["Name": "theirs", "Type": "theirs"])
        try await store.resolve(key, of: "Account", .fields(["Name": "both", "Phone": "not in conflict"]))
        #expect(await record()?.conflict?.fields == ["Type"])
        #expect(await record()?.fields["Phone"] == nil)
        try await store.resolve(key, of: "Account", .fields(["Type": "theirs"]))
        #expect(await record()?.unsent() == ["Name": "both"])
    }

    @Test func `a decision concerns the conflict that was shown`() async throws {
        try await makeConflict()
        let shown = try #require(try await store.conflicts(of: "Account").first)
        try await merge(["Name": "theirs again", "Type": "theirs", "Phone": "base"], at: "2026-05-20T20:49:34Z")
        try await store.resolve(shown, of: "Account", .mine)
        #expect(await record()?.conflict?.theirs?["Name"] == "theirs again")
        let again = try #require(try await store.conflicts(of: "Account").first)
        try await store.resolve(again, of: "Account", .mine)
        #expect(await record()?.conflict == nil)
    }

    @Test func `a decision about a changed record does not delete it once more has changed`() async throws {
        try await merge(["Type": "x"], at: Self.early)
        try await store.delete(key, of: "Account")
        try await merge(["Type": "y"])
        let shown = try #require(try await store.conflicts(of: "Account").first)
        try await merge(["Type": "z"], at: "2026-05-20T20:49:34Z")
        try await store.resolve(shown, of: "Account", .mine)
        #expect(await record()?.conflict?.isDeletedHere == true)
    }

    @Test func `a record that both sides have deleted is in no conflict, and does not come back`() async throws {
        try await makeConflict()
        try await store.delete(key, of: "Account")
        try await merge(nil)
        #expect(await record()?.conflict == nil)
        try await store.discardEdits(key, of: "Account")
        #expect(await record() == nil)
    }

    @Test func `an edit to the server's value ends a conflict`() async throws {
        try await makeConflict()
        try await edit(["Name": "theirs"])
        #expect(await record()?.conflict == nil)
        #expect(await record()?.unsent() == ["Phone": "mine"])
    }

    @Test(arguments: [ConflictPolicy.mine, .theirs])
    func `a policy decides at once`(policy: ConflictPolicy) async throws {
        try await makeConflict(policy: policy)
        #expect(await record()?.conflict == nil)
        #expect(await record()?.fields["Name"]?.string == policy.rawValue)
    }

    @Test func `a record that the server deleted is created again, or removed`() async throws {
        for resolution in [ConflictResolution.mine, .fields(["Name": "other"]), .theirs] {
            try await merge([:], at: Self.early)
            try await edit(["Name": "mine"])
            try await merge(nil)
            #expect(await record()?.conflict?.isDeletedAtServer == true)
            try await store.resolve(key, of: "Account", resolution)
            #expect(await record()?.conflict == nil)
            #expect(await record()?.changes == (resolution == .theirs ? nil : .created))
            #expect(await record()?.externalID == (resolution == .theirs ? nil : "again-\(RecordID.test(1))"))
        }
        #expect(await record() == nil)
    }

    @Test func `a deletion contradicts a change at the server, and not a new stamp`() async throws {
        try await merge(["Type": "x"], at: Self.early)
        try await store.delete(key, of: "Account")
        try await merge(["Type": "x"])
        #expect(await record()?.conflict == nil)
        try await merge(["Type": "y"], at: "2026-05-20T20:49:34Z")
        #expect(await record()?.conflict?.isDeletedHere == true)
        try await store.resolve(key, of: "Account", .mine)
        #expect(await record()?.changes == .deleted)
        #expect(await record()?.conflict == nil)
        try await merge(["Type": "z"], at: "2026-05-20T20:49:35Z")
        try await store.resolve(key, of: "Account", .theirs)
        #expect(await record()?.isDirty == false)
        #expect(await record()?.fields["Type"] == "z")
    }

    @Test(arguments: [["Type": "x"], ["Type": "mine"]] as [[String: JSONValue]])
    func `a deletion that is confirmed and then given up leaves no edit of what the server changed before`(
        edit: [String: JSONValue]
    ) async throws {
        try await merge(["Type": "x", "Phone": "a", "Name": "n"], at: Self.early)
        try await self.edit(edit)
        try await store.delete(key, of: "Account")
        try await merge(["Type": "y", "Phone": "a", "Name": "n"])
        try await store.resolve(key, of: "Account", .mine)
        #expect(await record()?.changes.contains(.deleted) == true)
        try await merge(["Type": "y", "Phone": "b", "Name": "n"], at: "2026-05-20T20:49:34Z")
        #expect(await record()?.conflict?.isDeletedHere == true)
        try await store.resolve(key, of: "Account", .theirs)
        #expect(await record()?.isDirty == false)
        #expect(await record()?.fields["Type"] == "y")
        #expect(await record()?.fields["Phone"] == "b")
    }

    @Test func `discarded edits leave the server's version`() async throws {
        try await makeConflict()
        try await store.discardEdits(key, of: "Account")
        #expect(await record()?.isDirty == false)
        #expect(await record()?.fields["Name"] == "theirs")
        #expect(await record()?.fields["Phone"] == "base")
        // Edits keep a record that is out of scope, so it is fetched once more.
        #expect(await store.pending(of: "Account", after: nil).map(\.record) == [key.id])
        let new = try await store.create(["Name": "new"], of: "Account")
        try await store.discardEdits(new, of: "Account")
        #expect(await store.record(new, of: "Account") == nil)
    }

    @Test func `a new record that is deleted before it was sent leaves nothing`() async throws {
        let new = try await store.create(["Name": "new"], of: "Account")
        let record = try #require(await store.record(new, of: "Account"))
        #expect(record.changes == .created && record.externalID?.count == 32)
        try await store.delete(new, of: "Account")
        #expect(await store.records(of: "Account").isEmpty)
        try await store.delete(new, of: "Account")
    }
}
