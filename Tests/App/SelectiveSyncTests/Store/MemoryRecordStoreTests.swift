import PushDispatch
import SelectiveSync
import Testing

struct MemoryRecordStoreTests {
    private let store = MemoryRecordStore()

    @Test func `answers for another user are refused`() async throws {
        try await store.logIn("005xx000001X8Uz", discardingEdits: false)
        await #expect(throws: SyncStoreError.otherUser) {
            try await store.merge(MergeBatch("Account", [.record(.test(1))], user: "005xx000001X8Uy"))
        }
        #expect(await store.records(of: "Account").isEmpty)
    }

    @Test func `another user gets an empty store, and unsent edits are only discarded on request`() async throws {
        try await store.logIn("a", discardingEdits: false)
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1))]))
        await store.keep(Hint(type: "T", object: "Account", records: [.test(2)]))
        await store.put(LocalRecord(.test(3), changes: .updated), of: "Account")
        await #expect(throws: SyncStoreError.unsentEdits(1)) { try await store.logIn("b", discardingEdits: false) }
        #expect(await store.user() == "a")
        try await store.logIn("b", discardingEdits: true)
        #expect(await store.records(of: "Account").isEmpty)
        #expect(await store.pending(of: "Account", after: nil).isEmpty)
    }

    @Test func `a store numbers its rows, and the number does not count in a comparison`() async throws {
        let store = MemoryRecordStore()
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "A")), .record(.test(2, name: "B"))]))
        var mine = try #require(await store.record(.test(2), of: "Account"))
        #expect(mine.fieldsWithFlags["_soupEntryId"] == 2)
        #expect(mine == LocalRecord(.test(2, name: "B")))
        mine.changes = .updated
        await store.put(LocalRecord(.test(2, name: "B"), changes: .updated), of: "Account")
        await store.put(LocalRecord(.local(7), fields: [:], changes: .created), of: "Account")
        try await store.uploaded(
            LocalRecord(.local(7), fields: [:], changes: .created), .clean(id: .test(3), nil), of: "Account")
        _ = try await store.merge(
            MergeBatch("Account", [.missing(.test(1)), .record(.test(3, name: "C", at: "2026-05-20T20:00:00Z"))]))
        #expect(await store.records(of: "Account").map(\.rowNumber) == [2, 3])
        #expect(await store.record(.test(2), of: "Account") == mine)
    }
}
