import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite

/// A first regular sync of 100,000 records from a server without delay, and a second one without changes.
enum RegularSyncMeasure {
    static func measure() async throws {
        let count = 100_000
        let source = Source(count: count)
        try await Bench.withFolder { folder in
            let store = try SQLiteStore(file: folder.appendingPathComponent("store").path)
            let sync = RecordSync(objects: [Bench.account], fetcher: source, store: store)
            let now = ServerDate("2026-05-20T21:00:00.000+0000")!
            let end = DispatchMoment(milliseconds: .max)
            let first = await Bench.seconds {
                let report = await sync.regularSync(of: "Account", from: source, now: now, until: end)
                precondition(report.state == .done && report.changed == count)
            }
            Bench.show("regular-sync-records-per-second", Double(count) / first, "1/s")
            let again = await Bench.seconds {
                let report = await sync.regularSync(
                    of: "Account", from: source, now: now, until: end, checksGhosts: true)
                precondition(report.state == .done && report.changed == 0)
            }
            Bench.show("regular-sync-check-records-per-second", Double(count) / again, "1/s")
        }
    }

    /// The records are created in advance, so that the server's work is not measured.
    private struct Source: RecordSource {
        private let pages: [[ServerRecord]]

        init(count: Int) {
            pages = stride(from: 0, to: count, by: 2_000).map { start in
                (start..<start + 2_000).map { Bench.record($0) }
            }
        }

        func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage {
            let page = request.next.flatMap { Int($0) } ?? 0
            return QueryPage(records: pages[page], next: page + 1 < pages.count ? String(page + 1) : nil)
        }

        func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
            Deletions(deleted: [], covered: request.end)
        }

        func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
            request.records.map { .record(ServerRecord(id: $0, fields: ["Id": .string($0.description)])) }
        }
    }
}
