import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

/// A log-out that deletes everything in a file for good.
struct ErasingFileTests {
    private static let secret = "Geheimnis-4711"
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("store")
    }

    /// Records, an edit, a conflict, hints and progress that contain the secret.
    private func fill(_ store: SQLiteStore) async throws {
        try await store.logIn(Self.secret, discardingEdits: false)
        var batch = MergeBatch(
            "Account", (1...300).map { .record(.test($0, name: "\(Self.secret) \($0)", at: Int64($0))) },
            user: Self.secret)
        batch.progress = SyncProgress()
        batch.progress?.scope = SyncScope(fields: ["Id"], filter: "Name = '\(Self.secret)'")
        _ = try await store.merge(batch)
        try await store.keep(Hint(type: "T", object: "Account", records: [.test(1)]))
        try await store.edit(.server(.test(2)), of: "Account") { $0["Name"] = .string("\(Self.secret) mine") }
        let theirs = ServerRecord.test(2, name: "\(Self.secret) theirs", at: 1_000)
        _ = try await store.merge(MergeBatch("Account", [.record(theirs)], user: Self.secret))
        // A record whose page was freed before.
        let gone = FetchedRecord.deleted(.test(3), at: ServerDate(millisecondsSince1970: 9_000))
        _ = try await store.merge(MergeBatch("Account", [gone], user: Self.secret))
    }

    /// The files next to the store, and in the folder, that contain the secret.
    private func traces() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { name in
            let bytes = FileManager.default.contents(atPath: folder.url.path + "/" + name) ?? Data()
            return bytes.range(of: Data(Self.secret.utf8)) != nil
        }
    }

    private func expectEmpty(_ store: SQLiteStore, _ location: SourceLocation = #_sourceLocation) async throws {
        #expect(try await store.records(of: "Account").isEmpty, sourceLocation: location)
        #expect(try await store.progress(of: "Account") == SyncProgress(), sourceLocation: location)
        #expect(try await store.pending(of: "Account").isEmpty, sourceLocation: location)
        #expect(try await store.objectsToSync().isEmpty, sourceLocation: location)
        #expect(try await store.user() == nil, sourceLocation: location)
    }

    @Test func `nothing of the data is left in any file, while the store is open`() async throws {
        let store = try SQLiteStore(file: file)
        try await fill(store)
        try FileManager.default.copyItem(atPath: file, toPath: file + "-aside-1")
        #expect(try !traces().isEmpty)
        await #expect(throws: SyncStoreError.unsentEdits(1)) { try await store.erase(discardingEdits: false) }
        #expect(try await store.records(of: "Account").count == 299)
        try await store.erase(discardingEdits: true)
        #expect(try traces() == [])
        #expect(SQLiteStore.damagedFiles(of: file) == [])
        try await expectEmpty(store)
        // The store can be used on, also by another user.
        try await store.logIn("other", discardingEdits: false)
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "new", at: 1))], user: "other"))
        #expect(try await store.records(of: "Account").count == 1)
        try await store.check()
    }

    @Test func `nothing is left of the words of a search`() async throws {
        let store = try SQLiteStore(file: file, indexes: QueryIndexes([], search: ["Account": ["Name"]]))
        try await store.waitForIndexes()
        try await fill(store)
        try await store.erase(discardingEdits: true)
        let words = Data("geheimnis".utf8)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            let bytes = FileManager.default.contents(atPath: folder.url.path + "/" + name) ?? Data()
            #expect(bytes.range(of: words) == nil, "\(name)")
        }
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "Neu", at: 1))]))
        #expect(try await store.count(RecordQuery("Account", where: .search("neu"))) == 1)
        try await store.check()
    }

    @Test func `the numbers of hints go on`() async throws {
        let store = try SQLiteStore(file: file)
        try await fill(store)
        let before = try await store.pendingMark()
        try await store.erase(discardingEdits: true)
        #expect(try await store.pendingMark() == before)
    }

    @Test func `an observer sees that the records are gone`() async throws {
        let store = try SQLiteStore(file: file)
        try await fill(store)
        var counts: [Int] = []
        for try await records in store.observe("Account") {
            counts.append(records.count)
            if counts.count == 1 { try await store.erase(discardingEdits: true) } else { break }
        }
        #expect(counts == [299, 0])
    }

    @Test func `the files of a closed store are removed, also of a damaged one`() async throws {
        let store = try SQLiteStore(file: file)
        try await fill(store)
        try store.close()
        // An edit reads too, and a connection for reading that is closed last leaves the log, from which SQLite restores the file.
        try? FileManager.default.removeItem(atPath: file + "-wal")
        try Data("no database \(Self.secret)".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.copyItem(atPath: file, toPath: file + "-aside-1")
        #expect(throws: SQLiteStoreError.self) { try SQLiteStore(file: file) }
        try SQLiteStore.removeFiles(of: file)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        try SQLiteStore.removeFiles(of: file)
        try await expectEmpty(try SQLiteStore(file: file))
    }

    #if os(Linux)
        /// The process is killed at each call that changes a file.
        @Test(arguments: ["kill", "tear"])
        func `an erasure that is killed has not begun, or is finished when the file is opened again`(how: String)
            async throws
        {
            var outcomes: Set<Bool> = []
            for number in 1... {
                try #require(number < 500)
                try SQLiteStore.removeFiles(of: file)
                var store: SQLiteStore? = try SQLiteStore(file: file)
                try await fill(try #require(store))
                try store?.close()
                store = nil
                try FileManager.default.copyItem(atPath: file, toPath: file + "-aside-1")
                let (lines, status) = try await CrashWriter(["erase", file, how, String(number)]).run()
                #expect(status & 0x7f == SIGKILL || status == 0, "\(how) \(number): \(status) \(lines)")
                let again = try SQLiteStore(file: file)
                let isErased = try await again.records(of: "Account").isEmpty
                outcomes.insert(isErased)
                if isErased {
                    try await expectEmpty(again)
                    #expect(try traces() == [], "\(how) \(number)")
                } else {
                    #expect(try await again.records(of: "Account").count == 299, "\(how) \(number)")
                    #expect(try await again.user() == Self.secret, "\(how) \(number)")
                }
                try await again.check()
                try again.close()
                if status == 0 { break }
            }
            #expect(outcomes == [true, false])
        }
    #endif
}
