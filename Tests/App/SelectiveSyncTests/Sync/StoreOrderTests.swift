import PushDispatch
import SelectiveSync
import Testing

/// A store that is slow with one change and could do the next one meanwhile.
struct StoreOrderTests {
    private let slow = HookedStore()

    @Test func `an answer does not overtake an older one in a slow store`() async throws {
        let server = FakeServer()
        await server.put(1, "A")
        let isHeld = AsyncStream<Void>.makeStream()
        let asked = AsyncStream<Void>.makeStream()
        // One request at a time; the first one waits until it fails.
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
        await sync.tickets(2)
        // The page with the record waits in the store while the push learns that it does not exist.
        await slow.hook(.merge) {
            await server.hide(1)
            isHeld.continuation.finish()
            for await _ in asked.stream {}
            await sync.operationWaits()
        }
        let pass = await sync.regularSync(
            of: "Account", from: server, now: ServerDate(millisecondsSince1970: await server.now),
            until: DispatchMoment(milliseconds: 1_000_000))
        #expect(pass.state == .done)
        #expect(await push.value == HandlerReport(changed: 1))
        _ = await first.value
        #expect(await slow.store.records(of: "Account").isEmpty)
    }

    @Test func `an answer in a slow store does not restore a record that an upload deletes meanwhile`() async {
        let server = EditServer()
        await slow.store.put(LocalRecord(await server.put(.test(1), ["Name": "A"]), changes: .deleted), of: "Account")
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: slow, clock: StillClock())
        let upload = Shared<Task<UploadReport, Never>?>(nil)
        let sent = AsyncStream<Void>.makeStream()
        // The upload reads the record, and waits with its answer for the slow store.
        await server.interrupt(call: 2) { sent.continuation.finish() }
        await slow.hook(.merge) {
            let task = Task {
                await sync.upload("Account", to: server, until: DispatchMoment(milliseconds: 20_000))
            }
            upload.change { $0 = task }
            for await _ in sent.stream {}
            await sync.operationWaits()
        }
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        _ = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        #expect(await upload.value?.value.uploaded == 1)
        #expect(await slow.store.records(of: "Account").isEmpty)
    }

    @Test func `the store changes its user after what was started for the previous one is stored`() async throws {
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
            await sync.operationWaits()
        }
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        _ = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        try await back.value?.value
        #expect(await slow.store.records(of: "Account").isEmpty)
    }

    /// Otherwise the app would tell the system that there is nothing to fetch, while hints of earlier pushes wait.
    @Test func `a push and a call for everything fail while the store's hints cannot be read`() async throws {
        let server = FakeServer()
        await server.put(1, "A")
        let fetcher = ScriptedFetcher { request async throws(FetchError) in try await server.fetch(request) }
        let object = SyncObject("Account", fields: ["Name"], isInScope: { $0 != .test(9) })
        let sync = RecordSync(objects: [object], fetcher: fetcher, store: slow, clock: StillClock())
        let stopAt = DispatchMoment(milliseconds: 24_000)
        let context = HandlerContext(stopAt: stopAt, clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        _ = await slow.store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))

        let nothing = Hint(type: "T", object: "Account", records: [.test(9)])
        await slow.failNextPending()
        #expect(await sync.handle(nothing, context).result == .failed)
        await slow.failNextPending()
        #expect(await sync.drain("Account", until: stopAt).result == .failed)
        #expect(await fetcher.requests.isEmpty)
        #expect(await sync.handle(nothing, context).result == .newData)
    }
}
