import PushDispatch
import SelectiveSync
import Testing

/// Uploads: which calls are made, and what store and server contain afterwards.
struct RecordSyncUploadTests {
    private let server = EditServer()
    private let store = MemoryRecordStore()

    private func sync(mode: MergeRules.Mode = .leaveIfChanged, editable: [String]? = nil) -> RecordSync {
        var object = SyncObject("Account", fields: ["Name"])
        object.rules.mode = mode
        object.editableFields = editable
        return RecordSync(objects: [object], fetcher: server, store: store, clock: StillClock())
    }

    private func upload(_ sync: RecordSync? = nil, milliseconds: Int64 = 20_000) async -> UploadReport {
        await (sync ?? self.sync()).upload(
            "Account", to: server, until: DispatchMoment(milliseconds: milliseconds))
    }

    /// Edits a record that is at the server and in the store.
    private func edit(_ number: Int, _ changes: LocalRecord.Changes = .updated) async {
        let version = await server.put(.test(number), ["Name": "server"])
        _ = try? await store.merge(MergeBatch("Account", [.record(version)]))
        if changes == .deleted {
            try? await store.delete(.server(.test(number)), of: "Account")
        } else {
            try? await store.edit(.server(.test(number)), of: "Account") { $0["Name"] = "edited" }
        }
    }

    private func local(_ number: Int) async -> LocalRecord? { await store.record(.test(number), of: "Account") }

    private func name(_ number: Int) async -> JSONValue? { await server.records[.test(number)]?["Name"] }

    @Test func `changes, new records and deletions are uploaded`() async {
        await edit(1)
        await edit(2, .deleted)
        await store.put(LocalRecord(.local(7), fields: ["Name": "new"], changes: .created), of: "Account")
        let report = await upload()
        #expect(report.state == .done && report.uploaded == 3 && report.conflicts.isEmpty && report.refused.isEmpty)
        #expect(await name(1) == "edited")
        #expect(await name(2) == nil)
        #expect(await name(901) == "new")
        #expect(await local(1)?.isDirty == false)
        #expect(await local(2) == nil)
        #expect(await local(901)?.isDirty == false)
        #expect(await store.dirtyRecords(of: "Account").isEmpty)
        // The version of a record to delete is read immediately before the call.
        #expect(await server.calls == ["fetch", "write", "fetch", "write", "fetch", "fetch", "write"])
    }

    @Test func `only fields that an app may change are sent`() async {
        await edit(1)
        _ = await upload()
        guard case .update(_, let all, let date)? = await server.writes.first?.write else {
            Issue.record("no update was sent")
            return
        }
        #expect(all == ["Name": "edited"])
        #expect(date != nil)
        await edit(2)
        #expect(await upload(sync(editable: ["Phone"])).uploaded == 0)
        #expect(await server.writes.count == 1)
        #expect(await local(2)?.isDirty == false)
    }

    @Test func `the uploaded version is not a change`() async {
        await edit(1)
        let sync = sync()
        _ = await upload(sync)
        let stamp = await server.records[.test(1)]?["LastModifiedDate"]?.string
        #expect(await local(1)?.uploaded == stamp.flatMap { ServerDate($0) })
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        let report = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        #expect(report == HandlerReport(changed: 0))
        #expect(await local(1)?.fields["LastModifiedDate"]?.string == stamp)
    }

    @Test func `an edit after an upload is uploaded too, although nothing was fetched in between`() async {
        await edit(1)
        _ = await upload()
        try? await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited again" }
        let report = await upload()
        #expect(report.uploaded == 1 && report.conflicts.isEmpty)
        #expect(await name(1) == "edited again")
    }

    @Test func `a record that has changed at the server is left and reported as a conflict`() async {
        await edit(1)
        await edit(2, .deleted)
        await server.put(.test(1), ["Name": "by somebody else"])
        await server.put(.test(2), ["Name": "by somebody else"])
        let report = await upload()
        #expect(report.state == .done && report.uploaded == 0)
        #expect(Set(report.conflicts) == [.server(.test(1)), .server(.test(2))])
        #expect(await server.writes.isEmpty)
        #expect(await local(1)?.fields["Name"] == "edited")
        #expect(await local(1)?.isDirty == true)
        #expect(await local(2)?.isDirty == true)
    }

    @Test func `a change between the read and the call is a conflict too`() async {
        await edit(1)
        await server.interrupt(call: 2) { [server] in
            await server.put(.test(1), ["Name": "by somebody else"])
        }
        let report = await upload()
        #expect(report.conflicts == [.server(.test(1))])
        #expect(await name(1) == "by somebody else")
        #expect(await local(1)?.isDirty == true)
    }

    @Test func `overwriting reads nothing, sends no condition, and creates deleted records again`() async {
        await edit(1)
        await edit(2)
        await server.put(.test(1), ["Name": "by somebody else"])
        await server.remove(.test(2))
        let report = await upload(sync(mode: .overwrite))
        #expect(report.state == .done && report.uploaded == 2)
        #expect(await name(1) == "edited")
        #expect(await name(901) == "edited")
        #expect(await local(2) == nil)
        #expect(await local(901)?.isDirty == false)
        #expect(await server.calls.first == "write")
    }

    @Test func `a record that was created and deleted here is never sent`() async {
        await store.put(LocalRecord(.local(7), fields: [:], changes: [.created, .deleted]), of: "Account")
        #expect(await upload().uploaded == 1)
        #expect(await server.calls.isEmpty)
        #expect(await store.records(of: "Account").isEmpty)
    }

    @Test func `an update whose answer was lost is recognised by its values`() async {
        await edit(1)
        await server.loseAnswer(of: 2)
        let first = await upload()
        #expect(first.state == .failed && first.error?.code == .network)
        #expect(await local(1)?.isDirty == true)
        let second = await upload()
        #expect(second.state == .done && second.uploaded == 1 && second.conflicts.isEmpty)
        #expect(await server.writes.count == 1)
        #expect(await local(1)?.isDirty == false)
    }

    @Test func `the next pass settles a deletion whose answer was lost`() async {
        await edit(1, .deleted)
        await server.loseAnswer(of: 2)
        #expect(await upload().state == .failed)
        #expect(await upload().uploaded == 1)
        #expect(await local(1) == nil)
    }

    @Test func `a refused record keeps its error, and the others go on`() async {
        for number in 1...3 { await edit(number) }
        await server.answer(.test(2), with: .refused("FIELD_CUSTOM_VALIDATION_EXCEPTION"))
        let report = await upload()
        #expect(report.state == .done && report.uploaded == 2 && report.refused == [.server(.test(2))])
        #expect(await local(2)?.lastError == "FIELD_CUSTOM_VALIDATION_EXCEPTION")
        #expect(await local(2)?.isDirty == true)
        #expect(await local(3)?.isDirty == false)
    }

    @Test func `an error that concerns all records fails the pass, and earlier answers count`() async {
        for number in 1...3 { await edit(number) }
        let limit = FetchError(.requestLimitExceeded, status: 403, advice: .keep, "x")
        await server.answer(.test(2), with: .unavailable(limit))
        let report = await upload()
        #expect(report.state == .failed && report.error == limit && report.uploaded == 2)
        #expect(await local(2)?.isDirty == true)
        #expect(await local(2)?.lastError == nil)
    }

    @Test func `a pass without an answer changes nothing`() async {
        await edit(1)
        for call in 1...2 {
            let server = server
            await server.fail(call: server.calls.count + call, FetchError(.network, advice: .retryLater, "x"))
            #expect(await upload().state == .failed)
        }
        #expect(await local(1)?.changes == .updated)
        #expect(await upload().uploaded == 1)
    }

    @Test func `stamps that cannot be read back do not undo an upload`() async {
        await edit(1)
        await server.fail(call: 3, FetchError(.network, advice: .retryLater, "x"))
        let report = await upload()
        #expect(report.state == .done && report.uploaded == 1)
        #expect(await local(1)?.isDirty == false)
        #expect(await local(1)?.uploaded == nil)
    }

    @Test func `an edit made during the upload still has to be sent`() async {
        await edit(1)
        await server.interrupt(call: 2) { [store] in
            try? await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "later" }
        }
        _ = await upload()
        #expect(await local(1)?.changes == .updated)
        #expect(await local(1)?.fields["Name"] == "later")
        _ = await upload()
        #expect(await name(1) == "later")
    }

    @Test func `an upload that ends late does not change another user's record`() async throws {
        let sync = sync()
        try await sync.logIn("A")
        await edit(1)
        await server.interrupt(call: 2) { [store, server] in
            try? await sync.logIn("B", discardingEdits: true)
            _ = try? await store.merge(MergeBatch("Account", [.record(await server.put(.test(1), ["Name": "B's"]))]))
        }
        _ = await upload(sync)
        #expect(await local(1)?.isDirty == false)
        #expect(await local(1)?.fields["Name"] == "B's")
    }

    @Test func `without time nothing is sent`() async {
        await edit(1)
        #expect(await upload(milliseconds: 0).state == .stopped)
        #expect(await server.calls.isEmpty)
        #expect(await local(1)?.isDirty == true)
    }

    @Test func `edits share calls, and a new record has its own`() async {
        for number in 1...60 { await edit(number) }
        for number in 1...2 {
            await store.put(LocalRecord(.local(number), fields: ["Name": "new"], changes: .created), of: "Account")
        }
        #expect(await upload().uploaded == 62)
        let sizes = await server.writes.map(\.count)
        #expect(sizes.count { $0 == 1 } == 2 && sizes.count { $0 == 25 } == 50 && sizes.count { $0 == 10 } == 10)
    }

    @Test func `a fetch in flight does not restore a record that an upload deleted`() async {
        await edit(1, .deleted)
        let late = LateFetcher(server)
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: late, store: store, clock: StillClock())
        await late.beforeAnswer { [server] in
            _ = await sync.upload("Account", to: server, until: DispatchMoment(milliseconds: 20_000))
        }
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        _ = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        #expect(await server.records.isEmpty)
        #expect(await local(1) == nil)
    }
}

/// Reads the records, and answers after a test's action.
private actor LateFetcher: RecordFetcher {
    private let server: EditServer
    private var act: @Sendable () async -> Void = {}

    init(_ server: EditServer) { self.server = server }

    func beforeAnswer(_ act: @escaping @Sendable () async -> Void) { self.act = act }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        let answers = try await server.fetch(request)
        let act = act
        self.act = {}
        await act()
        return answers
    }
}
