import PushDispatch
import SelectiveSync
import Testing

/// Invalid chains of pages.
struct PageChainTests {
    private let store = MemoryRecordStore()

    private func run(_ server: ScriptedPages, maximumPages: Int = 10_000) async -> RegularSyncReport {
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: store, clock: StillClock())
        var policy = RegularSyncPolicy()
        policy.maximumPages = maximumPages
        return await sync.regularSync(
            of: "Account", from: server, policy: policy, now: ServerDate(millisecondsSince1970: 1_700_000_000_000),
            until: DispatchMoment(milliseconds: 1_000_000))
    }

    @Test(arguments: [1, 2, 3, 5, 8, 100], [0, 1, 7])
    func `a loop of pages of any length is detected`(length: Int, before: Int) async {
        let server = ScriptedPages { number, _ in
            let place = number < before ? number : before + (number - before) % length
            return QueryPage(records: [], next: "page \(place)")
        }
        let report = await run(server)
        #expect(report.state == .failed && report.error?.code == .badReply)
        #expect(report.requests <= 3 * (length + before) + 3)
    }

    @Test func `more records than the whole result has are detected`() async {
        let server = ScriptedPages { number, _ in
            QueryPage(
                records: [ScriptedPages.record(number)], next: "page \(number)", totalSize: 5)
        }
        let report = await run(server)
        #expect(report.state == .failed && report.requests == 6)
        // The records before are stored, and the mark is not past them.
        #expect(await store.records(of: "Account").count == 5)
        let mark = await store.progress(of: "Account").mark
        #expect(mark == ScriptedPages.record(3).lastModifiedDate)
    }

    @Test func `a server that refuses every next page is not asked endlessly`() async {
        let server = ScriptedPages { _, request throws(FetchError) in
            guard request.next == nil else {
                throw FetchError(FetchError.Code("INVALID_QUERY_LOCATOR"), status: 400, advice: .stop, "x")
            }
            return QueryPage(records: [ScriptedPages.record(1)], next: "lost")
        }
        let report = await run(server)
        #expect(report.state == .failed && report.error?.advice == .stop)
        #expect(report.requests < 10)
    }

    @Test func `a sync after one with too many refusals starts again at the mark`() async {
        let refusing = ScriptedPages { _, request throws(FetchError) in
            guard request.next == nil else {
                throw FetchError(FetchError.Code("INVALID_QUERY_LOCATOR"), status: 400, advice: .stop, "x")
            }
            return QueryPage(records: [ScriptedPages.record(1)], next: "lost")
        }
        #expect(await run(refusing).state == .failed)
        let server = ScriptedPages { _, request throws(FetchError) in
            guard request.next == nil else {
                throw FetchError(FetchError.Code("INVALID_QUERY_LOCATOR"), status: 400, advice: .stop, "x")
            }
            return QueryPage(records: [ScriptedPages.record(2)], next: nil)
        }
        #expect(await run(server).state == .done)
    }

    @Test func `a result is fetched although each next page is refused once`() async {
        let server = ScriptedPages { _, request throws(FetchError) in
            guard request.next == nil else {
                throw FetchError(FetchError.Code("INVALID_QUERY_LOCATOR"), status: 400, advice: .stop, "x")
            }
            let after = request.after?.millisecondsSince1970 ?? 0
            let first = Int(after / 1_000) + 1
            let records = (first..<first + 3).map(ScriptedPages.record)
            return QueryPage(records: records, next: first > 40 ? nil : "lost")
        }
        let report = await run(server)
        #expect(report.state == .done)
        #expect(await store.records(of: "Account").count > 40)
    }
}

/// Pages of a test, without deletions.
private actor ScriptedPages: RecordSource {
    typealias Script = @Sendable (_ number: Int, QueryRequest) throws(FetchError) -> QueryPage

    private let script: Script
    private var count = 0

    init(_ script: @escaping Script) { self.script = script }

    /// Modified this number of seconds after 1970.
    static func record(_ number: Int) -> ServerRecord {
        let date = ServerDate(millisecondsSince1970: Int64(number) * 1_000)
        return ServerRecord(
            id: .test(number),
            fields: [
                "Id": .string(RecordID.test(number).description), "LastModifiedDate": .string(date.description),
                "SystemModstamp": .string(date.description),
            ])
    }

    func query(_ request: QueryRequest) throws(FetchError) -> QueryPage {
        defer { count += 1 }
        return try script(count, request)
    }

    func deletions(_ request: DeletionsRequest) throws(FetchError) -> Deletions {
        Deletions(deleted: [], covered: request.end)
    }

    func fetch(_ request: FetchRequest) throws(FetchError) -> [FetchedRecord] { request.records.map { .missing($0) } }
}
