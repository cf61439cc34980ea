import Foundation
import GRDB
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import TestSeeds
import Testing

/// Damaged files.
struct DamageTests {
    @Test(arguments: [100, 16]) func `every edit is recovered if the first bytes are damaged`(count: Int) async throws {
        let damaged = try await DamagedStore()
        try damaged.overwrite(at: 0, with: [UInt8](repeating: 0xa5, count: count))
        #expect(SQLiteStore.errorCode(opening: damaged.file) == .damaged)
        let (store, replacement) = try SQLiteStore.openOrReplace(file: damaged.file)
        #expect(replacement?.recoveredEdits == DamagedStore.edits && replacement?.lostEdits == 0)
        #expect(replacement.map { FileManager.default.fileExists(atPath: $0.setAside) } == true)
        #expect(try await store.dirtyRecords(of: "Account").count == DamagedStore.edits)
        #expect(try await store.user() == "user")
        #expect(try await store.objectsToSync() == ["Account", "Case"])
        #expect(try await store.progress(of: "Account").mark == nil)
        try await damaged.expectSound(store)
        #expect(try SQLiteStore.openOrReplace(file: damaged.file).replacement == nil)
    }

    /// - Parameter byte: Nil for random bytes.
    @Test(arguments: [0x00, 0xff, nil] as [UInt8?], TestSeed.all([11]))
    func `whichever page is overwritten, edits on the others are recovered and none is invented`(
        byte: UInt8?, seed: TestSeed
    ) async throws {
        let whole = try await DamagedStore()
        let content = try Data(contentsOf: URL(fileURLWithPath: whole.file))
        var generator = seed.generator
        var recovered = 0
        var replaced = 0
        let pages = content.count / 4_096
        for page in 0..<pages {
            let folder = try TemporaryFolder()
            let file = folder.file("store")
            try content.write(to: URL(fileURLWithPath: file))
            let bytes = (0..<4_096).map { _ in byte ?? .random(in: 0...255, using: &generator) }
            try whole.overwrite(file, at: page * 4_096, with: bytes)
            // Damage that opening does not detect is found by a check.
            if let store = try? SQLiteStore(file: file) { try? await store.check() }
            let (store, replacement) = try SQLiteStore.openOrReplace(file: file)
            try await whole.expectSound(store)
            if let replacement {
                replaced += 1
                recovered += replacement.recoveredEdits
                let edits = try await store.dirtyRecords(of: "Account").count
                #expect(edits == replacement.recoveredEdits, "page \(page)")
            } else {
                let edits = try await store.dirtyRecords(of: "Account").count
                #expect(edits == DamagedStore.edits, "page \(page)")
            }
        }
        #expect(replaced > pages / 2)
        // One page contains one or two of the edits; a few pages are needed to find all others.
        #expect(recovered > replaced * DamagedStore.edits * 8 / 10)
    }

    @Test func `edits whose owner cannot be read do not become the next user's`() async throws {
        let damaged = try await DamagedStore()
        let root = try await DatabaseQueue(path: damaged.file).read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'fact'")
        }
        try damaged.overwrite(at: (try #require(root) - 1) * 4_096, with: [UInt8](repeating: 0xff, count: 4_096))
        await #expect(throws: SQLiteStoreError.self) { try await SQLiteStore(file: damaged.file).user() }
        let (store, replacement) = try SQLiteStore.openOrReplace(file: damaged.file)
        #expect(replacement?.recoveredEdits == 0 && replacement?.lostEdits == DamagedStore.edits)
        #expect(try await store.user() == nil)
        #expect(try await store.dirtyRecords(of: "Account").isEmpty)
    }

    @Test func `damage found while the store is used is marked for the next start`() async throws {
        let damaged = try await DamagedStore()
        let root = try await DatabaseQueue(path: damaged.file).read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'pending'")
        }
        try damaged.overwrite(at: (try #require(root) - 1) * 4_096, with: [UInt8](repeating: 0xff, count: 4_096))
        let store = try SQLiteStore(file: damaged.file)
        #expect(SQLiteStore.errorCode(opening: damaged.file) == nil)
        do {
            try await store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))
            Issue.record("a hint was kept on a page that is none")
        } catch {
            #expect((error as? SQLiteStoreError)?.code == .damaged)
        }
        // The undamaged part can still be read.
        #expect(try await store.dirtyRecords(of: "Account").count == DamagedStore.edits)
        #expect(SQLiteStore.errorCode(opening: damaged.file) == .damaged)
        let (fresh, replacement) = try SQLiteStore.openOrReplace(file: damaged.file)
        #expect(replacement?.recoveredEdits == DamagedStore.edits)
        try await damaged.expectSound(fresh)
        #expect(SQLiteStore.errorCode(opening: damaged.file) == nil)
    }

    @Test func `a value of another type is damage, not a crash`() async throws {
        let values = [
            "key = NULL", "key = x'ff' WHERE number = 15", "fields = 'text'", "fields = x'7b7d7d'", "changes = 'x'",
            "gone = 'x'", "uploaded = 'x'", "systemModstamp = 'x'", "number = -number",
        ]
        let changes =
            values.map { "UPDATE record SET \($0)" } + [
                "UPDATE pending SET mark = 'x'", "UPDATE pending SET record = NULL", "UPDATE fact SET value = x'00ff'",
                "UPDATE fact SET value = 9223372036854775807", "UPDATE progress SET state = 'x'",
                "DROP TABLE pending",
            ]
        let whole = try await DamagedStore()
        let content = try Data(contentsOf: URL(fileURLWithPath: whole.file))
        var reported = 0
        for change in changes {
            let folder = try TemporaryFolder()
            let file = folder.file("store")
            try content.write(to: URL(fileURLWithPath: file))
            try await DatabaseQueue(path: file).writeWithoutTransaction { db in
                // The file's constraints refuse these values.
                try db.execute(
                    sql: """
                        PRAGMA writable_schema = ON;
                        UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table';
                        PRAGMA writable_schema = RESET;
                        """)
                try db.execute(sql: change)
            }
            if await !uses(file) { reported += 1 }
            let (store, _) = try SQLiteStore.openOrReplace(file: file)
            try await whole.expectSound(store)
        }
        #expect(reported > changes.count / 2)
    }

    /// - Returns: False if damage was reported.
    private func uses(_ file: String) async -> Bool {
        do {
            let store = try SQLiteStore(file: file)
            _ = try await store.records(of: "Account")
            _ = try await store.dirtyRecords(of: "Account")
            _ = try await store.cleanRecords(of: "Account", after: nil, limit: 1_000)
            _ = try await store.pending(of: "Case")
            _ = try await store.pendingMark()
            _ = try await store.user()
            _ = try await store.progress(of: "Account")
            _ = try await store.merge(MergeBatch("Account", (0..<20).map { .record(.test($0, at: 9)) }))
            try await store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))
            return true
        } catch {
            #expect((error as? SQLiteStoreError)?.code == .damaged)
            return false
        }
    }

    @Test func `an empty file with a log is damaged, and the log is not deleted`() async throws {
        let damaged = try await DamagedStore(isClosed: false)
        let file = damaged.folder.file("copy")
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(SQLiteStore.errorCode(opening: file) == .damaged)
        #expect(try damaged.size(file + "-wal") > 0)
        let (store, replacement) = try SQLiteStore.openOrReplace(file: file)
        #expect(replacement?.recoveredEdits == DamagedStore.edits)
        try await damaged.expectSound(store)
    }

    @Test func `an empty file without a log is a new store`() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.file("store")))
        #expect(try await SQLiteStore(file: folder.file("store")).records(of: "Account").isEmpty)
    }

    @Test func `a log that is cut anywhere leaves complete transactions`() async throws {
        let damaged = try await DamagedStore(isClosed: false)
        let copy = damaged.folder.file("copy")
        let main = try Data(contentsOf: URL(fileURLWithPath: copy))
        let log = try Data(contentsOf: URL(fileURLWithPath: copy + "-wal"))
        var counts: Set<Int> = []
        for cut in TestSeed.each(0..., oneIn: 16).lazy.map({ $0 * 1_500 }).prefix(while: { $0 <= log.count }) {
            let folder = try TemporaryFolder()
            let file = folder.file("store")
            try main.write(to: URL(fileURLWithPath: file))
            try log.prefix(cut).write(to: URL(fileURLWithPath: file + "-wal"))
            let (store, replacement) = try SQLiteStore.openOrReplace(file: file)
            #expect(replacement == nil)
            try await store.check()
            // The batch and its mark are stored completely or not at all.
            let clean = try await store.records(of: "Account").filter { !$0.isDirty && $0.key.id != nil }
            let mark = try await store.progress(of: "Account").mark
            let edits = try await store.dirtyRecords(of: "Account")
            let replaced = edits.count { $0.key.id != nil }
            #expect(mark == nil ? clean.isEmpty : clean.count + replaced == DamagedStore.records)
            for record in edits { #expect(damaged.edited[record.key] == record) }
            counts.insert(edits.count)
        }
        #expect(counts.count > 10)
    }

    @Test func `an interrupted replacement is finished or started again`() async throws {
        let damaged = try await DamagedStore(isClosed: false)
        let file = damaged.folder.file("copy")
        let fresh = try await DamagedStore()

        // Before the old file was moved: the new one may be incomplete.
        try Data("half a file".utf8).write(to: URL(fileURLWithPath: file + "-new"))
        #expect(try await SQLiteStore(file: file).dirtyRecords(of: "Account").count == DamagedStore.edits)
        #expect(!FileManager.default.fileExists(atPath: file + "-new"))

        // After it: the old log exists, and must not be next to the new file.
        let other = damaged.folder.file("other")
        try FileManager.default.moveItem(atPath: file, toPath: other + "-aside-1")
        try Data(repeating: 7, count: 9_000).write(to: URL(fileURLWithPath: other + "-wal"))
        try FileManager.default.copyItem(atPath: fresh.file, toPath: other + "-new")
        let (store, replacement) = try SQLiteStore.openOrReplace(file: other)
        #expect(replacement == nil)
        #expect(try await store.dirtyRecords(of: "Account").count == DamagedStore.edits)
        #expect(try damaged.size(other + "-aside-1-wal") == 9_000)
    }

    @Test func `at most three damaged files are kept, and they can be removed`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store")
        for number in 1...5 {
            try Data(repeating: UInt8(number), count: 5_000).write(to: URL(fileURLWithPath: file))
            #expect(try SQLiteStore.openOrReplace(file: file).replacement?.setAside == "\(file)-aside-\(number)")
        }
        #expect(SQLiteStore.damagedFiles(of: file) == (3...5).map { "\(file)-aside-\($0)" })
        SQLiteStore.removeDamagedFiles(of: file)
        #expect(SQLiteStore.damagedFiles(of: file).isEmpty)
        #expect(SQLiteStore.errorCode(opening: file) == nil)
    }

    @Test func `files of others are not replaced`() async throws {
        let folder = try TemporaryFolder()
        let later = folder.file("later")
        _ = try SQLiteStore(file: later)
        try await DatabaseQueue(path: later).write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 what nobody knows yet')")
        }
        let other = folder.file("other")
        try await DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE theirs (a)") }
        let directory = folder.file("directory")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let wanted: [(String, SQLiteStoreError.Code)] = [
            (later, .newerVersion), (other, .foreign), (directory, .unusable),
        ]
        for (file, code) in wanted {
            do {
                _ = try SQLiteStore.openOrReplace(file: file)
                Issue.record("\(file) was replaced")
            } catch {
                #expect((error as? SQLiteStoreError)?.code == code)
            }
            #expect(SQLiteStore.damagedFiles(of: file).isEmpty)
        }
    }
}
