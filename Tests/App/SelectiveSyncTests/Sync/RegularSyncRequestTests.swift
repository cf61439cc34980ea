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

    @Test func `changes of the sync are new data, and a second push has no data`() async {
        for number in 1...8 { await server.put(number, "name") }
        #expect(await receive() == .newData)
        #expect(await store.records(of: "Account").count == 8)
        #expect(await store.objectsToSync().isEmpty)
        // A different push, not the same one from another entry point.
        #expect(await receive(["object": "Account", "number": 2]) == .noData)
    }

    @Test func `without an object everything is synced`() async {
        await server.put(1, "name")
        #expect(await receive([:]) == .newData)
        #expect(await store.progress(of: "Account").state == .done)
        #expect(await store.progress(of: "Case").state == .done)
    }

    @Test func `without an answer the push fails, and the request stays for the next regular sync`() async {
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

    @Test func `partly stored and partly failed is new data, and the request stays`() async {
        for number in 1...8 { await server.put(number, "name") }
        await server.set(faults: [2: Self.fault])
        #expect(await receive() == .newData)
        #expect(await store.records(of: "Account").count == 3)
        #expect(await store.objectsToSync() == ["Account"])
    }

    @Test func `the first page is new data if the push is cancelled during the second`() async {
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
        // The sync has not returned, and does not until the gate opens.
        #expect(await push.value == .newData)
        #expect(await store.records(of: "Account").count == 3)
        held.value?.resume()
    }

    @Test func `what waits for Wi-Fi or the foreground is not fetched, and the request stays`() async {
        for change in [NetworkRule.any, .unmetered] {
            var account = SyncObject("Account", fields: ["Name"])
            account.network = change
            account.waitsForForeground = change == .any
            let (store, events) = (MemoryRecordStore(), Shared<[SyncEvent]>([]))
            let sync = RecordSync(objects: [account], fetcher: server, store: store, clock: StillClock()) { event in
                events.change { $0.append(event) }
            }
            await sync.networkChanged(to: .metered)
            await sync.foregroundChanged(to: false)
            let dispatcher = PushDispatcher(
                routes: PushRoutes([
                    .regularSync(sync, from: server) { ServerDate(millisecondsSince1970: 1_700_000_000_000) }
                ]), pending: store, clock: StillClock())
            let payload: JSONValue = ["aps": ["content-available": 1], "type": "REGULAR_SYNC", "object": "Account"]
            #expect(await dispatcher.handle(Push(bytes: payload.compactBytes), from: .background) == .noData)
            #expect(await server.calls.isEmpty)
            #expect(await store.objectsToSync() == ["Account"])
            #expect(events.value.contains(.regularSyncNeeded(object: "Account")))
            let report = await sync.regularSync(
                of: "Account", from: server, now: ServerDate(millisecondsSince1970: 1_700_000_000_000),
                until: DispatchMoment(milliseconds: 1_000_000))
            #expect(report.state == .stopped)
            #expect(await server.calls.isEmpty)
        }
    }

    @Test func `a regular sync stops between two pages when Wi-Fi is lost`() async {
        for number in 1...8 { await server.put(number, "name") }
        var account = SyncObject("Account", fields: ["Name"])
        account.network = .unmetered
        let sync = RecordSync(objects: [account], fetcher: server, store: store, clock: StillClock())
        let source = ActingSource(server, before: { $0.next == nil }) { await sync.networkChanged(to: .metered) }
        let report = await sync.regularSync(
            of: "Account", from: source, now: ServerDate(millisecondsSince1970: 1_700_000_000_000),
            until: DispatchMoment(milliseconds: 1_000_000))
        #expect(report.state == .stopped && report.requests == 1)
        #expect(await store.records(of: "Account").count == 3)
    }

    @Test func `an unknown object and an invalid name fetch nothing`() async {
        #expect(await receive(["object": "Invoice"]) == .noData)
        #expect(events.value == [.unknownObject("Invoice")])
        #expect(await receive(["object": 7]) == .noData)
        #expect(await server.calls.isEmpty)
        #expect(await store.objectsToSync().isEmpty)
    }

    @Test func `a sync that started before a hint without records does not serve it`() {
        var list = PendingList()
        let before = list.mark
        #expect(list.keep(Hint(type: "", object: "Account", records: [])) != nil)
        #expect(list.objectsToSync == ["Account"] && list.count == 0)
        list.regularSyncFinished(of: "Account", began: before)
        #expect(list.objectsToSync == ["Account"])
        list.regularSyncFinished(of: "Account", began: list.mark)
        #expect(list.objectsToSync.isEmpty)
        // A hint without an object is not kept.
        list.keep(Hint(type: "CHAT", object: "", records: []))
        #expect(list.objectsToSync.isEmpty)
    }
}
