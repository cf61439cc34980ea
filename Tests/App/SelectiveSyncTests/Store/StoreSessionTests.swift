import PushDispatch
import SelectiveSync
import Testing

struct StoreSessionTests {
    private let store = MemoryRecordStore()
    private let key = RecordKey.server(.test(1))

    @Test func `what one user has begun never reaches the records of the next one`() async throws {
        try await store.logIn("a", discardingEdits: false)
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "A"))], user: "a"))
        let session = try await store.session()
        let generation = await store.generation()
        let sent = try #require(await store.record(key, of: "Account"))
        try await store.logIn("b", discardingEdits: true)
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "A"))], user: "b"))

        await #expect(throws: SyncStoreError.otherUser) {
            try await session.edit(key, of: "Account") { $0["Name"] = "mine" }
        }
        await #expect(throws: SyncStoreError.otherUser) { try await session.create(["Name": "new"], of: "Account") }
        await #expect(throws: SyncStoreError.otherUser) { try await session.delete(key, of: "Account") }
        await #expect(throws: SyncStoreError.otherUser) { try await session.resolve(key, of: "Account", .mine) }
        await #expect(throws: SyncStoreError.otherUser) { try await session.discardEdits(key, of: "Account") }
        await #expect(throws: SyncStoreError.otherUser) {
            try await store.uploaded(sent, .remove, of: "Account", in: generation)
        }
        var batch = MergeBatch("Account", [.missing(.test(1))])
        batch.generation = generation
        await #expect(throws: SyncStoreError.otherUser) { try await store.merge(batch) }
        #expect(await store.records(of: "Account").map(\.fields["Name"]) == ["A"])
        #expect(await store.dirtyRecords(of: "Account").isEmpty)
    }

    @Test func `a session lasts while nothing is removed`() async throws {
        let session = try await store.session()
        try await store.logIn("a", discardingEdits: false)
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "A"))], user: "a"))
        try await store.logIn("a", discardingEdits: false)
        await #expect(throws: Never.self) { try await session.edit(key, of: "Account") { $0["Name"] = "mine" } }
        await #expect(throws: SyncStoreError.unsentEdits(1)) { try await store.logIn("b", discardingEdits: false) }
        await #expect(throws: Never.self) { try await session.edit(key, of: "Account") { $0["Name"] = "again" } }
        try await store.erase(discardingEdits: true)
        await #expect(throws: SyncStoreError.otherUser) { try await session.create(["Name": "new"], of: "Account") }
    }
}
