import PushDispatch
import Testing

@testable import SelectiveSync

struct UploadTests {
    private static let base = ServerDate(millisecondsSince1970: 1_000)
    private static let later = ServerDate(millisecondsSince1970: 2_000)

    private func local(_ changes: LocalRecord.Changes, dated: Bool = true) -> LocalRecord {
        var record = LocalRecord(.test(1), changes: changes)
        if dated { record.fields["LastModifiedDate"] = .string(Self.base.description) }
        return record
    }

    @Test(
        arguments: [
            (.updated, .modified(UploadTests.base), .update), (.updated, .modified(UploadTests.later), .leave),
            (.deleted, .modified(UploadTests.base), .delete), (.deleted, .modified(UploadTests.later), .leave),
            (.updated, .same(UploadTests.later), .settle(UploadTests.later)),
            (.deleted, .same(UploadTests.later), .leave),
            (.deleted, .deleted, .delete), (.updated, .deleted, .leave), (.created, .unread, .create),
            ([.created, .updated], .unread, .create), ([.created, .deleted], .unread, .drop), ([], .unread, .nothing),
        ] as [(LocalRecord.Changes, UploadDecision.ServerCopy, UploadDecision)])
    func `what is left alone has changed on both sides`(
        changes: LocalRecord.Changes, server: UploadDecision.ServerCopy, upload: UploadDecision
    ) {
        #expect(UploadDecision.decide(local(changes), server: server, mode: .leaveIfChanged) == upload)
    }

    @Test func `overwriting sends always, and a copy without a date is sent too`() {
        let changed = UploadDecision.ServerCopy.modified(Self.later)
        #expect(UploadDecision.decide(local(.updated), server: changed, mode: .overwrite) == .update)
        #expect(UploadDecision.decide(local(.updated, dated: false), server: changed, mode: .leaveIfChanged) == .update)
        #expect(!UploadDecision.needsServerCopy(local(.updated), mode: .overwrite))
        #expect(!UploadDecision.needsServerCopy(local(.created), mode: .leaveIfChanged))
        #expect(UploadDecision.needsServerCopy(local(.updated), mode: .leaveIfChanged))
    }

    @Test func `a record that is not there any more is made anew, left, or deleted here`() {
        #expect(UploadDecision.update.outcome(of: .notFound, mode: .overwrite) == .createAnew)
        #expect(UploadDecision.update.outcome(of: .notFound, mode: .leaveIfChanged) == .leave)
        #expect(UploadDecision.delete.outcome(of: .notFound, mode: .leaveIfChanged) == .remove)
        #expect(UploadDecision.drop.outcome(of: .network, mode: .overwrite) == .remove)
        #expect(UploadDecision.update.outcome(of: .network, mode: .overwrite) == .failPass)
        #expect(UploadDecision.update.outcome(of: .refused("X"), mode: .overwrite) == .error("X"))
    }

    @Test func `an upload clears the flags, unless the record was edited meanwhile`() async {
        let store = MemoryRecordStore()
        let sent = local(.updated)
        await store.put(sent, of: "Account")
        await store.uploaded(sent, .clean(id: nil, Self.later), of: "Account")
        let clean = await store.record(.test(1), of: "Account")
        #expect(clean?.isDirty == false && clean?.uploaded == Self.later)
        var edited = sent
        edited.fields["Name"] = "again"
        await store.put(edited, of: "Account")
        await store.uploaded(sent, .clean(id: nil, Self.later), of: "Account")
        #expect(await store.record(.test(1), of: "Account")?.changes == .updated)
    }

    @Test func `a clean record is fetched where a regular sync may have come past its copy`() async throws {
        func pending(_ progress: SyncProgress, _ sent: LocalRecord, _ outcome: UploadOutcome) async throws -> [RecordID]
        {
            let store = MemoryRecordStore()
            var batch = MergeBatch("Account", [])
            batch.progress = progress
            _ = try await store.merge(batch)
            await store.put(sent, of: "Account")
            await store.uploaded(sent, outcome, of: "Account")
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
        let created = LocalRecord(.local(1), fields: ["Name": "new"], changes: .created)
        #expect(try await pending(progress, created, .clean(id: .test(7), Self.later)) == [.test(7)])
        progress.mark = nil
        progress.pass = SyncProgress.Pass(pending: PendingMark(number: 0), began: Self.later, wantsGhosts: false)
        #expect(try await pending(progress, local(.updated), clean) == [.test(1)])
    }

    @Test func `the copy that this device itself uploaded is no change by somebody else`() {
        var record = local(.updated)
        record.uploaded = Self.later
        #expect(UploadDecision.decide(record, server: .modified(Self.later), mode: .leaveIfChanged) == .update)
    }

    @Test func `an outcome leaves a record alone that is clean by now`() async {
        let store = MemoryRecordStore()
        for outcome in [UploadOutcome.clean(id: nil, Self.later), .createAnew, .error("X"), .remove] {
            await store.put(local([]), of: "Account")
            await store.uploaded(local(.updated), outcome, of: "Account")
            #expect(await store.record(.test(1), of: "Account") == local([]))
        }
    }

    @Test func `an error stays with its record, cut short`() async {
        let store = MemoryRecordStore()
        await store.put(local(.updated), of: "Account")
        await store.uploaded(local(.updated), .error(String(repeating: "x", count: 999)), of: "Account")
        let record = await store.record(.test(1), of: "Account")
        #expect(record?.isDirty == true && record?.lastError?.count == 200)
    }

    @Test func `the flags have their usual names among the fields`() {
        let fields = local([.created, .updated]).fieldsWithFlags
        #expect(fields["__local__"] == true && fields["__locally_created__"] == true)
        #expect(fields["__locally_updated__"] == true && fields["__locally_deleted__"] == false)
        #expect(fields["_soupEntryId"] == nil)
    }

    @Test func `a store numbers its rows, and the number says nothing of the record`() async throws {
        let store = MemoryRecordStore()
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "A")), .record(.test(2, name: "B"))]))
        var mine = try #require(await store.record(.test(2), of: "Account"))
        #expect(mine.fieldsWithFlags["_soupEntryId"] == 2)
        #expect(mine == LocalRecord(.test(2, name: "B")))
        mine.changes = .updated
        await store.put(LocalRecord(.test(2, name: "B"), changes: .updated), of: "Account")
        await store.put(LocalRecord(.local(7), fields: [:], changes: .created), of: "Account")
        await store.uploaded(
            LocalRecord(.local(7), fields: [:], changes: .created), .clean(id: .test(3), nil), of: "Account")
        _ = try await store.merge(
            MergeBatch("Account", [.missing(.test(1)), .record(.test(3, name: "C", at: "2026-05-20T20:00:00Z"))]))
        #expect(await store.records(of: "Account").map(\.rowNumber) == [2, 3])
        #expect(await store.record(.test(2), of: "Account") == mine)
    }

    @Test(arguments: [
        ("local_000000007", RecordKey.local(7)), ("001xx000003DGb2", .server(RecordID("001xx000003DGb2AAG")!)),
    ])
    func `a key is an id or a local name of nine digits`(text: String, key: RecordKey) {
        #expect(RecordKey(text) == key)
        #expect(RecordKey(key.description) == key)
    }

    @Test(arguments: ["local_7", "local_0000000071", "local_00000000x", "", "local_", "001'; DROP TABLE x"])
    func `anything else is no key`(text: String) {
        #expect(RecordKey(text) == nil)
    }
}
