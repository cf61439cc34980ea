import Foundation
import Synchronization
import SystemFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A running program. It leads a process group, so that the processes it starts can be killed with it, and Ctrl-C at the
/// terminal does not reach it.
///
/// Its input, and the output that is kept, are files: pipes would block if the program does not read, or leaves a process
/// running that keeps them open.
final class ProgramRun: Sendable {
    private struct State {
        var isReaped = false
        var reason: ChildProgram.End?
    }

    static let maximumKeptBytes = 4096
    /// The time between SIGTERM and SIGKILL.
    static let grace = Duration.seconds(2)

    private let id: pid_t
    private let state: Mutex<State>
    private let outputFile: TemporaryFile?
    private let inputFile: TemporaryFile
    private let ended: AsyncStream<Int32>

    init(_ program: ChildProgram) throws(ChildProgram.StartError) {
        var arguments = program.arguments
        switch program.input {
        case .standardInput(let bytes): inputFile = try TemporaryFile(bytes)
        case .file(let bytes, let suffix):
            inputFile = try TemporaryFile(bytes, suffix: suffix)
            arguments.append(inputFile.path ?? "")
        }
        outputFile = program.output == .kept ? try TemporaryFile([]) : nil
        id = try ProgramRun.spawn(program, arguments, input: inputFile.descriptor, output: outputFile?.descriptor)
        let (ended, end) = AsyncStream.makeStream(of: Int32.self)
        self.ended = ended
        state = Mutex(State())
        Thread.detachNewThread {
            // The process id stays valid until the program is reaped, and no signal is sent after that.
            var facts = siginfo_t()
            while waitid(P_PID, id_t(self.id), &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            let status = self.state.withLock { state in
                // It may have ended at the first signal while the processes that it started go on.
                if state.reason != nil { _ = killpg(self.id, SIGKILL) }
                var status: Int32 = 0
                while waitpid(self.id, &status, 0) < 0, errno == EINTR {}
                state.isReaped = true
                return status
            }
            end.yield(status)
            end.finish()
        }
    }

    /// Waits for its end, and kills it after the time limit.
    ///
    /// - Parameter wait: Called to wait for the time limit.
    func end(
        within limit: Duration, wait: @escaping @Sendable (Duration) async throws -> Void
    ) async -> ChildProgram.End {
        let watch = Task {
            try await wait(limit)
            self.signal(SIGTERM, for: .overTime)
            try await wait(ProgramRun.grace)
            self.signal(SIGKILL, for: .overTime)
        }
        // A separate task: the program keeps its time limit if the caller is cancelled.
        let status = await Task { [ended] in
            for await status in ended { return status }
            return 0
        }.value
        watch.cancel()
        inputFile.remove()
        if let reason = state.withLock({ $0.reason }) { return reason }
        return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f)
    }

    func kill() { signal(SIGKILL, for: .killed) }

    /// The end of its output, if that was kept.
    var printed: String {
        guard let outputFile else { return "" }
        return String(decoding: outputFile.last(ProgramRun.maximumKeptBytes), as: UTF8.self)
    }

    private func signal(_ number: Int32, for reason: ChildProgram.End) {
        state.withLock { state in
            guard !state.isReaped else { return }
            state.reason = reason
            _ = killpg(id, number)
        }
    }

    private static func spawn(
        _ program: ChildProgram, _ arguments: [String], input: Int32, output: Int32?
    ) throws(ChildProgram.StartError) -> pid_t {
        let streams: KeyValuePairs<Int32, Int32> =
            if let output {
                [0: input, 1: output, 2: output]
            } else if program.output == .toErrors {
                [0: input, 1: 2]
            } else {
                [0: input]
            }
        do throws(Spawn.NotStarted) {
            return try Spawn.start(
                program.file, arguments, environment: program.environment, streams: streams, leadsGroup: true)
        } catch {
            throw ChildProgram.StartError("\(program.file) cannot be started", code: error.code)
        }
    }
}
