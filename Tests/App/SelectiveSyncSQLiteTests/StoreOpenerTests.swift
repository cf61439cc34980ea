import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

/// A `CRMSync` with a real database.
struct StoreOpenerTests {
    private static let user = "005xx000001X8UzAAK"

    /// A CRM with one account.
    private struct Server: RecordSource, RecordUploader {
        func fetch(_ request: FetchRequest) -> [FetchedRecord] {
            request.records.map { $0 == .test(1) ? .record(.test(1, name: "A", at: 5_000)) : .missing($0) }
        }
        func query(_ request: QueryRequest) -> QueryPage {
            var record = ServerRecord.test(1, name: "A", at: 5_000)
            record.fields["LastModifiedDate"] = record.fields["SystemModstamp"]
            return QueryPage(records: [record])
        }
        func deletions(_ request: DeletionsRequest) -> Deletions { Deletions(deleted: [], covered: request.end) }
        func write(_ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64) -> [UploadReply] {
            writes.map { _ in .refused("X") }
        }
        func find(_ lookup: RecordLookup) -> ServerRecord? { nil }
    }

    private func crm(_ folder: URL) throws -> CRMSync {
        var configuration = CRMSync.Configuration(
            app: OAuthApp(tokenAddress: URL(string: "https://login.example.com/token")!, clientID: "app"),
            tokens: MemoryTokenStorage(
                OAuthTokens(
                    instance: URL(string: "https://example.com")!, accessToken: "a", refreshToken: "r", user: Self.user)
            ),
            store: .sqlite(in: folder), objects: [SyncObject("Account", fields: ["Name"])])
        configuration.server = Server()
        return try CRMSync(configuration)
    }

    private let push = Push(
        json: Data(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"\#(RecordID.test(1))"}"#.utf8))

    @Test func `a folder and its database are created, and opened again by the next process`() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url.appendingPathComponent("crm/store")
        var first: CRMSync? = try crm(folder)
        #expect(await first?.handle(push, from: .background) == .newData)
        first = nil
        let second = try crm(folder)
        #expect(await second.handle(push, from: .background) == .noData)
        #expect(try await second.store().record(.server(.test(1)), of: "Account")?.fields["Name"] == "A")
    }

    @Test func `a database that cannot be opened is opened at the next occasion`() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url.appendingPathComponent("store")
        // A file in the place of the folder: opening fails, as it does while files are protected.
        try Data().write(to: folder)
        let crm = try crm(folder)
        #expect(await crm.handle(push, from: .background) == .failed)
        #expect(crm.status.phase == .locked)
        try FileManager.default.removeItem(at: folder)
        await crm.deviceUnlocked()
        #expect(try await crm.store().record(.server(.test(1)), of: "Account")?.fields["Name"] == "A")
        #expect(crm.status.lastSync != nil)
    }

    /// On the main queue a precondition would stop the process.
    @MainActor
    @Test func `a database that the main actor asks for is opened and migrated on another queue`() async throws {
        let folder = try TemporaryFolder()
        #expect(try await StoreOpener.sqlite(in: folder.url).opened().replacement == nil)
        dispatchPrecondition(condition: .onQueue(.main))
    }

    @Test func `a damaged database is replaced, its edits stay, and every object is synced`() async throws {
        let damaged = try await DamagedStore()
        let folder = try TemporaryFolder()
        let file = SQLiteStore.file(in: folder.url)
        try FileManager.default.copyItem(atPath: damaged.file, toPath: file)
        // A page in the middle of the records.
        try damaged.overwrite(file, at: 8 * 4_096, with: [UInt8](repeating: 0x5a, count: 4_096))
        try damaged.overwrite(file, at: 0, with: [0])
        let opened = try await StoreOpener.sqlite(in: folder.url).opened()
        #expect(opened.replacement?.contains("aside") == true)
        #expect(SQLiteStore.damagedFiles(of: file).count == 1)
        #expect(try await !opened.store.dirtyRecords(of: "Account").isEmpty)
    }
}

/// Both stores report their changes alike.
struct ObservableStoreTests {
    enum Kind: CaseIterable { case memory, sqlite }

    private let folder = try? TemporaryFolder()

    private func store(_ kind: Kind) throws -> any ObservableStore {
        switch kind {
        case .memory: MemoryRecordStore()
        case .sqlite: try SQLiteStore(file: #require(folder).file("store"))
        }
    }

    @Test(arguments: Kind.allCases) func `conflicts are reported until they are resolved`(kind: Kind) async throws {
        let store = try store(kind)
        try await store.logIn("ada", discardingEdits: false)
        var conflicts = store.observeConflicts(of: "Account").makeAsyncIterator()
        #expect(try await conflicts.next() == [])
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "A", at: 5_000))]))
        try await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "mine" }
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "theirs", at: 6_000))]))
        var conflict: RecordConflict?
        while conflict == nil { conflict = try #require(try await conflicts.next()).first }
        #expect(conflict?.mine["Name"] == "mine" && conflict?.theirs?["Name"] == "theirs")
        try await store.resolve(#require(conflict), of: "Account", .theirs)
        while try #require(try await conflicts.next()).isEmpty == false {}
    }

    /// Every combination of what makes a conflict or a failed upload.
    @Test(arguments: Kind.allCases) func `what is counted is what the records say`(kind: Kind) async throws {
        let store = try store(kind)
        try await store.logIn("ada", discardingEdits: false)
        var expected = StoreCounts()
        for number in 0..<64 {
            var record = LocalRecord(
                .server(.test(number)), fields: ["Name": "mine"], changes: LocalRecord.Changes(rawValue: number % 8))
            record.base = ["Name": "base"]
            if number & 8 != 0 { record.theirs = ["Name": "theirs"] }
            record.isGone = number & 16 != 0
            if number > 40 { record.lastError = "x" }
            if record.isDirty { expected.unsent += 1 }
            if record.conflict != nil { expected.conflicts += 1 }
            if record.isDirty, record.lastError != nil { expected.failed += 1 }
            if let memory = store as? MemoryRecordStore { await memory.put(record, of: "Account") }
            if let sqlite = store as? SQLiteStore { try await sqlite.put(record, of: "Account") }
        }
        var counts = store.observeCounts().makeAsyncIterator()
        #expect(try await counts.next() == expected)
        var conflicts = store.observeConflicts(of: "Account").makeAsyncIterator()
        #expect(try await conflicts.next()?.count == expected.conflicts)
        #expect(expected.unsent == 56 && expected.failed == 21 && expected.conflicts > 28)
    }

    @Test(arguments: Kind.allCases) func `counts and records follow each change`(kind: Kind) async throws {
        let store = try store(kind)
        try await store.logIn("ada", discardingEdits: false)
        var counts = store.observeCounts().makeAsyncIterator()
        #expect(try await counts.next() == StoreCounts())
        try await store.keep(Hint(type: "T", object: "Account", records: [.test(1), .test(2)]))
        while try await counts.next() != StoreCounts(pending: 2) {}
        let key = try await store.create(["Name": "new"], of: "Account")
        while try await counts.next() != StoreCounts(pending: 2, unsent: 1) {}
        var records = store.observe("Account").makeAsyncIterator()
        #expect(try await records.next()?.map(\.key) == [key])
        var record = store.observe(key, of: "Account").makeAsyncIterator()
        #expect(try await record.next()??.fields["Name"] == "new")
        try await store.edit(key, of: "Account") { $0["Name"] = "newer" }
        while try await record.next()??.fields["Name"] != "newer" {}
        try await store.delete(key, of: "Account")
        while try await record.next() != .some(.none) {}
        while try await records.next()?.isEmpty == false {}
        while try await counts.next() != StoreCounts(pending: 2) {}
    }
}
