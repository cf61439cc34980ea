import Foundation
import RepositoryFiles

/// Runs the program `sqlite-crash-writer` on its own thread, because waiting for it blocks.
///
/// Uses `popen`, because Foundation's `Process` sometimes crashes on Linux, and because the program prints its process id.
struct CrashWriter {
    private let command: String

    init(_ words: [String]) throws {
        let program = try BuiltProgram("sqlite-crash-writer").file.path
        command = "exec " + ([program] + words).map { "'\($0)'" }.joined(separator: " ")
    }

    /// - Returns: The output of the program, and its status from `waitpid`.
    func run() async -> (lines: [String], status: Int32) { await onThread { _, _ in } }

    /// Waits until it is ready, and kills it after some time.
    func runAndKill(microseconds: UInt32) async -> Int32 {
        await onThread { id, line in
            guard line == "ready" else { return }
            usleep(microseconds)
            kill(id, SIGKILL)
        }.status
    }

    private func onThread(
        _ hear: @escaping @Sendable (_ id: pid_t, _ line: String) -> Void
    ) async -> (lines: [String], status: Int32) {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: start(hear)) }
        }
    }

    private func start(_ hear: (pid_t, String) -> Void) -> (lines: [String], status: Int32) {
        guard let stream = popen(command, "r") else { return ([], -1) }
        var lines: [String] = []
        while let line = readLine(of: stream) {
            lines.append(line)
            hear(lines.first.flatMap { pid_t($0) } ?? 0, line)
        }
        return (Array(lines.dropFirst()), pclose(stream))
    }

    private func readLine(of stream: UnsafeMutablePointer<FILE>) -> String? {
        var bytes: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(bytes) }
        guard getline(&bytes, &room, stream) > 0, let bytes else { return nil }
        return String(String(cString: bytes).prefix { $0 != "\n" })
    }
}
