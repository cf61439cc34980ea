import PushDispatch
@testable import SelectiveSync
import TestSeeds
import Testing

struct RegularSyncTests {
    private let server = FakeServer()
    private let store = MemoryRecordStore()
    private let sync: RecordSync

    init() {
        sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: store, clock: StillClock())
    }

    private func run(checksGhosts: Bool = false, policy: RegularSyncPolicy = RegularSyncPolicy()) async
        -> RegularSyncReport
    {
        await sync.regularSync(
            of: "Account", from: server, policy: policy,
            now: ServerDate(millisecondsSince1970: await server.now),
            until: DispatchMoment(milliseconds: 1_000_000), checksGhosts: checksGhosts)
    }

    private func push(_ numbers: Int...) async -> HandlerReport {
        let context = HandlerContext(
            stopAt: DispatchMoment(milliseconds: 24_000), clock: StillClock(), onRequest: {}, onDone: { _, _ in })
        return await sync.handle(Hint(type: "T", object: "Account", records: numbers.map(RecordID.test)), context)
    }

    private func stored() async -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: await store.records(of: "Account").map {
                ($0.key.description, $0.fields["Name"]?.string ?? "")
            })
    }

    private func expectEqual(_ location: SourceLocation = #_sourceLocation) async {
        #expect(await stored() == (await server.names()), sourceLocation: location)
    }

    private func fill(_ numbers: ClosedRange<Int>) async {
        for number in numbers {
            await server.tick(1_000)
            await server.put(number, "name \(number)")
        }
    }

    @Test func `a first pass fetches everything page by page, a second one nothing new`() async {
        await fill(1...8)
        let first = await run()
        #expect(first.state == .done && first.changed == 8)
        await expectEqual()
        #expect(await server.calls.prefix(4) == ["query", "next", "next", "deletions"])
        let second = await run()
        // Three pages of ids and the deletions.
        #expect(second.state == .done && second.changed == 0 && second.requests == 4)
    }

    @Test func `records that change while the pages are read do not move the mark past unread ones`() throws {
        func at(_ seconds: Int64) -> ServerDate { ServerDate(millisecondsSince1970: 1_000 * seconds) }
        func record(_ number: Int, _ seconds: Int64) -> ServerRecord {
            ServerRecord(id: .test(number), fields: ["SystemModstamp": .string(at(seconds).description)])
        }
        var pass = RegularSyncPass(
            SyncObject("Account", fields: []), SyncProgress(), pending: .start, policy: RegularSyncPolicy(),
            now: at(100))
        // Records 2 and 3 had the dates 20 and 30 when the pages were made; record 4 still has 90.
        _ = try pass.received(QueryPage(records: [record(1, 10), record(2, 200)], next: "a", serverDate: at(100)))
        _ = try pass.received(QueryPage(records: [record(3, 300)], next: "b", serverDate: at(301)))
        #expect(pass.progress.mark == at(10))
        _ = try pass.received(QueryPage(records: [record(4, 90)], serverDate: at(302)))
        #expect(pass.progress.mark == at(100))
    }

    @Test func `a record from a push that was deleted long before the first pass is removed by it`() async {
        await fill(1...3)
        #expect(await push(1, 2).changed == 2)
        await server.tick(60_000)
        await server.delete(1)
        await server.tick(3 * 86_400_000)
        #expect(await run().state == .done)
        await expectEqual()
    }

    @Test func `the first pass asks for the deletions of a day by the server's clock`() async {
        await fill(1...3)
        #expect(await push(1).changed == 1)
        await server.interrupt(call: 2) { $0.delete(1) }
        let report = await sync.regularSync(
            of: "Account", from: server,
            now: ServerDate(millisecondsSince1970: await server.now + 3 * 86_400_000),
            until: DispatchMoment(milliseconds: 1_000_000))
        #expect(report.state == .done)
        await expectEqual()
    }

    @Test func `a pass of the previous user neither stores nor moves the mark for the next`() async throws {
        let (first, next) = ("005xx000001X8Uz", "005xx000001X8Uy")
        await fill(1...4)
        try await sync.logIn(first)
        let report = await sync.regularSync(
            of: "Account",
            from: ActingSource(server, before: { $0.next != nil }) { [sync] in try? await sync.logIn(next) },
            now: ServerDate(millisecondsSince1970: await server.now), until: DispatchMoment(milliseconds: 1_000_000))
        #expect(report.state != .done)
        #expect(await store.user() == next)
        #expect(await store.records(of: "Account").isEmpty)
        #expect(await store.progress(of: "Account") == SyncProgress())
    }

    @Test func `a pass does not continue if its user came back to an empty store`() async throws {
        let (first, next) = ("005xx000001X8Uz", "005xx000001X8Uy")
        await fill(1...4)
        try await sync.logIn(first)
        let report = await sync.regularSync(
            of: "Account",
            from: ActingSource(server, before: { $0.next != nil }) { [sync] in
                try? await sync.logIn(next)
                try? await sync.logIn(first)
            },
            now: ServerDate(millisecondsSince1970: await server.now), until: DispatchMoment(milliseconds: 1_000_000))
        #expect(report.state == .stopped)
        #expect(await store.progress(of: "Account") == SyncProgress())
        #expect(await run().state == .done)
        await expectEqual()
    }

    @Test func `a selective fetch never moves the mark, so an earlier change of another record is not skipped`() async {
        await fill(1...2)
        _ = await run()
        let before = await store.progress(of: "Account")
        await server.tick(60_000)
        await server.put(1, "Y at 10:03")
        await server.tick(120_000)
        await server.put(2, "X at 10:05")
        #expect(await push(2).result == .newData)
        #expect(await store.progress(of: "Account") == before)
        #expect(await run().changed == 1)
        await expectEqual()
    }

    @Test func `records of one date on two pages are not lost if the pass is interrupted between them`() async {
        await server.tick(1_000)
        for number in 1...7 { await server.put(number, "same moment") }
        await server.set(faults: [2: FetchError(.network, advice: .retryLater, "x")])
        let broken = await run()
        #expect(broken.state == .failed && broken.changed == 3)
        #expect(await store.progress(of: "Account").mark == nil)
        await server.forgetLocators()
        await server.set()
        #expect(await run().state == .done)
        await expectEqual()
    }

    @Test func `an interrupted pass continues at its page, and its mark has moved with the pages`() async {
        await fill(1...9)
        await server.set(faults: [3: FetchError(.timeout, advice: .retryLater, "x")])
        #expect(await run().state == .failed)
        let progress = await store.progress(of: "Account")
        #expect(progress.state == .failed && progress.mark != nil)
        guard case .query(let pages)? = progress.pass?.step else { return #expect(Bool(false), "\(progress)") }
        #expect(pages.read == 2)
        await server.set()
        #expect(await run().state == .done)
        // The rest of the interrupted pass, the comparison of the ids, because pushes may have stored records that are gone,
        // and a new pass for later changes.
        #expect(
            await server.calls == [
                "query", "next", "next", "next", "deletions", "fetch", "list", "next", "next", "deletions",
            ])
        await expectEqual()
    }

    @Test func `the next pass fetches a change during the pass, even of the same millisecond`() async {
        await fill(1...5)
        await server.interrupt(call: 2) { server in
            server.put(1, "changed while the pass ran")
            server.tick(1)
            server.put(5, "later than that")
        }
        _ = await run()
        await server.interrupt(call: 0) { _ in }
        _ = await run()
        await expectEqual()
    }

    @Test func `deleted records are removed, and one that was undeleted stays`() async {
        await fill(1...4)
        _ = await run()
        await server.tick(120_000)
        await server.delete(1)
        await server.delete(2)
        await server.tick(60_000)
        await server.put(2, "back again")
        await server.tick(60_000)
        _ = await run()
        await expectEqual()
        #expect(await stored().count == 3)
    }

    @Test func `missed deletions make the pass fetch everything once more and compare all ids`() async {
        await fill(1...4)
        _ = await run()
        await server.tick(86_400_000 * 20)
        await server.hide(3)
        await server.set(deletionsKnownSince: await server.now - 1_000)
        let report = await run()
        #expect(report.state == .done)
        #expect(await server.calls.suffix(5) == ["list", "deletions", "query", "deletions", "fetch"])
        await expectEqual()
    }

    @Test func `the comparison of all ids removes a record that is no longer visible, but never a dirty one`() async {
        await fill(1...6)
        _ = await run()
        await server.hide(2)
        await server.hide(5)
        await store.put(LocalRecord(.test(5, name: "mine"), changes: .updated), of: "Account")
        var policy = RegularSyncPolicy()
        policy.ghostBatch = 2
        #expect(await run(checksGhosts: true, policy: policy).changed == 1)
        #expect(await store.record(.test(2), of: "Account") == nil)
        #expect(await store.record(.test(5), of: "Account")?.isDirty == true)
    }

    @Test func `all ids are compared once a day`() async {
        await fill(1...3)
        _ = await run()
        await server.hide(2)
        await server.tick(3_600_000)
        #expect(await run().changed == 0)
        await server.tick(86_400_000)
        #expect(await run().changed == 1)
        await expectEqual()
    }

    @Test(arguments: ["EXCEEDED_ID_LIMIT", "INVALID_REPLICATION_DATE"])
    func `all ids are compared if the server refuses to list deletions`(code: String) async {
        await fill(1...3)
        _ = await run()
        await server.hide(1)
        let refusal = ServerRefusal.read(status: 400, body: Array(#"[{"errorCode":"\#(code)"}]"#.utf8))
        await server.set(faults: [4: refusal])
        #expect(await run().state == .done)
        await expectEqual()
    }

    @Test func `a missing record and a page in flight at the same time lead to one more fetch`() async {
        await fill(1...4)
        _ = await run()
        // The record is deleted and fetched by a push while a page that still contains it is in flight.
        await server.tick(60_000)
        await server.put(4, "last change")
        let sync = self.sync
        let gate = Gate()
        let source = PausedSource(server, gate)
        let now = ServerDate(millisecondsSince1970: await server.now)
        async let pass = sync.regularSync(
            of: "Account", from: source, now: now, until: DispatchMoment(milliseconds: 1_000_000))
        await gate.reached()
        await server.hide(4)
        #expect(await push(4).changed == 1)
        await gate.open()
        #expect(await pass.state == .done)
        await expectEqual()
    }

    @Test func `a pass that starts later serves dropped hints`() async {
        let small = MemoryRecordStore(PendingList(maximumRecords: 1))
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: small, clock: StillClock())
        await fill(1...2)
        await small.keep(Hint(type: "T", object: "Account", records: [.test(1), .test(2)]))
        #expect(await small.objectsToSync() == ["Account"])
        let now = ServerDate(millisecondsSince1970: await server.now)
        let report = await sync.regularSync(
            of: "Account", from: server, now: now, until: DispatchMoment(milliseconds: 1_000_000))
        #expect(report.state == .done)
        #expect(await small.objectsToSync().isEmpty)
    }

    @Test func `after an invalid page the next pass starts again at the mark and finishes`() async {
        await fill(1...9)
        var policy = RegularSyncPolicy()
        policy.maximumPages = 2
        policy.overlapMilliseconds = 0
        let broken = await run(policy: policy)
        #expect(broken.state == .failed && broken.error?.code == .badReply)
        #expect(await store.progress(of: "Account").mark != nil)
        // The same limit: the records after the mark fit.
        #expect(await run(policy: policy).state == .done)
        await expectEqual()
    }

    @Test(arguments: [true, false])
    func `a record with a date far in the future does not move the mark`(tellsTime: Bool) async {
        await server.set(tellsTime: tellsTime)
        await fill(1...2)
        await server.put(3, "absurd", at: 253_402_300_799_000)
        #expect(await run().state == .done)
        await expectEqual()
        await server.tick(60_000)
        await server.put(1, "changed later")
        #expect(await run().state == .done)
        await expectEqual()
    }

    /// The device's clock is not used where the server's time is known.
    @Test(arguments: [Int64.min, -62_135_596_800_001, -1, 0, 253_402_300_800_000, .max])
    func `a device clock before 1970 or far in the future loses nothing`(clock: Int64) async {
        func run(_ clock: Int64) async -> RegularSyncReport {
            await sync.regularSync(
                of: "Account", from: server, now: ServerDate(millisecondsSince1970: clock),
                until: DispatchMoment(milliseconds: 1_000_000))
        }
        await fill(1...5)
        #expect(await run(clock).state == .done)
        await expectEqual()
        // Corrected, and wrong again.
        for now in [await server.now, clock, -clock.magnitude.clamped, clock] {
            await server.tick(3_600_000)
            await server.put(1, "changed \(now)")
            await server.put(6, "new \(now)")
            #expect(await run(now).state == .done)
            await server.tick(3_600_000)
            await server.delete(6)
            await server.tick(3_600_000)
            #expect(await run(now).state == .done)
            await expectEqual()
        }
    }

    @Test func `an endless chain of pages fails`() async {
        await fill(1...9)
        var policy = RegularSyncPolicy()
        policy.maximumPages = 2
        let report = await run(policy: policy)
        #expect(report.state == .failed && report.error?.code == .badReply)
        #expect(await stored().count == 6)
    }

    @Test func `a query contains only plain names`() throws {
        var request = QueryRequest(
            object: "Account", fields: ["Id", "Owner.Name"], orderField: "LastModifiedDate",
            after: ServerDate("2026-05-20T20:49:32.000+0000"), next: nil, pageSize: 2_000, timeoutMilliseconds: 1)
        #expect(
            try request.text()
                == "SELECT Id,Owner.Name FROM Account WHERE LastModifiedDate > 2026-05-20T20:49:32.000Z "
                + "ORDER BY LastModifiedDate")
        request.fields = ["Id FROM User--"]
        #expect(throws: FetchError.self) { try request.text() }
    }

    /// Random pushes, which may be lost, doubled or late, and random failures.
    @Test(arguments: TestSeed.all(0..<60))
    func `a final regular sync makes both stores equal`(seed: TestSeed) async {
        var generator = seed.generator
        for _ in 0..<60 {
            await server.tick(Int64.random(in: 0...40_000, using: &generator))
            let number = Int.random(in: 1...9, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4: await server.put(number, "v\(generator.next() % 1_000)")
            case 4: await server.delete(number)
            case 5..<8: _ = await push(number, Int.random(in: 1...9, using: &generator))
            case 8: _ = await run()
            default:
                let call = await server.calls.count + Int.random(in: 1...3, using: &generator)
                await server.set(faults: [call: FetchError(.network, advice: .retryLater, "x")])
            }
        }
        await server.set()
        await server.tick(120_000)
        #expect(await run().state == .done)
        await expectEqual()
    }
}

/// Delays an answer until it is opened.
private actor Gate {
    private var isReached = false
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        isReached = true
        for continuation in watching { continuation.resume() }
        watching = []
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func reached() async {
        guard !isReached else { return }
        await withCheckedContinuation { watching.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// A server whose first page is delayed.
private struct PausedSource: RecordSource {
    let server: FakeServer
    let gate: Gate

    init(_ server: FakeServer, _ gate: Gate) {
        self.server = server
        self.gate = gate
    }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] { try await server.fetch(request) }

    func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage {
        let page = try await server.query(request)
        await gate.pass()
        return page
    }

    func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
        try await server.deletions(request)
    }
}

extension UInt64 {
    fileprivate var clamped: Int64 { Int64(clamping: self) }
}
