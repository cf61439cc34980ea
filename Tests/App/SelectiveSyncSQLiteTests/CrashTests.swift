import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import TestSeeds
import Testing

/// A writing process is killed at any instruction, and its disk fails at any call.
struct CrashTests {
    @Test(arguments: TestSeed.all([7]))
    func `records, hints and mark are consistent after each of 40 kills`(seed: TestSeed) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store")
        var generator = seed.generator
        var turns: Set<Int64> = []
        var kills = 0
        // On a busy machine the writer may get no time at all before a kill.
        while kills < 40 || turns.count <= 10 && kills < 1_000 {
            kills += 1
            let status = try await CrashWriter(["write", file])
                .runAndKill(microseconds: .random(in: 0...60_000, using: &generator))
            #expect(status & 0x7f == SIGKILL)
            turns.insert(try await CrashTests.check(file))
        }
        // If all kills hit the same turn, the test proves nothing.
        #expect(turns.count > 10)
    }

    #if os(Linux)
        static let faults = ["write", "size"]
    #else
        static let faults = ["size"]
    #endif

    @Test(arguments: faults)
    func `a disk that fails during a write is reported, and what is stored can be read`(
        fault: String
    ) async throws {
        // The number of the write that fails, mostly in the first transactions, or a size in bytes.
        let writes = [1, 2, 3, 5, 9, 17, 40, 90, 1_500]
        let sizes = stride(from: 80, through: 400, by: 40).map { $0 * 1_024 }
        for number in fault == "size" ? sizes : writes {
            let told = try await CrashTests.fail(fault, number)
            #expect(told.contains("[io]"), "\(fault) \(number): \(told)")
        }
    }

    #if os(Linux)
        // A commit does not wait for the disk. SQLite only syncs when it writes the log back, and keeps the log if that
        // fails.
        @Test func `a disk that cannot sync loses nothing that is stored`() async throws {
            for number in [1, 2, 5] {
                let told = try await CrashTests.fail("sync", number)
                #expect(told == "never" || told.contains("[io]"), "sync \(number): \(told)")
            }
        }
    #endif

    /// Checks that everything reported as stored can be read, by the process that had the failure and by the next one.
    ///
    /// - Returns: The failure.
    private static func fail(_ fault: String, _ number: Int) async throws -> String {
        let folder = try TemporaryFolder()
        let file = folder.file("store")
        let (lines, status) = try await CrashWriter(["fail", file, fault, String(number)]).run()
        #expect(status == 0, "\(fault) \(number): \(lines)")
        func value(_ word: String) throws -> String {
            let line = try #require(lines.first { $0.hasPrefix(word + " ") }, "\(fault) \(number): \(lines)")
            return String(line.dropFirst(word.count + 1))
        }
        let stored = try #require(Int64(try value("stored")))
        let read = try #require(Int64(try value("read")))
        let turn = try await check(file)
        #expect(read >= stored && turn >= stored, "\(fault) \(number): \(lines), \(turn)")
        try await SQLiteStore(file: file).check()
        return try value("failed")
    }

    /// - Returns: The last turn that was stored completely.
    private static func check(_ file: String) async throws -> Int64 {
        let store = try SQLiteStore(file: file)
        let records = try await store.records(of: "Account")
        func turns(_ id: (Int) -> RecordID) -> Set<Int64> {
            let ids = Set((0..<CrashPattern.count).map { RecordKey.server(id($0)) })
            return Set(records.filter { ids.contains($0.key) }.compactMap { $0.fields["Turn"]?.integer })
        }
        let pushed = turns(CrashPattern.pushed)
        let paged = turns(CrashPattern.paged)
        // A batch is stored completely or not at all.
        #expect(pushed.count <= 1 && paged.count <= 1)
        #expect(records.count == (pushed.count + paged.count) * CrashPattern.count)
        // The mark belongs to the page that was stored last.
        let mark = try await store.progress(of: "Account").mark?.millisecondsSince1970
        #expect(mark == paged.first)
        // Either all records of a turn are pending or none, with the newest mark.
        let pending = try await store.pending(of: "Account")
        let newest = try await store.pendingMark()
        #expect(pending.isEmpty || pending.count == CrashPattern.count && Set(pending.map(\.mark)) == [newest])
        // No record was stored without a hint before it, and no page before the push of its turn.
        let stored = pushed.first ?? 0
        #expect(newest.number >= stored && stored >= paged.first ?? 0)
        return stored
    }
}
