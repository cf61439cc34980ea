import Foundation
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

/// A process that writes is killed at a random instruction, again and again, on the same file.
struct CrashTests {
    @Test func `records, hints and mark agree after every one of 40 kills`() async throws {
        let folder = try TemporaryFolder()
        var generator = SeededGenerator(seed: 7)
        var turns: Set<Int64> = []
        for _ in 0..<40 {
            try await CrashTests.runAndKill(
                folder.file("store"), microseconds: .random(in: 0...60_000, using: &generator))
            turns.insert(try await CrashTests.check(folder.file("store")))
        }
        // Kills before the first turn or between the same two would show nothing.
        #expect(turns.count > 10)
    }

    /// Starts the writer, waits until it has begun, and kills it some time later. On a thread of its own, because it
    /// blocks, and without Foundation's process, which crashes now and then on Linux.
    private static func runAndKill(_ file: String, microseconds: UInt32) async throws {
        let program = try executable().path
        let status: Int32 = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: runAndKill(program, file, microseconds: microseconds))
            }
        }
        #expect(status & 0x7f == SIGKILL)
    }

    private static func runAndKill(_ program: String, _ file: String, microseconds: UInt32) -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return -1 }
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var words = [strdup(program), strdup(file), nil]
        defer { for word in words { free(word) } }
        var id: pid_t = 0
        guard posix_spawn(&id, program, &actions, nil, &words, environ) == 0 else { return -1 }
        close(ends[1])
        // Returns with the first line.
        var byte: UInt8 = 0
        _ = read(ends[0], &byte, 1)
        close(ends[0])
        usleep(microseconds)
        kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// - Returns: The last turn that was stored whole.
    private static func check(_ file: String) async throws -> Int64 {
        let store = try SQLiteStore(file: file)
        let records = try await store.records(of: "Account")
        func turns(_ id: (Int) -> RecordID) -> Set<Int64> {
            let ids = Set((0..<CrashPattern.count).map { RecordKey.server(id($0)) })
            return Set(records.filter { ids.contains($0.key) }.compactMap { $0.fields["Turn"]?.integer })
        }
        let pushed = turns(CrashPattern.pushed)
        let paged = turns(CrashPattern.paged)
        // A batch is there as a whole or not at all.
        #expect(pushed.count <= 1 && paged.count <= 1)
        #expect(records.count == (pushed.count + paged.count) * CrashPattern.count)
        // The mark is that of the page that was stored last.
        let mark = try await store.progress(of: "Account").mark?.millisecondsSince1970
        #expect(mark == paged.first)
        // Hints wait for all records of a turn or for none, and under the newest mark there is.
        let pending = try await store.pending(of: "Account")
        let newest = try await store.pendingMark()
        #expect(pending.isEmpty || pending.count == CrashPattern.count && Set(pending.map(\.mark)) == [newest])
        // No record came into the store without a hint before it, nor a page before the push of its turn.
        let stored = pushed.first ?? 0
        #expect(newest.number >= stored && stored >= paged.first ?? 0)
        return stored
    }

    private struct NotBuilt: Error, CustomStringConvertible {
        var description: String { "build it with: swift build --product sqlite-crash-writer" }
    }

    /// Beside the test bundle, wherever the build puts both.
    private static func executable() throws -> URL {
        var places = [CommandLine.arguments[0]]
        if let option = CommandLine.arguments.firstIndex(of: "--test-bundle-path"),
            option + 1 < CommandLine.arguments.count
        {
            places.append(CommandLine.arguments[option + 1])
        }
        for place in places {
            var folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            while folder.path != "/" {
                let file = folder.appendingPathComponent("sqlite-crash-writer")
                if FileManager.default.isExecutableFile(atPath: file.path) { return file }
                folder.deleteLastPathComponent()
            }
        }
        throw NotBuilt()
    }
}
