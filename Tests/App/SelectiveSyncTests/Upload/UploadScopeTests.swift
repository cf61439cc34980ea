import PushDispatch
import Testing

@testable import SelectiveSync

/// Edits keep a record on the device also while it is out of scope. When they end, it is fetched once more with the filter, and
/// removed if it does not match.
struct UploadScopeTests {
    private let server = EditServer()
    private let store = MemoryRecordStore()
    private let key = RecordKey.server(.test(1))

    /// A record whose user has changed its name to "mine".
    private func begin() async throws {
        let version = await server.put(.test(1), ["Name": "old", "Type": .null])
        _ = try await store.merge(MergeBatch("Account", [.record(version)]))
        try await store.edit(key, of: "Account") { $0["Name"] = "mine" }
    }

    private func upload(filter: RecordFilter?) async -> UploadReport {
        var account = SyncObject("Account", fields: ["Name", "Type"])
        account.filter = filter
        let sync = RecordSync(objects: [account], fetcher: server, store: store, clock: StillClock())
        return await sync.upload("Account", to: server, until: DispatchMoment(milliseconds: 20_000))
    }

    private func waiting() async -> [RecordID] { await store.pending(of: "Account", after: nil).map(\.record) }

    private static let filters: [RecordFilter?] = [.field("Type", .equal, "x"), nil]

    @Test(arguments: filters)
    func `an edit that is at the server already`(filter: RecordFilter?) async throws {
        try await begin()
        await server.put(.test(1), ["Name": "mine"])
        #expect(await upload(filter: filter).state == .done)
        #expect(await store.record(key, of: "Account")?.isDirty == false)
        #expect(await waiting() == (filter == nil ? [] : [.test(1)]))
    }

    @Test(arguments: filters)
    func `an edit of fields that are not uploaded`(filter: RecordFilter?) async throws {
        try await begin()
        let edited = try #require(await store.record(key, of: "Account"))
        var account = SyncObject("Account", fields: ["Name", "Type"])
        account.editableFields = ["Type"]
        account.filter = filter
        var change = RecordChange(edited)
        #expect(UploadPass(account, mode: .leaveIfChanged).begin(&change)?.upload == .clean)
        #expect(change.record?.isDirty == false && change.isFetchedAgain == (filter != nil))
    }

    @Test func `an edit that its user takes back`() async throws {
        try await begin()
        try await store.edit(key, of: "Account") { $0["Name"] = "old" }
        #expect(await store.record(key, of: "Account")?.isDirty == false)
        #expect(await waiting() == [.test(1)])
    }

    @Test func `discarded edits`() async throws {
        try await begin()
        try await store.discardEdits(key, of: "Account")
        #expect(await waiting() == [.test(1)])
    }

    @Test func `a conflict that its user decides for the server`() async throws {
        try await begin()
        await server.put(.test(1), ["Name": "theirs"])
        #expect(await upload(filter: nil).conflicts == [key])
        try await store.resolve(key, of: "Account", .theirs)
        #expect(await waiting() == [.test(1)])
    }
}
