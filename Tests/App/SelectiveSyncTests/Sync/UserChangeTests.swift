import PushDispatch
import SelectiveSync
import Testing

/// The user changes during regular syncs and uploads.
struct UserChangeTests {
    private let slow = HookedStore()
    private let server = FakeServer()
    private let edits = EditServer()
    private let sync: RecordSync

    init() {
        sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: slow, clock: StillClock())
    }

    private func regularSync(from source: (any RecordSource)? = nil, checksGhosts: Bool = false) async
        -> RegularSyncReport
    {
        await sync.regularSync(
            of: "Account", from: source ?? server, now: ServerDate(millisecondsSince1970: await server.now),
            until: DispatchMoment(milliseconds: 1_000_000), checksGhosts: checksGhosts)
    }

    private func upload() async -> UploadReport {
        await sync.upload("Account", to: edits, until: DispatchMoment(milliseconds: 20_000))
    }

    private func edit(_ number: Int) async {
        var record = LocalRecord(await edits.put(.test(number), ["Name": "server"]), changes: .updated)
        record.fields["Name"] = "edited"
        await slow.store.put(record, of: "Account")
    }

    @Test(arguments: [HookedStore.Call.logIn, .forgetAll], [false, true])
    func `no request is sent while the user changes`(during call: HookedStore.Call, isUpload: Bool) async throws {
        await server.put(1, "A")
        try await sync.logIn("first")
        await edit(2)
        // It either ends without a request or sends one.
        let over = AsyncStream<Void>.makeStream()
        await server.interrupt(call: 1) { _ in over.continuation.finish() }
        await edits.interrupt(call: 1) { over.continuation.finish() }
        let states = Shared<[SyncState]>([])
        let tasks = Shared<Task<Void, Never>?>(nil)
        await slow.hook(call) { [self] in
            let task = Task {
                let state = isUpload ? await upload().state : await regularSync().state
                states.change { $0.append(state) }
                over.continuation.finish()
            }
            tasks.change { $0 = task }
            for await _ in over.stream {}
        }
        if call == .logIn {
            try await sync.logIn("second", discardingEdits: true)
        } else {
            try await sync.logOut()
        }
        await tasks.value?.value
        #expect(states.value == [.stopped])
        #expect(await server.calls.isEmpty)
        #expect(await edits.calls.isEmpty)
    }

    @Test func `no request is sent between a log-out and the next log-in`() async throws {
        await server.put(1, "A")
        try await sync.logIn("first")
        await edit(2)
        try await sync.logOut()
        #expect(await regularSync().state == .stopped)
        #expect(await upload().state == .stopped)
        #expect(await server.calls.isEmpty)
        #expect(await edits.calls.isEmpty)
        try await sync.logIn("first")
        #expect(await upload().state == .done)
        #expect(await regularSync().state == .done)
    }

    @Test func `a regular sync of the previous user does not block that of the next`() async throws {
        await server.put(1, "A")
        try await sync.logIn("first")
        let next = Shared<RegularSyncReport?>(nil)
        let former = await regularSync(
            from: ActingSource(server) { [self] in
                try? await sync.logIn("second")
                let report = await regularSync()
                next.change { $0 = report }
            })
        #expect(former.state == .stopped)
        #expect(next.value?.state == .done)
        #expect(await slow.store.records(of: "Account").map(\.key) == [.server(.test(1))])
    }

    @Test func `an upload of the previous user does not block that of the next`() async throws {
        try await sync.logIn("first")
        await edit(1)
        let next = Shared<UploadReport?>(nil)
        await edits.interrupt(call: 1) { [self] in
            try? await sync.logIn("second", discardingEdits: true)
            await edit(2)
            let report = await upload()
            next.change { $0 = report }
        }
        #expect(await upload().state == .stopped)
        #expect(next.value?.state == .done && next.value?.uploaded == 1)
        #expect(await edits.writes.count == 1)
    }

    @Test func `a regular sync that started before its user was known still excludes a second one`() async throws {
        await server.put(1, "A")
        try await slow.store.logIn("first", discardingEdits: false)
        let second = Shared<RegularSyncReport?>(nil)
        let first = await regularSync(
            from: ActingSource(server) { [self] in
                try? await sync.logIn("first")
                let report = await regularSync()
                second.change { $0 = report }
            })
        #expect(first.state == .done)
        #expect(second.value?.state == .running)
    }

    @Test func `ids are not compared if the user changed while they were listed`() async throws {
        await server.put(1, "A")
        try await sync.logIn("first")
        await slow.hook(.list) { [sync] in try? await sync.logOut() }
        #expect(await regularSync(checksGhosts: true).state == .stopped)
        #expect(await server.calls == ["query", "deletions"])
    }

    @Test func `the stamps of an upload are not read if the user changed meanwhile`() async throws {
        try await sync.logIn("first")
        await edit(1)
        await edits.interrupt(call: 2) { [sync] in try? await sync.logIn("second", discardingEdits: true) }
        _ = await upload()
        #expect(await edits.calls == ["fetch", "write"])
    }
}
