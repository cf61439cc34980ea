import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A program under way, at the head of a process group of its own, so that what it has started can be ended with it and
/// a Ctrl-C at the terminal does not reach it.
///
/// What it reads and what is kept of what it prints are files, so a program that does not read, or that leaves something
/// running behind it, holds nothing up.
final class ProgramRun: Sendable {
    private struct State {
        var isReaped = false
        var reason: ChildProgram.End?
    }

    static let maximumKeptBytes = 4096
    /// What a program has between the signal that asks it to end and the one that ends it.
    static let grace = Duration.seconds(2)

    private let id: pid_t
    private let state: Mutex<State>
    private let kept: TemporaryFile?
    private let given: TemporaryFile
    private let ended: AsyncStream<Int32>

    init(_ program: ChildProgram) throws(ChildProgram.StartError) {
        var arguments = program.arguments
        switch program.input {
        case .standardInput(let bytes): given = try TemporaryFile(bytes)
        case .file(let bytes, let suffix):
            given = try TemporaryFile(bytes, suffix: suffix)
            arguments.append(given.path ?? "")
        }
        kept = program.output == .kept ? try TemporaryFile([]) : nil
        id = try ProgramRun.spawn(program, arguments, input: given.descriptor, output: kept?.descriptor)
        let (ended, end) = AsyncStream.makeStream(of: Int32.self)
        self.ended = ended
        state = Mutex(State())
        Thread.detachNewThread {
            // The number stays this program's until it is reaped, and no signal is sent after that.
            var facts = siginfo_t()
            while waitid(P_PID, id_t(self.id), &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            let status = self.state.withLock { state in
                // It may have ended at the first signal, and what it has started may not.
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

    /// Runs it to its end, or to the end of its time.
    ///
    /// - Parameter wait: Passes the time.
    func end(
        within limit: Duration, wait: @escaping @Sendable (Duration) async throws -> Void
    ) async -> ChildProgram.End {
        let watch = Task {
            try await wait(limit)
            self.signal(SIGTERM, for: .overTime)
            try await wait(ProgramRun.grace)
            self.signal(SIGKILL, for: .overTime)
        }
        // A task of its own, because the program has its time also when the caller is cancelled.
        let status = await Task { [ended] in
            for await status in ended { return status }
            return 0
        }.value
        watch.cancel()
        given.remove()
        if let reason = state.withLock({ $0.reason }) { return reason }
        return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f)
    }

    func kill() { signal(SIGKILL, for: .killed) }

    /// The end of what it printed, where that was kept.
    var printed: String {
        guard let kept else { return "" }
        return String(decoding: kept.last(ProgramRun.maximumKeptBytes), as: UTF8.self)
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
