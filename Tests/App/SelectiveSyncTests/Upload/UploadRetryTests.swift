import PushDispatch
import Testing

@testable import SelectiveSync

/// Records whose own calls fail: they hold up no other record, and are tried again after a growing wait.
struct UploadRetryTests {
    private let server = EditServer()
    private let store = MemoryRecordStore()
    private let clock = StepClock()
    private let sync: RecordSync

    init() {
        var account = SyncObject("Account", fields: ["Name"])
        account.externalIDField = "Key__c"
        sync = RecordSync(objects: [account], fetcher: server, store: store, clock: clock)
    }

    private static let refusal = FetchError(FetchError.Code("SOMETHING_NEW"), status: 400, advice: .keep, "x")
    private static let timeout = FetchError(.timeout, advice: .retryLater, "x")

    @discardableResult
    private func upload() async -> UploadReport {
        await sync.upload("Account", to: server, until: clock.now().advanced(byMilliseconds: 20_000))
    }

    private func finds() async -> Int { await server.calls.count { $0 == "find" } }

    /// Creates a record whose answer is lost.
    private func lose(_ name: String) async throws -> RecordKey {
        let key = try await store.create(["Name": .string(name)], of: "Account")
        await server.loseAnswer(of: await server.calls.count + 1)
        #expect(await upload().state == .failed)
        return key
    }

    private func isUploaded(_ key: RecordKey) async -> Bool {
        await store.record(key, of: "Account")?.isDirty == false
    }

    @Test(
        arguments: [
            refusal, timeout, FetchError(.unexplained, status: 403, advice: .keep, "x"),
            FetchError(.badReply, status: 200, advice: .retryLater, "x"),
            FetchError(FetchError.Code("UNKNOWN_EXCEPTION"), status: 500, advice: .retryLater, "x"),
            FetchError(.invalidField, status: 400, advice: .stop, "x"),
            FetchError(.replyTooLarge, advice: .keep, "x"),
        ])
    func `a new record that can never be looked up holds up no other`(error: FetchError) async throws {
        let bad = try await lose("bad")
        await server.fail(named: "bad", error)
        let other = try await store.create(["Name": "other"], of: "Account")
        let report = await upload()
        #expect(report.state == .failed && report.error == error && report.uploaded == 1)
        #expect(await isUploaded(other))
        // Nor does it hold up one that has to be looked up as well.
        let lost = try await lose("lost")
        await upload()
        await upload()
        #expect(await isUploaded(lost))
        #expect(await isUploaded(bad) == false)
        await server.fail(named: "bad", nil)
        clock.advance(to: 3_600_000)
        await upload()
        #expect(await isUploaded(bad))
        #expect(await server.records.count == 3)
    }

    @Test func `a record whose own call fails is tried again after a wait that grows, and is reported`() async throws {
        let key = try await lose("bad")
        await server.fail(named: "bad", Self.refusal)
        var found: [Int64] = []
        for second in 0..<Int64(1_000) {
            clock.advance(to: second * 1_000)
            let before = await finds()
            let report = await upload()
            #expect(report.refused == [key])
            if await finds() > before { found.append(second) }
        }
        #expect(found == [0, 60, 180, 420, 900])
        #expect(await store.record(key, of: "Account")?.lastError?.contains("SOMETHING_NEW") == true)
        var counts = store.observeCounts().makeAsyncIterator()
        #expect(try await counts.next() == StoreCounts(unsent: 1, failed: 1))
    }

    @Test func `an edit and another network end the wait`() async throws {
        let key = try await lose("bad")
        await server.fail(named: "bad", Self.refusal)
        await upload()
        await upload()
        #expect(await finds() == 1)
        try await store.edit(key, of: "Account") { $0["Name"] = "better" }
        await upload()
        await upload()
        #expect(await finds() == 2)
        await sync.networkChanged(to: .metered)
        await upload()
        await upload()
        #expect(await finds() == 3)
    }

    @Test(arguments: [true, false])
    func `where a call with several records is refused, each is sent alone`(failsFinds: Bool) async throws {
        let bad = try await store.create(["Name": "bad"], of: "Account")
        var others: [RecordKey] = []
        for number in 0..<4 {
            others.append(try await store.create(["Name": .string("other \(number)")], of: "Account"))
        }
        let error = FetchError(.unexplained, status: 403, advice: .keep, "x")
        await server.fail(named: "bad", error, finds: failsFinds)
        #expect(await upload().state == .failed)
        let report = await upload()
        #expect(report.uploaded == 4 && report.refused == [bad] && report.state == .failed)
        for key in others { #expect(await isUploaded(key)) }
        // Until it is due again, there is nothing to do.
        let calls = await server.calls.count
        let last = await upload()
        #expect(last.state == .done && last.refused == [bad])
        #expect(await server.calls.count == calls)
    }

    @Test func `a new record that never arrived is created in the same upload`() async throws {
        let key = try await store.create(["Name": "A"], of: "Account")
        await server.fail(call: 1, Self.timeout)
        #expect(await upload().state == .failed)
        #expect(await upload().uploaded == 1)
        #expect(await isUploaded(key))
        #expect(await server.records.count == 1)
    }

    @Test func `a new record that is found without the filter is fetched with it`() async throws {
        _ = try await lose("A")
        var batch = MergeBatch("Account", [])
        batch.progress = SyncProgress()
        batch.progress?.mark = ServerDate(millisecondsSince1970: 2_000_000_000_000)
        _ = try await store.merge(batch)
        await sync.setFilter(.field("Type", .equal, .string("x")), of: "Account")
        #expect(await upload().uploaded == 1)
        #expect(await store.pending(of: "Account", after: nil).map(\.record) == [.test(901)])
    }

    @Test func `an answer in the place of the server ends the pass after some calls`() async throws {
        for number in 0..<25 { _ = try await store.create(["Name": .string("record \(number)")], of: "Account") }
        await server.loseAnswer(of: 1)
        #expect(await upload().state == .failed)
        let before = await server.calls.count
        for number in 0..<25 {
            await server.fail(named: "record \(number)", FetchError(.badReply, status: 200, advice: .retryLater, "x"))
        }
        #expect(await upload().state == .failed)
        #expect(await server.calls.count - before <= 3)
    }
}
