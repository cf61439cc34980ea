import PushDispatch
import SelectiveSync
import Synchronization
import Testing

struct SelectiveSyncTests {
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

    @Test func `the whole field list is asked for, with stamps and what time is left`() async {
        let fetcher = ScriptedFetcher(Self.all)
        #expect(await handle([1, 2], fetcher: fetcher) == HandlerReport(changed: 2))
        let request = await fetcher.requests.first
        #expect(request?.records == [.test(1), .test(2)])
        #expect(request?.fields == ["Name", "LastModifiedDate", "SystemModstamp"])
        #expect(request?.timeoutMilliseconds == 23_900)
    }

    @Test func `more than 2,000 records go in several requests`() async {
        let fetcher = ScriptedFetcher(Self.all)
        #expect(await handle(Array(0..<4_001), fetcher: fetcher).changed == 4_001)
        #expect(await fetcher.requests.map(\.records.count).sorted() == [1, 2_000, 2_000])
    }

    @Test func `records left from earlier pushes come along and are forgotten when stored`() async {
        await store.keep(Hint(type: "T", object: "Account", records: [.test(7), .test(1)]))
        let fetcher = ScriptedFetcher(Self.all)
        #expect(await handle([1], fetcher: fetcher) == HandlerReport(changed: 2))
        #expect(await fetcher.requests.map(\.records) == [[.test(1), .test(7)]])
        #expect(await waiting().isEmpty)
    }

    @Test func `a hint whose time is over before it could be taken up is unfinished, and kept`() async {
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

    @Test func `hints beyond the bound of the memory are fetched after the others`() async {
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

    @Test func `hints left from a try that failed do not keep those that had no room from being fetched`() async {
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

    @Test func `hints that have no room beside another object's pushes are told as not fetched`() async {
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

    /// Something else happens before it answers.
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

    @Test func `part stored and part failed is new data with the rest unfinished`() async {
        let fetcher = ScriptedFetcher { request throws(FetchError) in
            guard request.records.count == 2_000 else { throw FetchError(.timeout, advice: .retryLater, "x") }
            return Self.all(request)
        }
        let report = await handle(Array(0..<2_003), fetcher: fetcher)
        #expect(report.result == .newData)
        #expect(report.unfinished == [.test(2_000), .test(2_001), .test(2_002)])
    }

    @Test func `a configuration fault is failed and not tried again`() async {
        await store.keep(Hint(type: "T", object: "Account", records: [.test(7)]))
        let fetcher = ScriptedFetcher { _ throws(FetchError) in throw FetchError(.invalidField, advice: .stop, "x") }
        #expect(await handle([1], fetcher: fetcher) == HandlerReport(changed: 0, isFailed: true))
        #expect(await waiting().isEmpty)
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

    @Test func `a server that refuses every id is not asked without end`() async {
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

    @Test func `nothing is asked for without time, of an unknown object, or out of scope`() async {
        let fetcher = ScriptedFetcher(Self.all)
        #expect(await handle([1], stopAt: 0, fetcher: fetcher).unfinished == [.test(1)])
        #expect(await handle([1], [], fetcher: fetcher) == HandlerReport(changed: 0))
        let narrow = SyncObject("Account", fields: []) { $0 == .test(2) }
        #expect(await handle([1], [narrow], fetcher: fetcher) == HandlerReport(changed: 0))
        #expect(await fetcher.requests.isEmpty)
    }

    @Test func `records that are all gone here too are no data`() async {
        let fetcher = ScriptedFetcher { request throws(FetchError) in request.records.map { .missing($0) } }
        #expect(await handle([1], fetcher: fetcher).result == .noData)
    }
}

/// The user changes while a store is slow.
struct SlowStoreTests {
    private let slow = HookedStore()

    private func handle(during call: HookedStore.Call) async -> (HandlerReport, [FetchRequest]) {
        let fetcher = ScriptedFetcher { request in request.records.map { .missing($0) } }
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: fetcher, store: slow, clock: StillClock())
        try? await sync.logIn("first")
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        let reports = Shared<[Task<HandlerReport, Never>]>([])
        let changes = Shared<[Task<Void, Never>]>([])
        @Sendable func receive() {
            reports.change {
                $0.append(Task { await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context) })
            }
        }
        @Sendable func change() { changes.change { $0.append(Task { try? await sync.logIn("second") }) } }
        await slow.hook(call) {
            if call == .logIn { receive() } else { change() }
            await sync.takeIn()
        }
        if call == .logIn { change() } else { receive() }
        while reports.value.isEmpty || changes.value.isEmpty { await Task.yield() }
        await changes.value[0].value
        return (await reports.value[0].value, await fetcher.requests)
    }

    @Test(arguments: [HookedStore.Call.keep, .pending, .logIn])
    func `a hint of the former user is neither kept nor fetched for the next`(during call: HookedStore.Call)
        async
    {
        let (report, requests) = await handle(during: call)
        // Nothing that a dispatcher would keep for the next user.
        #expect(report == HandlerReport(changed: 0, isFailed: true))
        #expect(requests.isEmpty)
        #expect(await slow.store.pending(of: "Account", after: nil).isEmpty)
        #expect(await slow.store.user() == "second")
    }

    @Test func `a push whose record another one's request has is told of it before it goes out`() async {
        let isHeld = AsyncStream<Void>.makeStream()
        let announced = Shared(0)
        let toldFirst = Shared(0)
        // Of the two requests one can go out at a time.
        let fetcher = ScriptedFetcher { request async throws(FetchError) in
            guard request.object == "Case" else {
                toldFirst.change { if $0 == 0 { $0 = announced.value } }
                return [.record(ServerRecord(id: .test(1), fields: ["Name": "N"]))]
            }
            for await _ in isHeld.stream {}
            throw FetchError(.requestLimitExceeded, status: 403, advice: .keep, "x")
        }
        var policy = SyncPolicy()
        policy.maximumRequests = 1
        policy.gatherMilliseconds = 0
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"]), SyncObject("Case", fields: [])], policy: policy,
            fetcher: fetcher, store: slow,
            clock: StillClock())
        @Sendable func handle(_ object: String) async -> HandlerReport {
            let context = HandlerContext(
                stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(),
                onRequest: { announced.change { $0 += 1 } }, onDone: { _, _ in })
            return await sync.handle(Hint(type: "T", object: object, records: [.test(1)]), context)
        }
        let first = Task { await handle("Case") }
        while await fetcher.requests.isEmpty { await Task.yield() }
        let second = Task { await handle("Account") }
        await sync.takeIn()
        await slow.hook(.keep) {
            isHeld.continuation.finish()
            while await fetcher.requests.count < 2 { await Task.yield() }
            await sync.takeIn()
        }
        _ = await handle("Account")
        #expect(await second.value == HandlerReport(changed: 1))
        _ = await first.value
        #expect(toldFirst.value == 3)
    }

    @Test func `a log-out while a log-in is under way leaves nobody logged in`() async throws {
        let fetcher = ScriptedFetcher { request in request.records.map { .missing($0) } }
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: fetcher, store: slow, clock: StillClock())
        let logOut = Shared<Task<Void, any Error>?>(nil)
        await slow.hook(.logIn) {
            logOut.change { $0 = Task { try await sync.logOut() } }
            await sync.takeIn()
        }
        try await sync.logIn("first")
        try await logOut.value?.value
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        _ = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        #expect(await fetcher.requests.isEmpty)
    }

    @Test func `no request goes out while the store changes its user`() async {
        let fetcher = ScriptedFetcher { request in request.records.map { .missing($0) } }
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: fetcher, store: slow, clock: StillClock())
        try? await sync.logIn("first")
        await slow.store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))
        let ended = AsyncStream<Void>.makeStream()
        await slow.hook(.logIn) {
            Task {
                _ = await sync.drain("Account", until: DispatchMoment(milliseconds: 24_000))
                ended.continuation.finish()
            }
            await sync.takeIn()
        }
        try? await sync.logIn("second")
        for await _ in ended.stream {}
        #expect(await fetcher.requests.isEmpty)
    }

    /// A push starts the process, and the app's log-in comes while it is handled.
    @Test(arguments: ["first", nil], [HookedStore.Call.keep, .pending, .merge])
    func `a log-in of the user whose store it is does not end what a push began`(
        owner: String?, during call: HookedStore.Call
    ) async throws {
        if let owner { try await slow.store.logIn(owner, discardingEdits: false) }
        let fetcher = ScriptedFetcher { request in
            request.records.map { .record(ServerRecord(id: $0, fields: ["Name": "N"])) }
        }
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: fetcher, store: slow, clock: StillClock())
        let logIn = Shared<Task<Void, any Error>?>(nil)
        await slow.hook(call) {
            logIn.change { $0 = Task { try await sync.logIn("first") } }
            await sync.takeIn()
        }
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        let report = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        try await logIn.value?.value
        #expect(report == HandlerReport(changed: 1))
        #expect(await fetcher.requests.count == 1)
        #expect(await slow.store.pending(of: "Account", after: nil).isEmpty)
        #expect(await slow.store.user() == "first")
    }

    @Test func `after a log-out nothing is fetched, though an upload that ends late leaves a hint`() async throws {
        let fetcher = ScriptedFetcher { request in request.records.map { .missing($0) } }
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: fetcher, store: slow, clock: StillClock())
        try await sync.logIn("first")
        try await sync.logOut()
        await slow.store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        let hint = Hint(type: "T", object: "Account", records: [.test(2)])
        #expect(await sync.drain(until: DispatchMoment(milliseconds: 24_000)) == HandlerReport(changed: 0))
        #expect(await sync.handle(hint, context) == HandlerReport(changed: 0))
        #expect(await fetcher.requests.isEmpty)
        #expect(await slow.store.pending(of: "Account", after: nil).map(\.record) == [.test(1)])
        try await sync.logIn("first")
        _ = await sync.drain(until: DispatchMoment(milliseconds: 24_000))
        #expect(await fetcher.requests.map(\.records) == [[.test(1)]])
    }

    @Test func `hints that give way to another object while the store is being read are read again`() async {
        let isDown = Shared(true)
        let fetcher = ScriptedFetcher { request throws(FetchError) in
            if isDown.value { throw FetchError(.requestLimitExceeded, status: 403, advice: .keep, "x") }
            return request.records.map { .missing($0) }
        }
        var policy = SyncPolicy()
        policy.maximumPending = 1
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: []), SyncObject("Case", fields: [])], policy: policy,
            fetcher: fetcher, store: slow, clock: StillClock())
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        // It stays in the memory, and takes all of it.
        _ = await sync.handle(Hint(type: "T", object: "Case", records: [.test(1)]), context)
        isDown.change { $0 = false }
        let other = Shared<Task<HandlerReport, Never>?>(nil)
        await slow.hook(.pending) {
            other.change {
                $0 = Task { await sync.handle(Hint(type: "T", object: "Account", records: [.test(2)]), context) }
            }
            await sync.takeIn()
        }
        _ = await sync.handle(Hint(type: "T", object: "Case", records: [.test(3)]), context)
        _ = await other.value?.value
        _ = await sync.drain(until: DispatchMoment(milliseconds: 24_000))
        #expect(await slow.store.pending(of: "Account", after: nil).isEmpty)
        #expect(await slow.store.pending(of: "Case", after: nil).isEmpty)
    }

    @Test func `hints that a store failed to forget are read again`() async {
        let narrow = SyncObject("Account", fields: []) { $0 == .test(2) }
        let fetcher = ScriptedFetcher { request in request.records.map { .missing($0) } }
        let sync = RecordSync(objects: [narrow], fetcher: fetcher, store: slow, clock: StillClock())
        await slow.store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))
        await slow.failNextForget()
        for _ in 0..<2 { _ = await sync.drain("Account", until: DispatchMoment(milliseconds: 24_000)) }
        #expect(await slow.store.pending(of: "Account", after: nil).isEmpty)
    }
}

/// A store that is slow for one change, and could do the next one meanwhile.
struct StoreOrderTests {
    private let slow = HookedStore()

    @Test func `an answer does not overtake an older one in a slow store`() async throws {
        let server = FakeServer()
        await server.put(1, "A")
        let isHeld = AsyncStream<Void>.makeStream()
        let asked = AsyncStream<Void>.makeStream()
        // One request at a time, and the first one waits until it fails.
        let fetcher = ScriptedFetcher { request async throws(FetchError) in
            guard request.object == "Case" else {
                asked.continuation.finish()
                return try await server.fetch(request)
            }
            for await _ in isHeld.stream {}
            throw FetchError(.requestLimitExceeded, status: 403, advice: .keep, "x")
        }
        var policy = SyncPolicy()
        policy.maximumRequests = 1
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"]), SyncObject("Case", fields: [])], policy: policy,
            fetcher: fetcher, store: slow,
            clock: StillClock())
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        let first = Task { await sync.handle(Hint(type: "T", object: "Case", records: [.test(1)]), context) }
        while await fetcher.requests.isEmpty { await Task.yield() }
        let push = Task { await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context) }
        await sync.takeIn()
        // The page that has the record waits in the store, while the push asks for it and there is none.
        await slow.hook(.merge) {
            await server.hide(1)
            isHeld.continuation.finish()
            for await _ in asked.stream {}
            await sync.takeIn()
        }
        let pass = await sync.regularSync(
            of: "Account", from: server, now: ServerDate(millisecondsSince1970: await server.now),
            until: DispatchMoment(milliseconds: 1_000_000))
        #expect(pass.state == .done)
        #expect(await push.value == HandlerReport(changed: 1))
        _ = await first.value
        #expect(await slow.store.records(of: "Account").isEmpty)
    }

    @Test func `an answer in a slow store does not bring back what an upload deletes meanwhile`() async {
        let server = EditServer()
        await slow.store.put(LocalRecord(await server.put(.test(1), ["Name": "A"]), changes: .deleted), of: "Account")
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: slow, clock: StillClock())
        let upload = Shared<Task<UploadReport, Never>?>(nil)
        let sent = AsyncStream<Void>.makeStream()
        await server.interrupt(call: 3) { sent.continuation.finish() }
        await slow.hook(.merge) {
            let task = Task {
                await sync.upload("Account", to: server, until: DispatchMoment(milliseconds: 20_000))
            }
            upload.change { $0 = task }
            for await _ in sent.stream {}
            await sync.takeIn()
        }
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        _ = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        #expect(await upload.value?.value.uploaded == 1)
        #expect(await slow.store.records(of: "Account").isEmpty)
    }

    @Test func `the store changes hands when what was begun for the former user is stored`() async throws {
        let fetcher = ScriptedFetcher { request in
            request.records.map { .record(ServerRecord(id: $0, fields: ["Name": "N"])) }
        }
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: fetcher, store: slow, clock: StillClock())
        try await sync.logIn("first")
        let back = Shared<Task<Void, any Error>?>(nil)
        await slow.hook(.merge) {
            let task = Task {
                try await sync.logIn("second")
                try await sync.logIn("first")
            }
            back.change { $0 = task }
            await sync.takeIn()
        }
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        _ = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        try await back.value?.value
        #expect(await slow.store.records(of: "Account").isEmpty)
    }
}

/// A store that takes nothing.
private actor FailingStore: SyncStore {
    func merge(_ batch: MergeBatch) throws -> MergeResult { throw TestError() }
    func progress(of object: String) throws -> SyncProgress { throw TestError() }
    func pendingMark() throws -> PendingMark { throw TestError() }
    func objectsToSync() throws -> Set<String> { throw TestError() }
    func cleanRecords(of object: String, after id: RecordID?, limit: Int) throws -> [RecordID] { throw TestError() }
    func user() throws -> String? { throw TestError() }
    func logIn(_ user: String, discardingEdits: Bool) throws { throw TestError() }
    func keep(_ hint: Hint) throws -> PendingMark? { throw TestError() }
    func pending(of object: String, after mark: PendingMark?) throws -> [PendingRecord] { throw TestError() }
    func forget(_ records: [PendingRecord], of object: String) throws { throw TestError() }
    func forgetAll() throws { throw TestError() }
}
