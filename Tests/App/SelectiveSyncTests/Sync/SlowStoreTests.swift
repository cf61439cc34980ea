import PushDispatch
import SelectiveSync
import Testing

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
            await sync.operationWaits()
        }
        if call == .logIn { change() } else { receive() }
        while reports.value.isEmpty || changes.value.isEmpty { await Task.yield() }
        await changes.value[0].value
        return (await reports.value[0].value, await fetcher.requests)
    }

    @Test(arguments: [HookedStore.Call.keep, .pending, .logIn])
    func `a hint of the previous user is neither kept nor fetched for the next`(during call: HookedStore.Call)
        async
    {
        let (report, requests) = await handle(during: call)
        // Unfinished records would make a dispatcher keep the hint for the next user.
        #expect(report == HandlerReport(changed: 0, isFailed: true))
        #expect(requests.isEmpty)
        #expect(await slow.store.pending(of: "Account", after: nil).isEmpty)
        #expect(await slow.store.user() == "second")
    }

    @Test func `a request is announced to a push whose record it fetches for another push`() async {
        let isHeld = AsyncStream<Void>.makeStream()
        let announced = Shared(0)
        let toldFirst = Shared(0)
        // Only one of the two requests can be in flight at a time.
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
        await sync.tickets(2)
        await slow.hook(.keep) {
            isHeld.continuation.finish()
            while await fetcher.requests.count < 2 { await Task.yield() }
            await sync.operationWaits()
        }
        _ = await handle("Account")
        #expect(await second.value == HandlerReport(changed: 1))
        _ = await first.value
        #expect(toldFirst.value == 3)
    }

    @Test func `a log-out during a log-in leaves nobody logged in`() async throws {
        let fetcher = ScriptedFetcher { request in request.records.map { .missing($0) } }
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: fetcher, store: slow, clock: StillClock())
        let logOut = Shared<Task<Void, any Error>?>(nil)
        await slow.hook(.logIn) {
            logOut.change { $0 = Task { try await sync.logOut() } }
            await sync.operationWaits()
        }
        try await sync.logIn("first")
        try await logOut.value?.value
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        _ = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        #expect(await fetcher.requests.isEmpty)
    }

    @Test func `no request starts while the store changes its user`() async {
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
            await sync.operationWaits()
        }
        try? await sync.logIn("second")
        for await _ in ended.stream {}
        #expect(await fetcher.requests.isEmpty)
    }

    /// A push starts the process, and the app logs in while the push is handled.
    @Test(arguments: ["first", nil], [HookedStore.Call.keep, .pending, .merge])
    func `a log-in of the store's owner does not end what a push started`(
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
            await sync.operationWaits()
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

    @Test func `after a log-out nothing is fetched, although an upload that ends late leaves a hint`() async throws {
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

    @Test func `hints that are unloaded while the store is being read are read again`() async {
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
        // It stays in memory, and fills it.
        _ = await sync.handle(Hint(type: "T", object: "Case", records: [.test(1)]), context)
        isDown.change { $0 = false }
        let other = Shared<Task<HandlerReport, Never>?>(nil)
        await slow.hook(.pending) {
            other.change {
                $0 = Task { await sync.handle(Hint(type: "T", object: "Account", records: [.test(2)]), context) }
            }
            await sync.operationWaits()
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

    /// A record outside of the filter is asked for once more without it, to tell a missing one from one out of scope.
    @Test func `the second request of a filtered fetch is not sent while the user changes`() async throws {
        let (hasBegun, isOver) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let logIn = Shared<Task<Void, any Error>?>(nil)
        let begin = Shared<@Sendable () -> Void>({})
        let fetcher = ScriptedFetcher { request in
            if request.filter == nil {
                isOver.continuation.finish()
            } else {
                begin.value()
                for await _ in hasBegun.stream {}
            }
            return request.records.map { .missing($0) }
        }
        var account = SyncObject("Account", fields: ["Name"])
        account.filter = .compare(field: "Name", .equal, .string("x"))
        account.rules = MergeRules(missing: .mark)
        let sync = RecordSync(
            objects: [account], policy: SyncPolicy(), fetcher: fetcher, store: slow, clock: StillClock(),
            onEvent: { event in if case .fetchFailed = event { isOver.continuation.finish() } })
        try await sync.logIn("first")
        begin.change { $0 = { logIn.change { $0 = Task { try await sync.logIn("second") } } } }
        await slow.hook(.logIn) {
            hasBegun.continuation.finish()
            for await _ in isOver.stream {}
        }
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        let report = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        try await logIn.value?.value
        #expect(report.result == .failed)
        #expect(await fetcher.requests.count == 1)
    }

    /// The store notes what an upload sends, and is slow; the log-out waits for it.
    @Test func `an upload sends nothing once a log-out has begun, and the next one sends it`() async throws {
        let server = EditServer()
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: slow, clock: StillClock())
        try await sync.logIn("first")
        let version = await server.put(.test(1), ["Name": "server"])
        _ = try await slow.store.merge(MergeBatch("Account", [.record(version)]))
        try await slow.store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" }
        let logOut = Shared<Task<Void, any Error>?>(nil)
        await slow.hook(.change) {
            logOut.change { $0 = Task { try await sync.logOut() } }
            await sync.operationWaits()
        }
        let report = await sync.upload("Account", to: server, until: DispatchMoment(milliseconds: 20_000))
        try await logOut.value?.value
        #expect(report.state == .stopped && report.uploaded == 0)
        #expect(await server.writes.isEmpty)
        try await sync.logIn("first")
        let next = await sync.upload("Account", to: server, until: DispatchMoment(milliseconds: 20_000))
        #expect(next.state == .done && next.uploaded == 1)
        #expect(await server.records[.test(1)]?["Name"] == "edited")
    }
}
