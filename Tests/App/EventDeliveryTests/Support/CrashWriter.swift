import Foundation
import RepositoryFiles

/// Runs the program `event-crash-writer` on its own thread, because waiting for it blocks.
///
/// Uses `popen`, because Foundation's `Process` sometimes crashes on Linux, and because the program prints its process id.
struct CrashWriter {
    private let command: String

    init(_ words: [String]) throws {
        let program = try BuiltProgram("event-crash-writer").file.path
        command = "exec " + ([program] + words).map { "'\($0)'" }.joined(separator: " ")
    }

    /// What the program printed, and its status from `waitpid`.
    struct Run {
        var lines: [String]
        var status: Int32

        var wasKilled: Bool { status & 0x7f == SIGKILL }

        /// The last turn that it reported as stored.
        var stored: Int64 { lines.compactMap { $0.hasPrefix("stored ") ? Int64($0.dropFirst(7)) : nil }.last ?? 0 }

        func value(_ word: String) -> String? {
            lines.first { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
        }
    }

    func run() async -> Run { await onThread { _, _ in } }

    /// Waits until it has stored some turns, and kills it after some more time.
    func runAndKill(afterTurns turns: Int, _ microseconds: UInt32) async -> Run {
        let count = Counter()
        return await onThread { id, line in
            guard line == "ready" || line.hasPrefix("stored "), count.next() == turns else { return }
            usleep(microseconds)
            kill(id, SIGKILL)
        }
    }

    /// Counts from 0. Only the thread of one run uses it.
    private final class Counter: @unchecked Sendable {
        private var number = -1

        func next() -> Int {
            number += 1
            return number
        }
    }

    private func onThread(_ hear: @escaping @Sendable (_ id: pid_t, _ line: String) -> Void) async -> Run {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: start(hear)) }
        }
    }

    private func start(_ hear: (pid_t, String) -> Void) -> Run {
        guard let stream = popen(command, "r") else { return Run(lines: [], status: -1) }
        var lines: [String] = []
        while let line = readLine(of: stream) {
            lines.append(line)
            hear(lines.first.flatMap { pid_t($0) } ?? 0, line)
        }
        return Run(lines: Array(lines.dropFirst()), status: pclose(stream))
    }

    private func readLine(of stream: UnsafeMutablePointer<FILE>) -> String? {
        var bytes: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(bytes) }
        guard getline(&bytes, &room, stream) > 0, let bytes else { return nil }
        return String(String(cString: bytes).prefix { $0 != "\n" })
    }
}
