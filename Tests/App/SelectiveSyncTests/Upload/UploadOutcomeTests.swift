import PushDispatch
import Testing

@testable import SelectiveSync

struct UploadOutcomeTests {
    private static let later = ServerDate(millisecondsSince1970: 2_000)

    private func local(_ changes: LocalRecord.Changes) -> LocalRecord {
        var record = LocalRecord(.test(1), changes: changes)
        record.fields["LastModifiedDate"] = .string(ServerDate(millisecondsSince1970: 1_000).description)
        guard !changes.isEmpty else { return record }
        record.base = record.fields
        record.fields["Name"] = "mine"
        if changes != .deleted { record.sent = ["Name": "mine"] }
        return record
    }

    @Test func `an upload clears the flags, unless the record was edited meanwhile`() async throws {
        let store = MemoryRecordStore()
        let sent = local(.updated)
        await store.put(sent, of: "Account")
        try await store.uploaded(sent, .clean(id: nil, Self.later), of: "Account")
        let clean = await store.record(.test(1), of: "Account")
        #expect(clean?.isDirty == false && clean?.uploaded == Self.later)
        var edited = sent
        edited.fields["Name"] = "again"
        await store.put(edited, of: "Account")
        try await store.uploaded(sent, .clean(id: nil, Self.later), of: "Account")
        #expect(await store.record(.test(1), of: "Account")?.changes == .updated)
    }

    @Test func `a version that comes before the answer of the upload it follows is not taken for an edit`() async throws
    {
        let store = MemoryRecordStore()
        let sent = local(.updated)
        await store.put(sent, of: "Account")
        // First the version of the upload, then what automation has made of it.
        for (second, name) in [(2, "mine"), (3, "by a flow")] {
            let stamp = ServerDate(millisecondsSince1970: Int64(second) * 1_000).description
            let version = ServerRecord.test(1, name: name, at: stamp)
            _ = try await store.merge(MergeBatch("Account", [.record(version)]))
        }
        try await store.uploaded(sent, .clean(id: nil, nil), of: "Account")
        let record = try #require(await store.record(.test(1), of: "Account"))
        #expect(record.fields["Name"] == "by a flow" && !record.isDirty)
    }

    @Test func `a clean record is fetched if a regular sync may have passed its version`() async throws {
        func pending(_ progress: SyncProgress, _ sent: LocalRecord, _ outcome: UploadOutcome) async throws -> [RecordID]
        {
            let store = MemoryRecordStore()
            var batch = MergeBatch("Account", [])
            batch.progress = progress
            _ = try await store.merge(batch)
            await store.put(sent, of: "Account")
            try await store.uploaded(sent, outcome, of: "Account")
            return await store.pending(of: "Account", after: nil).map(\.record)
        }
        let clean = UploadOutcome.clean(id: nil, Self.later)
        var progress = SyncProgress()
        #expect(try await pending(progress, local(.updated), clean).isEmpty)
        progress.mark = ServerDate(millisecondsSince1970: Self.later.millisecondsSince1970 - 1)
        #expect(try await pending(progress, local(.updated), clean).isEmpty)
        #expect(try await pending(progress, local(.updated), .clean(id: nil, nil)) == [.test(1)])
        progress.mark = Self.later
        #expect(try await pending(progress, local(.updated), clean) == [.test(1)])
        #expect(try await pending(progress, local(.updated), .leave).isEmpty)
        #expect(try await pending(progress, local(.deleted), .remove).isEmpty)
        var created = LocalRecord(.local(1), fields: ["Name": "new"], changes: .created)
        created.sent = created.fields
        #expect(try await pending(progress, created, .clean(id: .test(7), Self.later)) == [.test(7)])
        progress.mark = nil
        progress.pass = SyncProgress.Pass(pending: PendingMark(number: 0), began: Self.later, wantsComparison: false)
        #expect(try await pending(progress, local(.updated), clean) == [.test(1)])
    }

    @Test func `an outcome does not change a record that is clean by now`() async throws {
        let store = MemoryRecordStore()
        for outcome in [UploadOutcome.clean(id: nil, Self.later), .createAnew, .error("X"), .remove] {
            await store.put(local([]), of: "Account")
            try await store.uploaded(local(.updated), outcome, of: "Account")
            #expect(await store.record(.test(1), of: "Account") == local([]))
        }
    }

    @Test(arguments: [ConflictPolicy.theirs, .mine])
    func `what is decided about a conflict during an upload is not what the upload has sent`(
        policy: ConflictPolicy
    ) async throws {
        let store = MemoryRecordStore()
        let sent = local(.updated)
        await store.put(sent, of: "Account")
        var rules = MergeRules()
        rules.conflicts = policy
        let theirs = ServerRecord.test(1, name: "theirs", at: Self.later.description)
        _ = try await store.merge(MergeBatch("Account", [.record(theirs)], rules: rules))
        try await store.uploaded(sent, .clean(id: nil, nil), of: "Account")
        let record = await store.record(.test(1), of: "Account")
        #expect(record?.isDirty == (policy == .mine))
        #expect(record?.fields["Name"] == (policy == .mine ? "mine" : "theirs"))
        #expect(record?.unsent() == (policy == .mine ? ["Name": "mine"] : [:]))
    }

    @Test func `an error is kept with its record, shortened`() async throws {
        let store = MemoryRecordStore()
        await store.put(local(.updated), of: "Account")
        try await store.uploaded(local(.updated), .error(String(repeating: "x", count: 999)), of: "Account")
        let record = await store.record(.test(1), of: "Account")
        #expect(record?.isDirty == true && record?.lastError?.count == 200)
        #expect(record?.sent == nil, "the server did not take it")
    }
}
