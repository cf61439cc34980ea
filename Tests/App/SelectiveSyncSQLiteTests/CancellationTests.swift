import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

/// Work that is cancelled. This store, like any on GRDB, refuses each call of a cancelled task.
struct CancellationTests {
    /// A CRM with one account. Its first write, or its first query, cancels the task that made it.
    private actor Server: RecordSource, RecordUploader {
        var running: Task<Void, Never>?
        private(set) var writes = 0
        private(set) var sawCancellation = false

        func run(_ work: @escaping @Sendable () async -> Void) async {
            let task = Task { await work() }
            running = task
            await task.value
        }

        func fetch(_ request: FetchRequest) -> [FetchedRecord] {
            request.records.map { _ in .record(.test(1, name: "A", at: 5_000)) }
        }
        func query(_ request: QueryRequest) -> QueryPage {
            running?.cancel()
            return QueryPage(records: [])
        }
        func deletions(_ request: DeletionsRequest) -> Deletions { Deletions(deleted: [], covered: request.end) }
        func write(_ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64) -> [UploadReply] {
            self.writes += 1
            running?.cancel()
            sawCancellation = sawCancellation || Task.isCancelled
            return writes.map { _ in .done(id: nil, ServerDate(millisecondsSince1970: 6_000)) }
        }
        func find(_ lookup: RecordLookup) -> ServerRecord? { nil }
    }

    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let server = Server()
    private let events = Events()

    private actor Events {
        var states: [SyncState] = []
        func add(_ state: SyncState) { states.append(state) }
    }

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(file: folder.file("store"))
    }

    private var sync: RecordSync {
        RecordSync(objects: [SyncObject("Account", fields: ["Name"])], fetcher: server, store: store)
    }

    private static let end = SystemDispatchClock().now().advanced(byMilliseconds: 600_000)

    @Test func `the answer to a change that is on the wire is stored, and no further change is sent`() async throws {
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "A", at: 5_000))]))
        try await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" }
        let (sync, server, events) = (sync, server, events)
        await server.run { await events.add(await sync.upload("Account", to: server, until: Self.end).state) }
        #expect(await server.writes == 1)
        #expect(await !server.sawCancellation)
        let record = try #require(try await store.record(.server(.test(1)), of: "Account"))
        #expect(!record.isDirty && record.sent == nil && record.fields["Name"] == "edited")
    }

    @Test func `a cancelled pass is stopped, and its progress is stored`() async throws {
        let (sync, server, events) = (sync, server, events)
        await server.run {
            await events.add(
                await sync.regularSync(
                    of: "Account", from: server, now: ServerDate(millisecondsSince1970: 9_000), until: Self.end
                ).state)
        }
        #expect(await events.states == [.stopped])
        #expect(try await store.progress(of: "Account").state == .stopped)
    }

    @Test func `work that is cancelled before it starts is stopped`() async throws {
        let (sync, server, events) = (sync, server, events)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await events.add(
                await sync.regularSync(
                    of: "Account", from: server, now: ServerDate(millisecondsSince1970: 9_000), until: Self.end
                ).state)
            await events.add(await sync.upload("Account", to: server, until: Self.end).state)
        }
        task.cancel()
        await task.value
        #expect(await events.states == [.stopped, .stopped])
    }
}
