import Foundation
import GRDB
import PushDispatch
import SelectiveSync
import Testing

@testable import SelectiveSyncSQLite

/// Full and read-only disks, and locked files.
struct NoRoomTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func records(_ numbers: Range<Int>, at stamp: Int64 = 5) -> [FetchedRecord] {
        numbers.map { .record(.test($0, name: String(repeating: "x", count: 500), at: stamp)) }
    }

    private func code(_ work: () async throws -> Void) async -> SQLiteStoreError.Code? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? SQLiteStoreError)?.code
        }
    }

    /// Checks that the former content can be read.
    private func expectReadable(_ store: SQLiteStore) async throws {
        #expect(try await store.records(of: "Account").map(\.key) == (0..<50).map { .server(.test($0)) })
        #expect(try await store.progress(of: "Account").mark == ServerDate(millisecondsSince1970: 5))
        #expect(try await store.pending(of: "Account").map(\.record) == [.test(7)])
    }

    private func fill(_ store: SQLiteStore) async throws -> PendingMark {
        let mark = try #require(try await store.keep(Hint(type: "T", object: "Account", records: [.test(7)])))
        var batch = MergeBatch("Account", records(0..<50))
        batch.progress = SyncProgress()
        batch.progress?.mark = ServerDate(millisecondsSince1970: 5)
        _ = try await store.merge(batch)
        return mark
    }

    /// A page of a regular sync, too large for the disk.
    private func page(_ mark: PendingMark) -> MergeBatch {
        var batch = MergeBatch("Account", records(0..<2_000, at: 9))
        batch.forget = [PendingRecord(.test(7), mark: mark)]
        batch.progress = SyncProgress()
        batch.progress?.mark = ServerDate(millisecondsSince1970: 9)
        return batch
    }

    @Test func `a batch that does not fit changes nothing, and is stored when there is space`() async throws {
        let store = try SQLiteStore(file: folder.file("store"))
        let mark = try await fill(store)
        let pages = try await store.pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA max_page_count = 40")
        }
        #expect(pages == 40)
        #expect(await code { _ = try await store.merge(page(mark)) } == .full)
        try await expectReadable(store)
        // Small changes may still fit, and an observer gets them.
        var seen = 0
        for try await count in store.observePendingCount() {
            seen = count
            if count == 2 { break }
            try await store.keep(Hint(type: "T", object: "Account", records: [.test(8)]))
        }
        #expect(seen == 2)
        try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        #expect(try await store.merge(page(mark)).changed.count == 2_000)
        #expect(try await store.pending(of: "Account").map(\.record) == [.test(8)])
        try await store.check()
    }

    @Test func `a push fails on a full disk, and its record is fetched when there is space`() async throws {
        let store = try SQLiteStore(file: folder.file("store"))
        _ = try await fill(store)
        try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 40") }
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"])], fetcher: LargeRecords(), store: store)
        let dispatcher = PushDispatcher(handler: sync, pending: store)
        let push = Push(json: Data(#"{"type":"ACCOUNT_UPDATE","accountId":"\#(RecordID.test(60))"}"#.utf8))
        #expect(await dispatcher.handle(push, from: .background) == .failed)
        #expect(Set(try await store.pending(of: "Account").map(\.record)) == [.test(7), .test(60)])
        #expect(try await store.record(.test(60), of: "Account") == nil)
        try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        let report = await sync.drain(until: DispatchMoment(milliseconds: .max))
        #expect(report == HandlerReport(changed: 2))
        #expect(try await store.record(.test(60), of: "Account") != nil)
        #expect(try await store.pending(of: "Account").isEmpty)
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "no file system can be mounted here"))
    func `a full disk is reported as such, and nothing is lost`() async throws {
        let disk = try SmallDisk(bytes: 1 << 20, in: folder)
        defer { withExtendedLifetime(disk) {} }
        let store = try SQLiteStore(file: disk.file("store"))
        let mark = try await fill(store)
        #expect(await code { _ = try await store.merge(page(mark)) } == .full)
        try await expectReadable(store)
        // Even without a single byte left.
        try disk.fill()
        #expect(await code { _ = try await store.merge(page(mark)) } == .full)
        try await expectReadable(store)
        try disk.clear()
        try await store.forget([PendingRecord(.test(7), mark: mark)], of: "Account")
        try await store.check()
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "no file system can be mounted here"))
    func `a damaged store on a full disk stays where it is`() async throws {
        // There has to be space for the damaged file, the new one and its log.
        let disk = try SmallDisk(bytes: 2 << 20, in: folder)
        defer { withExtendedLifetime(disk) {} }
        let file = disk.file("store")
        try Data(repeating: 7, count: 600_000).write(to: URL(fileURLWithPath: file))
        try disk.fill()
        #expect(await code { _ = try SQLiteStore.openOrReplace(file: file) } == .full)
        #expect(FileManager.default.contents(atPath: file) == Data(repeating: 7, count: 600_000))
        #expect(SQLiteStore.damagedFiles(of: file).isEmpty)
        try disk.clear()
        #expect(try SQLiteStore.openOrReplace(file: file).replacement != nil)
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "no file system can be mounted here"))
    func `a read-only disk is reported as such`() async throws {
        let disk = try SmallDisk(bytes: 4 << 20, in: folder)
        defer { withExtendedLifetime(disk) {} }
        do {
            let store = try SQLiteStore(file: disk.file("store"))
            _ = try await fill(store)
            try store.close()
        }
        try disk.remount(readOnly: true)
        let readOnly = await code { _ = try SQLiteStore(file: disk.file("store")) }
        #expect(readOnly == .readOnly || readOnly == .unusable)
        #expect(await code { _ = try SQLiteStore.openOrReplace(file: disk.file("none")) } == .unusable)
        try disk.remount(readOnly: false)
        try await expectReadable(try SQLiteStore(file: disk.file("store")))
    }

    @Test func `a lock of another connection is waited for, but not endlessly`() async throws {
        let file = folder.file("store")
        let store = try SQLiteStore(file: file, maximumPending: 100, busySeconds: 0.05)
        let mark = try await fill(store)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: file, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect(await code { _ = try await store.merge(page(mark)) } == .busy)
        #expect(await code { _ = try await store.keep(Hint(type: "T", object: "Case", records: [.test(1)])) } == .busy)
        // Reading does not wait.
        try await expectReadable(store)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await store.merge(page(mark)).changed.count == 2_000)
    }

    @Test func `opening waits for a lock, but not endlessly`() async throws {
        let file = folder.file("store")
        let other = try DatabaseQueue(path: file)
        try await other.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE t (a)")
        }
        let opened = await code { _ = try SQLiteStore(file: file, maximumPending: 100, busySeconds: 0.05) }
        #expect(opened == .busy)
    }
}
