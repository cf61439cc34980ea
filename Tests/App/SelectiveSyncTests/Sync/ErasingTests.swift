import PushDispatch
import SelectiveSync
import Testing

/// Log-outs that delete everything.
struct ErasingTests {
    private static let user = "005xx000001X8Uz"
    private let server = FakeServer()
    private let store = HookedStore()
    private let sync: RecordSync

    init() {
        sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: store, clock: StillClock())
    }

    private func begin() async throws {
        for number in 1...4 { await server.put(number, "old") }
        try await sync.logIn(Self.user)
        #expect(await run(server).state == .done)
        await store.store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))
    }

    private func run(_ source: any RecordSource) async -> RegularSyncReport {
        await sync.regularSync(
            of: "Account", from: source, now: ServerDate(millisecondsSince1970: await server.now),
            until: DispatchMoment(milliseconds: 1_000_000))
    }

    private func expectEmpty(_ location: SourceLocation = #_sourceLocation) async {
        let store = store.store
        #expect(await store.records(of: "Account").isEmpty, sourceLocation: location)
        #expect(await store.progress(of: "Account") == SyncProgress(), sourceLocation: location)
        #expect(await store.pending(of: "Account", after: nil).isEmpty, sourceLocation: location)
        #expect(await store.user() == nil, sourceLocation: location)
    }

    @Test func `a log-out keeps the records by default`() async throws {
        try await begin()
        try await sync.logOut()
        #expect(await store.store.records(of: "Account").count == 4)
        #expect(await store.store.user() == Self.user)
    }

    @Test func `a log-out that erases leaves nothing`() async throws {
        try await begin()
        try await sync.logOut(erasing: true)
        await expectEmpty()
        #expect(await run(server).state == .stopped, "nobody is logged in")
        try await sync.logIn("005xx000001X8Uy")
        #expect(await run(server).changed == 4)
    }

    @Test func `edits that were never sent prevent it, and the user stays logged in`() async throws {
        try await begin()
        try await store.edit(.server(.test(2)), of: "Account") { $0["Name"] = "mine" }
        await #expect(throws: SyncStoreError.unsentEdits(1)) { try await sync.logOut(erasing: true) }
        #expect(await store.store.records(of: "Account").count == 4)
        #expect(await store.store.pending(of: "Account", after: nil).count == 1)
        #expect(await run(server).state == .done)
        try await sync.logOut(erasing: true, discardingEdits: true)
        await expectEmpty()
    }

    @Test func `a pass that is running stores nothing any more`() async throws {
        try await begin()
        for number in 1...4 { await server.put(number, "new") }
        let report = await run(ActingSource(server) { [sync] in try? await sync.logOut(erasing: true) })
        #expect(report.state == .stopped)
        await expectEmpty()
    }

    @Test func `an answer to a push that is in flight is not stored`() async throws {
        try await begin()
        await store.hook(.merge) { [sync] in Task { try? await sync.logOut(erasing: true) } }
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        _ = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        try await sync.logOut(erasing: true)
        await expectEmpty()
    }

    @Test func `an upload that ends later brings nothing back, even in a store without an owner`() async throws {
        let server = EditServer()
        let store = MemoryRecordStore()
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: store, clock: StillClock())
        await store.put(LocalRecord(await server.put(.test(1), ["Name": "old"])), of: "Account")
        try await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "mine" }
        await server.put(.test(1), ["Phone": "1"])
        await server.interrupt(call: 1) { try? await sync.logOut(erasing: true, discardingEdits: true) }
        _ = await sync.upload("Account", to: server, until: DispatchMoment(milliseconds: 1_000_000))
        #expect(await store.records(of: "Account").isEmpty)
    }

    @Test func `after an error of the store the user is logged out`() async throws {
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: BrokenStore(),
            clock: StillClock())
        await #expect(throws: TestError.self) { try await sync.logOut(erasing: true) }
        #expect(await sync.drain(until: DispatchMoment(milliseconds: 1_000)) == HandlerReport(changed: 0))
    }
}

private struct BrokenStore: SyncStore {
    func merge(_ batch: MergeBatch) async throws -> MergeResult { throw TestError() }
    func progress(of object: String) async throws -> SyncProgress { throw TestError() }
    func pendingMark() async throws -> PendingMark { throw TestError() }
    func objectsToSync() async throws -> Set<String> { throw TestError() }
    func cleanRecords(of object: String, after id: RecordID?, limit: Int) async throws -> [RecordID] {
        throw TestError()
    }
    func versions(of records: [RecordID], in object: String) async throws -> [RecordID: StoredVersion] {
        throw TestError()
    }
    func user() async throws -> String? { throw TestError() }
    func logIn(_ user: String, discardingEdits: Bool) async throws { throw TestError() }
    func erase(discardingEdits: Bool) async throws { throw TestError() }
    func keep(_ hint: Hint) async throws -> PendingMark? { throw TestError() }
    func pending(of object: String, after mark: PendingMark?) async throws -> [PendingRecord] { throw TestError() }
    func forget(_ records: [PendingRecord], of object: String) async throws { throw TestError() }
    func forgetAll() async throws { throw TestError() }
}
