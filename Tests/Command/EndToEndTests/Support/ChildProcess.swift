import Foundation
import Synchronization
import SystemFiles
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A child process, started with `Spawn` and reaped with `waitpid`. Foundation's `Process` sometimes misses the end of
/// one of several processes that run at the same time.
final class ChildProcess: Sendable {
    struct NotOpened: Error, CustomStringConvertible {
        let file: String
        let code: Int32

        var description: String { "\(file) cannot be opened: \(String(cString: strerror(code)))" }
    }

    /// What the child gets as its standard input, output and errors.
    struct Streams {
        var input: Int32
        var output: Int32
        var errors: Int32
    }

    let id: pid_t
    /// Whether it was reaped. Its id may belong to another process from then on.
    private let ended = Reaping()
    private let ending: Task<Int32, Never>
    /// Kills a child that outlives `limit`, so that no test waits forever.
    private let watchdog: Task<Void, any Error>

    private static let limit: Duration = .seconds(1_800)

    private final class Reaping: Sendable {
        let value = Mutex(false)
    }

    /// Descriptors are opened and passed on under this lock, so that no child inherits those of another one.
    private static let lock = Mutex(())

    /// - Parameter streams: Opens the descriptors of the child. They are closed here once the child has copies.
    init(
        _ file: String, _ arguments: [String], in folder: String, environment: [String: String],
        streams: () throws -> Streams
    ) throws {
        // So that a write to a child that has ended fails and does not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let id = try ChildProcess.lock.withLock { _ in
            let streams = try streams()
            defer { for descriptor in [streams.input, streams.output, streams.errors] { close(descriptor) } }
            // The shell replaces itself with the file once it is in the folder, so the id and the signals are the file's.
            return try Spawn.start(
                "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, folder, file] + arguments, environment: environment,
                streams: [0: streams.input, 1: streams.output, 2: streams.errors])
        }
        self.id = id
        let statuses = AsyncStream.makeStream(of: Int32.self)
        ending = Task {
            for await status in statuses.stream { return status }
            return -1
        }
        let line = ([file] + arguments).joined(separator: " ")
        watchdog = Task { [ended] in
            try await Task.sleep(for: ChildProcess.limit)
            ended.value.withLock { isReaped in
                guard !isReaped else { return }
                kill(id, SIGKILL)
                Issue.record("killed after \(ChildProcess.limit): \(line)")
            }
        }
        Thread.detachNewThread { [self] in
            // The id stays the child's until it is reaped.
            var facts = siginfo_t()
            while waitid(P_PID, id_t(id), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            var status: Int32 = 0
            ended.value.withLock {
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
                $0 = true
            }
            watchdog.cancel()
            statuses.continuation.yield(status & 0x7f == 0 ? status >> 8 & 0xff : status & 0x7f)
            statuses.continuation.finish()
        }
    }

    /// - Returns: Whether it had not ended yet.
    @discardableResult
    func send(_ signal: Int32) -> Bool {
        ended.value.withLock {
            if !$0 { kill(id, signal) }
            return !$0
        }
    }

    /// Waits for the end.
    ///
    /// - Returns: The exit status, or the number of the signal that ended it.
    func status() async -> Int32 { await ending.value }

    /// Both ends of a new pipe, close-on-exec. Call it in the closure that opens the streams.
    static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let result = Darwin.pipe(&ends)
        #elseif canImport(Musl)
            let result = Musl.pipe(&ends)
        #else
            let result = Glibc.pipe(&ends)
        #endif
        guard result == 0 else { throw NotOpened(file: "a pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Another descriptor of the same, close-on-exec.
    static func copy(of descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    /// Whether a pipe is so full that writing to it waits.
    static func isFull(_ writing: Int32) -> Bool {
        var wanted = pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)
        return poll(&wanted, 1, 0) == 0
    }

    /// Opens a file, close-on-exec.
    static func open(_ path: String, _ flags: Int32) throws -> Int32 {
        #if canImport(Darwin)
            let descriptor = Darwin.open(path, flags | O_CLOEXEC, 0o600)
        #elseif canImport(Musl)
            let descriptor = Musl.open(path, flags | O_CLOEXEC, 0o600)
        #else
            let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        #endif
        guard descriptor >= 0 else { throw NotOpened(file: path, code: errno) }
        return descriptor
    }
}
