import PushDispatch
import SelectiveSync
import Testing

/// Pushes that name no record and ask for a regular sync, by the table of docs/reference/selective-sync.md 8.4.
struct RegularSyncRequestTests {
    private let server = FakeServer()
    private let store = MemoryRecordStore()
    private let events = Shared<[SyncEvent]>([])
    private let sync: RecordSync
    private let dispatcher: PushDispatcher

    init() {
        let events = events
        sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"]), SyncObject("Case", fields: ["Name"])], fetcher: server,
            store: store, clock: StillClock()
        ) { event in events.change { $0.append(event) } }
        dispatcher = PushDispatcher(
            routes: PushRoutes([
                .regularSync(sync, from: server) { ServerDate(millisecondsSince1970: 1_700_000_000_000) }
            ]),
            pending: store, clock: StillClock())
    }

    private func receive(_ members: [String: JSONValue] = ["object": "Account"]) async -> PushResult {
        var all: [String: JSONValue] = ["aps": ["content-available": 1], "type": "REGULAR_SYNC"]
        all.merge(members) { _, new in new }
        return await dispatcher.handle(Push(bytes: JSONValue.object(all).compactBytes), from: .background)
    }

    private static let fault = FetchError(.network, advice: .retryLater, "x")

    @Test func `what the sync brings is new data, and a second push finds nothing new`() async {
        for number in 1...8 { await server.put(number, "name") }
        #expect(await receive() == .newData)
        #expect(await store.records(of: "Account").count == 8)
        #expect(await store.objectsToSync().isEmpty)
        // Another push, not the same one by another way.
        #expect(await receive(["object": "Account", "number": 2]) == .noData)
    }

    @Test func `without an object everything is synced`() async {
        await server.put(1, "name")
        #expect(await receive([:]) == .newData)
        #expect(await store.progress(of: "Account").state == .done)
        #expect(await store.progress(of: "Case").state == .done)
    }

    @Test func `no answer and nothing stored is a failure, and the wish waits for the next regular sync`() async {
        await server.set(faults: [1: Self.fault])
        #expect(await receive() == .failed)
        #expect(await store.objectsToSync() == ["Account"])
        #expect(events.value.contains(.regularSyncNeeded(object: "Account")))
        let report = await sync.regularSync(
            of: "Account", from: server, now: ServerDate(millisecondsSince1970: 1_700_000_000_000),
            until: DispatchMoment(milliseconds: 1_000_000))
        #expect(report.state == .done)
        #expect(await store.objectsToSync().isEmpty)
    }

    @Test func `part stored and part failed is new data, and the wish stays`() async {
        for number in 1...8 { await server.put(number, "name") }
        await server.set(faults: [2: Self.fault])
        #expect(await receive() == .newData)
        #expect(await store.records(of: "Account").count == 3)
        #expect(await store.objectsToSync() == ["Account"])
    }

    @Test func `what the first page brought is new data where the push is given up during the second`() async {
        for number in 1...8 { await server.put(number, "name") }
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let held = Shared<CheckedContinuation<Void, Never>?>(nil)
        let source = ActingSource(server, before: { $0.next != nil }) {
            await withCheckedContinuation { continuation in
                held.change { $0 = continuation }
                ask.yield()
            }
        }
        let dispatcher = PushDispatcher(
            routes: PushRoutes([
                .regularSync(sync, from: source) { ServerDate(millisecondsSince1970: 1_700_000_000_000) }
            ]),
            pending: store, clock: StillClock())
        let payload: JSONValue = ["aps": ["content-available": 1], "type": "REGULAR_SYNC", "object": "Account"]
        let push = Task { await dispatcher.handle(Push(bytes: payload.compactBytes), from: .background) }
        for await _ in asked { break }
        push.cancel()
        // The sync has not come back, and does not before it is let go.
        #expect(await push.value == .newData)
        #expect(await store.records(of: "Account").count == 3)
        held.value?.resume()
    }

    @Test func `an object that the app does not keep, and what is no name, are nothing to fetch`() async {
        #expect(await receive(["object": "Invoice"]) == .noData)
        #expect(events.value == [.unknownObject("Invoice")])
        #expect(await receive(["object": 7]) == .noData)
        #expect(await server.calls.isEmpty)
        #expect(await store.objectsToSync().isEmpty)
    }

    @Test func `a hint without records is a wish that a sync begun before does not fulfil`() {
        var list = PendingList()
        let before = list.mark
        #expect(list.keep(Hint(type: "", object: "Account", records: [])) != nil)
        #expect(list.objectsToSync == ["Account"] && list.count == 0)
        list.regularSyncFinished(of: "Account", began: before)
        #expect(list.objectsToSync == ["Account"])
        list.regularSyncFinished(of: "Account", began: list.mark)
        #expect(list.objectsToSync.isEmpty)
        // A message that is about no object leaves nothing behind.
        list.keep(Hint(type: "CHAT", object: "", records: []))
        #expect(list.objectsToSync.isEmpty)
    }
}
