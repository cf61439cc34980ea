import Foundation
import GRDB
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

/// A store of the previous version of this library, with a pass that was interrupted.
struct FormerProgressTests {
    private static let mark = ServerDate(millisecondsSince1970: 1_700_000_000_000)

    @Test func `it opens, the pass goes on at its page, and then the records are fetched with all fields`() async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.file("store")
        var store = try SQLiteStore(file: file)
        _ = try await store.merge(
            MergeBatch("Account", [.record(.test(1, name: "stored", at: Self.mark.millisecondsSince1970))]))
        try store.close()
        let date = #"{"millisecondsSince1970":\#(Self.mark.millisecondsSince1970)}"#
        let former = #"""
            {"state":"failed","mark":\#(date),"deletedCovered":\#(date),"ghostsChecked":\#(date),"pass":{"pending":{"number":0},
            "began":\#(date),"phase":"query","next":"page 2","pages":1,"landmark":"page 2","received":1,"highest":\#(date),
            "isSorted":true,"serverDate":\#(date),"isFull":false,"wantsGhosts":false}}
            """#
        let queue = try DatabaseQueue(path: file)
        try await queue.write { db in
            try db.execute(sql: "INSERT INTO progress VALUES ('Account', ?)", arguments: [Data(former.utf8)])
        }
        try queue.close()

        store = try SQLiteStore(file: file)
        #expect(try await store.progress(of: "Account").mark == Self.mark)
        let source = TwoPages()
        let sync = RecordSync(objects: [SyncObject("Account", fields: ["Name"])], fetcher: source, store: store)
        let report = await sync.regularSync(
            of: "Account", from: source, now: Self.mark, until: DispatchMoment(milliseconds: .max))
        #expect(report.state == .done)
        #expect(await source.requests.map(\.next) == ["page 2", nil])
        #expect(await source.requests.last?.after == nil, "all records, because their fields are not known")
        #expect(try await store.records(of: "Account").count == 2)
        let next = await sync.regularSync(
            of: "Account", from: source, now: Self.mark, until: DispatchMoment(milliseconds: .max))
        #expect(next.changed == 0)
        #expect(await source.requests.last?.fields == ["Id", "SystemModstamp"])
    }

    private actor TwoPages: RecordSource {
        private(set) var requests: [QueryRequest] = []

        func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage {
            requests.append(request)
            let stamp = FormerProgressTests.mark.millisecondsSince1970
            let second = ServerRecord.test(2, name: "second", at: stamp)
            if request.next != nil { return QueryPage(records: [second], serverDate: FormerProgressTests.mark) }
            return QueryPage(
                records: [.test(1, name: "stored", at: stamp), second], serverDate: FormerProgressTests.mark)
        }

        func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
            Deletions(deleted: [], covered: request.end)
        }

        func fetch(_ request: SelectiveSync.FetchRequest) async throws(FetchError) -> [FetchedRecord] {
            request.records.map { .missing($0) }
        }
    }
}
