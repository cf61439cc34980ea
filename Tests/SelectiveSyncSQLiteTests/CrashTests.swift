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

    @Test func `a disk that fails in the middle of a write is told, and what is stored agrees`() async throws {
        for kilobytes in stride(from: 80, through: 400, by: 40) {
            let folder = try TemporaryFolder()
            let file = folder.file("store")
            let program = try CrashTests.executable().path
            let output = await CrashTests.onThread { CrashTests.run([program, file, String(kilobytes * 1_024)]) }
            #expect(output.contains("[io]"), "\(kilobytes) KiB: \(output)")
            _ = try await CrashTests.check(file)
            try await SQLiteStore(file: file).check()
        }
    }

    /// Starts the writer, waits until it has begun, and kills it some time later. On a thread of its own, because it
    /// blocks, and without Foundation's process, which crashes now and then on Linux.
    private static func runAndKill(_ file: String, microseconds: UInt32) async throws {
        let program = try executable().path
        let status = await onThread { runAndKill(program, file, microseconds: microseconds) }
        #expect(status & 0x7f == SIGKILL)
    }

    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    private static func runAndKill(_ program: String, _ file: String, microseconds: UInt32) -> Int32 {
        guard let (id, output) = start([program, file]) else { return -1 }
        // Returns with the first line.
        var byte: UInt8 = 0
        _ = read(output, &byte, 1)
        close(output)
        usleep(microseconds)
        kill(id, SIGKILL)
        return wait(id)
    }

    /// - Returns: All that the program prints until it ends by itself.
    private static func run(_ words: [String]) -> String {
        guard let (id, output) = start(words) else { return "" }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(output, &part, part.count)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        close(output)
        _ = wait(id)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Returns: The process, and where what it prints can be read.
    private static func start(_ words: [String]) -> (id: pid_t, output: Int32)? {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var id: pid_t = 0
        let status = posix_spawn(&id, words[0], &actions, nil, &arguments, environ)
        close(ends[1])
        guard status == 0 else {
            close(ends[0])
            return nil
        }
        return (id, ends[0])
    }

    private static func wait(_ id: pid_t) -> Int32 {
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
