import PushDispatch
import SelectiveSync
import Testing

/// Several pushes and one sync.
struct SharedSyncTests {
    private let server = FakeServer()
    private let store = MemoryRecordStore()

    private func sync(_ policy: SyncPolicy = SyncPolicy(), _ fetcher: (any RecordFetcher)? = nil) -> RecordSync {
        RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], policy: policy, fetcher: fetcher ?? server,
            store: store, clock: StillClock())
    }

    private func hint(_ numbers: Int...) -> Hint {
        Hint(type: "T", object: "Account", records: numbers.map(RecordID.test))
    }

    private static let context = HandlerContext(
        stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })

    @Test func `a hint is in the store before anything is fetched, and leaves it with the records`() async {
        let store = self.store
        let fetcher = WatchingFetcher { request in
            #expect(await store.pending(of: "Account", after: nil).map(\.record) == request.records)
            return request.records.map { .missing($0) }
        }
        #expect(await sync(SyncPolicy(), fetcher).handle(hint(1, 2), Self.context) == HandlerReport(changed: 0))
        #expect(await store.pending(of: "Account", after: nil).isEmpty)
    }

    @Test func `a 503 is tried again within the push`() async {
        await server.put(1, "A")
        await server.set(faults: [1: FetchError(.serverUnavailable, status: 503, advice: .retryLater, "x")])
        #expect(await sync().handle(hint(1), Self.context) == HandlerReport(changed: 1))
        #expect(await server.calls == ["fetch", "fetch"])
    }

    @Test func `offline a push fails at once, and drain fetches its records later`() async {
        await server.put(1, "A")
        let sync = sync()
        await sync.networkChanged(to: .offline)
        #expect(await sync.handle(hint(1), Self.context).unfinished == [.test(1)])
        #expect(await server.calls.isEmpty)
        await sync.networkChanged(to: .unmetered)
        #expect(await sync.drain(until: DispatchMoment(milliseconds: 24_000)) == HandlerReport(changed: 1))
        #expect(await store.pending(of: "Account", after: nil).isEmpty)
    }

    @Test func `offline a push for a record out of scope fails while an older hint waits`() async {
        _ = await store.keep(hint(1))
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"]) { $0 != .test(2) }], fetcher: server, store: store,
            clock: StillClock())
        await sync.networkChanged(to: .offline)
        #expect(await sync.handle(hint(2), Self.context).result == .failed)
        #expect(await store.pending(of: "Account", after: nil).map(\.record) == [.test(1)])
    }

    @Test func `an answer that comes after a log-out is not stored`() async throws {
        try await store.logIn("a", discardingEdits: false)
        let box = Box()
        let fetcher = WatchingFetcher { request in
            try? await box.sync?.logOut()
            return request.records.map { .record(ServerRecord(id: $0, fields: ["Name": "theirs"])) }
        }
        let sync = sync(SyncPolicy(), fetcher)
        await box.set(sync)
        try await sync.logIn("a")
        let report = await sync.handle(hint(1), Self.context)
        #expect(report.changed == 0 && report.unfinished.isEmpty)
        #expect(await store.records(of: "Account").isEmpty)
        #expect(await store.pending(of: "Account", after: nil).isEmpty)
    }

    @Test func `a log-in that would lose edits is refused, and changes nothing`() async throws {
        let sync = sync()
        try await sync.logIn("a")
        await store.put(LocalRecord(.test(1), changes: .updated), of: "Account")
        await #expect(throws: SyncStoreError.unsentEdits(1)) { try await sync.logIn("b") }
        #expect(await store.records(of: "Account").count == 1)
        try await sync.logIn("b", discardingEdits: true)
        #expect(await store.records(of: "Account").isEmpty)
    }

    @Test func `records that the dispatcher kept are fetched with the next push`() async {
        await server.put(1, "A")
        await server.put(2, "B")
        let sync = sync()
        await store.keep(hint(1))
        #expect(await sync.handle(hint(2), Self.context).changed == 2)
        #expect(await server.calls == ["fetch"])
    }

    @Test(arguments: [[], [FetchedRecord.missing(.test(2))], [.missing(.test(1)), .missing(.test(2))]])
    func `answers for other ids serve no hint`(answers: [FetchedRecord]) async {
        let report = await sync(SyncPolicy(), WatchingFetcher { _ in answers }).handle(hint(1), Self.context)
        #expect(report == HandlerReport(changed: 0, unfinished: [.test(1)], isFailed: true))
        #expect(await store.pending(of: "Account", after: nil).count == 1)
    }
}

private actor Box {
    private(set) var sync: RecordSync?

    func set(_ sync: RecordSync) { self.sync = sync }
}

/// Answers with a test's closure.
private struct WatchingFetcher: RecordFetcher {
    let answer: @Sendable (FetchRequest) async -> [FetchedRecord]

    init(_ answer: @escaping @Sendable (FetchRequest) async -> [FetchedRecord]) { self.answer = answer }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] { await answer(request) }
}
