import PushDispatch
@testable import SelectiveSync
import Synchronization
import Testing

struct RecordSyncTests {
    private static let object = SyncObject("Account", fields: ["Name"])

    private let store = MemoryRecordStore()

    private func handle(
        _ numbers: [Int], _ objects: [SyncObject] = [object], store: (any SyncStore)? = nil, stopAt: Int64 = 24_000,
        fetcher: ScriptedFetcher
    ) async -> HandlerReport {
        let sync = RecordSync(objects: objects, fetcher: fetcher, store: store ?? self.store, clock: StillClock())
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: stopAt), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        return await sync.handle(Hint(type: "T", object: "Account", records: numbers.map(RecordID.test)), context)
    }

    private static func all(_ request: FetchRequest) -> [FetchedRecord] {
        request.records.map { .record(ServerRecord(id: $0, fields: ["Name": "N"])) }
    }

    private func waiting() async -> [RecordID] { await store.pending(of: "Account", after: nil).map(\.record) }

    @Test func `a request has all fields, the stamps and the time that is left`() async {
        let fetcher = ScriptedFetcher(Self.all)
        #expect(await handle([1, 2], fetcher: fetcher) == HandlerReport(changed: 2))
        let request = await fetcher.requests.first
        #expect(request?.records == [.test(1), .test(2)])
        #expect(request?.fields == ["Name", "LastModifiedDate", "SystemModstamp"])
        #expect(request?.timeoutMilliseconds == 23_900)
    }

    @Test func `more than 2,000 records are split into several requests`() async {
        let fetcher = ScriptedFetcher(Self.all)
        #expect(await handle(Array(0..<4_001), fetcher: fetcher).changed == 4_001)
        #expect(await fetcher.requests.map(\.records.count).sorted() == [1, 2_000, 2_000])
    }

    @Test func `records left over from earlier pushes are fetched too, and forgotten when stored`() async {
        await store.keep(Hint(type: "T", object: "Account", records: [.test(7), .test(1)]))
        let fetcher = ScriptedFetcher(Self.all)
        #expect(await handle([1], fetcher: fetcher) == HandlerReport(changed: 2))
        #expect(await fetcher.requests.map(\.records) == [[.test(1), .test(7)]])
        #expect(await waiting().isEmpty)
    }

    @Test func `a hint whose time is over before it is handled is unfinished, and kept`() async {
        let fetcher = ScriptedFetcher(Self.all)
        let sync = RecordSync(objects: [Self.object], fetcher: fetcher, store: store, clock: StillClock())
        func handle(_ number: Int, stopAt: Int64) async -> HandlerReport {
            let context = HandlerContext(
                stopAt: DispatchMoment(milliseconds: stopAt), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
            return await sync.handle(Hint(type: "T", object: "Account", records: [.test(number)]), context)
        }
        #expect(await handle(1, stopAt: 0) == HandlerReport(changed: 0, unfinished: [.test(1)], isFailed: true))
        #expect(await waiting() == [.test(1)])
    }

    @Test func `hints that do not fit into memory are fetched after the others`() async {
        await store.keep(Hint(type: "T", object: "Account", records: (1...3).map(RecordID.test)))
        await store.keep(Hint(type: "T", object: "Account", records: (4...7).map(RecordID.test)))
        let fetcher = ScriptedFetcher(Self.all)
        var policy = SyncPolicy()
        policy.maximumPending = 2
        let sync = RecordSync(
            objects: [Self.object], policy: policy, fetcher: fetcher, store: store, clock: StillClock())
        let report = await sync.drain("Account", until: DispatchMoment(milliseconds: 24_000))
        #expect(report == HandlerReport(changed: 7))
        #expect(await fetcher.requests.map(\.records.count) == [2, 2, 2, 1])
        #expect(await waiting().isEmpty)
    }

    @Test func `hints of a failed try do not block those that did not fit`() async {
        await store.keep(Hint(type: "T", object: "Account", records: (1...3).map(RecordID.test)))
        let isDown = Shared(true)
        let fetcher = ScriptedFetcher { request throws(FetchError) in
            if isDown.value { throw FetchError(.requestLimitExceeded, status: 403, advice: .keep, "x") }
            return Self.all(request)
        }
        var policy = SyncPolicy()
        policy.maximumPending = 2
        let sync = RecordSync(
            objects: [Self.object], policy: policy, fetcher: fetcher, store: store, clock: StillClock())
        #expect(await sync.drain("Account", until: DispatchMoment(milliseconds: 24_000)).isFailed)
        isDown.change { $0 = false }
        let report = await sync.drain("Account", until: DispatchMoment(milliseconds: 24_000))
        #expect(report == HandlerReport(changed: 3))
        #expect(await waiting().isEmpty)
    }

    @Test func `hints that do not fit because of another object's pushes are reported as not fetched`() async {
        await store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))
        var policy = SyncPolicy()
        policy.maximumPending = 1
        let box = Shared<RecordSync?>(nil)
        let drained = Shared<HandlerReport?>(nil)
        let fetcher = SlowFetcher { request in
            if request.object == "Case" {
                let report = await box.value?.drain("Account", until: DispatchMoment(milliseconds: 24_000))
                drained.change { $0 = report }
            }
            return Self.all(request)
        }
        let sync = RecordSync(
            objects: [Self.object, SyncObject("Case", fields: [])], policy: policy, fetcher: fetcher, store: store,
            clock: StillClock())
        box.change { $0 = sync }
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        let report = await sync.handle(Hint(type: "T", object: "Case", records: [.test(7)]), context)
        #expect(report == HandlerReport(changed: 1))
        #expect(drained.value == HandlerReport(changed: 0, isFailed: true))
        #expect(await waiting() == [.test(1)])
        #expect(await sync.drain("Account", until: DispatchMoment(milliseconds: 24_000)).changed == 1)
    }

    /// Answers with a test's closure.
    private struct SlowFetcher: RecordFetcher {
        let act: @Sendable (FetchRequest) async -> [FetchedRecord]

        func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] { await act(request) }
    }

    @Test func `a network error leaves the push's records unfinished and the earlier ones pending`() async {
        await store.keep(Hint(type: "T", object: "Account", records: [.test(7)]))
        let fetcher = ScriptedFetcher { _ throws(FetchError) in throw FetchError(.network, advice: .retryLater, "x") }
        let report = await handle([1], fetcher: fetcher)
        #expect(report == HandlerReport(changed: 0, unfinished: [.test(1)], isFailed: true))
        #expect(await waiting() == [.test(7), .test(1)])
    }

    @Test func `partly stored and partly failed is new data, and the rest is unfinished`() async {
        let fetcher = ScriptedFetcher { request throws(FetchError) in
            guard request.records.count == 2_000 else { throw FetchError(.timeout, advice: .retryLater, "x") }
            return Self.all(request)
        }
        let report = await handle(Array(0..<2_003), fetcher: fetcher)
        #expect(report.result == .newData)
        #expect(report.unfinished == [.test(2_000), .test(2_001), .test(2_002)])
    }

    @Test func `a configuration error fails and is not tried again`() async {
        await store.keep(Hint(type: "T", object: "Account", records: [.test(7)]))
        let fetcher = ScriptedFetcher { _ throws(FetchError) in throw FetchError(.invalidField, advice: .stop, "x") }
        #expect(await handle([1], fetcher: fetcher) == HandlerReport(changed: 0, isFailed: true))
        #expect(await waiting().isEmpty)
    }

    @Test func `a refusal with a code that is not known keeps the hints, and a regular sync becomes due`() async {
        await store.keep(Hint(type: "T", object: "Account", records: [.test(7)]))
        let body = Array(#"[{"errorCode":"SOMETHING_NEW","message":"x"}]"#.utf8)
        let fetcher = ScriptedFetcher { _ throws(FetchError) in throw ServerRefusal.read(status: 400, body: body) }
        let events = Shared<[SyncEvent]>([])
        let sync = RecordSync(objects: [Self.object], fetcher: fetcher, store: store, clock: StillClock()) { event in
            events.change { $0.append(event) }
        }
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        let report = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        #expect(report == HandlerReport(changed: 0, unfinished: [.test(1)], isFailed: true))
        #expect(await waiting() == [.test(7), .test(1)])
        #expect(await fetcher.requests.count == 1)
        #expect(events.value.contains(.regularSyncNeeded(object: "Account")))
    }

    @Test(arguments: [FetchError.Code.requestLimitExceeded, .unexplained, .replyTooLarge])
    func `a refusal for a known reason keeps the hints, and no regular sync becomes due`(code: FetchError.Code) async {
        let fetcher = ScriptedFetcher { _ throws(FetchError) in
            throw FetchError(code, status: 403, advice: .keep, "x")
        }
        let events = Shared<[SyncEvent]>([])
        let sync = RecordSync(objects: [Self.object], fetcher: fetcher, store: store, clock: StillClock()) { event in
            events.change { $0.append(event) }
        }
        await store.keep(Hint(type: "T", object: "Account", records: [.test(7)]))
        #expect(await sync.drain(until: DispatchMoment(milliseconds: 24_000)).isFailed)
        #expect(await waiting() == [.test(7)])
        #expect(!events.value.contains(.regularSyncNeeded(object: "Account")))
    }

    @Test func `the one id that the server refuses is found and dropped`() async {
        let fetcher = ScriptedFetcher { request throws(FetchError) in
            if request.records.contains(.test(5)) { throw FetchError(.malformedID, advice: .dropRecord, "x") }
            return Self.all(request)
        }
        let report = await handle(Array(0..<9), fetcher: fetcher)
        #expect(report == HandlerReport(changed: 8, isFailed: true))
        #expect(await fetcher.requests.count < 10)
    }

    @Test func `a server that refuses every id is not asked endlessly`() async {
        let fetcher = ScriptedFetcher { _ throws(FetchError) in throw FetchError(.malformedID, advice: .dropRecord, "x")
        }
        #expect(await handle(Array(0..<2_000), fetcher: fetcher).result == .failed)
        #expect(await fetcher.requests.count < 60)
    }

    @Test func `a store that fails leaves everything unfinished`() async {
        let fetcher = ScriptedFetcher(Self.all)
        let report = await handle([1, 2], store: FailingStore(), fetcher: fetcher)
        #expect(report == HandlerReport(changed: 0, unfinished: [.test(1), .test(2)], isFailed: true))
    }

    @Test func `nothing is fetched without time, of an unknown object, or out of scope`() async {
        let fetcher = ScriptedFetcher(Self.all)
        #expect(await handle([1], stopAt: 0, fetcher: fetcher).unfinished == [.test(1)])
        #expect(await handle([1], [], fetcher: fetcher) == HandlerReport(changed: 0))
        let narrow = SyncObject("Account", fields: []) { $0 == .test(2) }
        #expect(await handle([1], [narrow], fetcher: fetcher) == HandlerReport(changed: 0))
        #expect(await fetcher.requests.isEmpty)
    }

    @Test func `records that exist neither here nor there are no data`() async {
        let fetcher = ScriptedFetcher { request throws(FetchError) in request.records.map { .missing($0) } }
        #expect(await handle([1], fetcher: fetcher).result == .noData)
    }
}

/// A store whose calls all fail.
private actor FailingStore: SyncStore {
    func merge(_ batch: MergeBatch) throws -> MergeResult { throw TestError() }
    func progress(of object: String) throws -> SyncProgress { throw TestError() }
    func pendingMark() throws -> PendingMark { throw TestError() }
    func objectsToSync() throws -> Set<String> { throw TestError() }
    func cleanRecords(of object: String, after id: RecordID?, limit: Int) throws -> [RecordID] { throw TestError() }
    func user() throws -> String? { throw TestError() }
    func logIn(_ user: String, discardingEdits: Bool) throws { throw TestError() }
    func erase(discardingEdits: Bool) throws { throw TestError() }
    func versions(of records: [RecordID], in object: String) throws -> [RecordID: StoredVersion] { throw TestError() }
    func keep(_ hint: Hint) throws -> PendingMark? { throw TestError() }
    func pending(of object: String, after mark: PendingMark?) throws -> [PendingRecord] { throw TestError() }
    func forget(_ records: [PendingRecord], of object: String) throws { throw TestError() }
    func forgetAll() throws { throw TestError() }
}
