import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A child process by `posix_spawn` and `waitpid`. Foundation's own now and then never hears that one of several that
/// run at the same time has ended.
final class ChildProcess: Sendable {
    struct NotStarted: Error, CustomStringConvertible {
        let file: String
        let code: Int32

        var description: String { "\(file) cannot be started: \(String(cString: strerror(code)))" }
    }

    /// What the child gets as its standard input, output and errors.
    struct Streams {
        var input: Int32
        var output: Int32
        var errors: Int32
    }

    let id: pid_t
    /// Whether it has ended. Its id may be another process's as soon as that is true.
    private let ended: Mutex<Bool>
    private let ending: Task<Int32, Never>

    /// Descriptors are made and handed on under this lock, so that no child gets those of another one.
    private static let lock = Mutex(())

    /// - Parameter streams: Opens what the child gets; all of it is closed here once the child has it.
    init(
        _ file: String, _ arguments: [String], in folder: String, environment: [String: String],
        streams: () throws -> Streams
    ) throws {
        // Writing to a child that has ended is an error then, not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
        let id = try ChildProcess.lock.withLock { _ in
            let streams = try streams()
            defer { for descriptor in [streams.input, streams.output, streams.errors] { close(descriptor) } }
            return try ChildProcess.spawn(file, arguments, in: folder, environment, streams)
        }
        self.id = id
        ended = Mutex(false)
        let statuses = AsyncStream.makeStream(of: Int32.self)
        ending = Task {
            for await status in statuses.stream { return status }
            return -1
        }
        Thread.detachNewThread { [self] in
            // The id stays its own until it is reaped.
            var facts = siginfo_t()
            while waitid(P_PID, id_t(id), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            var status: Int32 = 0
            ended.withLock {
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
                $0 = true
            }
            statuses.continuation.yield(status & 0x7f == 0 ? status >> 8 & 0xff : status & 0x7f)
            statuses.continuation.finish()
        }
    }

    /// - Returns: Whether it had not ended yet.
    @discardableResult
    func send(_ signal: Int32) -> Bool {
        ended.withLock {
            if !$0 { kill(id, signal) }
            return !$0
        }
    }

    /// The status, once it has ended; the number of the signal for a child that one ended.
    func status() async -> Int32 { await ending.value }

    /// Both ends of a new pipe, which no child gets by itself. Call it where `streams` are opened.
    static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let result = Darwin.pipe(&ends)
        #elseif canImport(Musl)
            let result = Musl.pipe(&ends)
        #else
            let result = Glibc.pipe(&ends)
        #endif
        guard result == 0 else { throw NotStarted(file: "a pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Opens a file that no child gets by itself.
    static func open(_ path: String, _ flags: Int32) throws -> Int32 {
        #if canImport(Darwin)
            let descriptor = Darwin.open(path, flags | O_CLOEXEC, 0o600)
        #elseif canImport(Musl)
            let descriptor = Musl.open(path, flags | O_CLOEXEC, 0o600)
        #else
            let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        #endif
        guard descriptor >= 0 else { throw NotStarted(file: path, code: errno) }
        return descriptor
    }

    private static func spawn(
        _ file: String, _ arguments: [String], in folder: String, _ environment: [String: String], _ streams: Streams
    ) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in [streams.input, streams.output, streams.errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals as a shell would leave them, whatever the threads of the tests do.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        // The shell gives way to the file once it is in the folder, so the id and the signals are those of the file.
        let shell = "/bin/sh"
        let script = [shell, "-c", #"cd "$0" && exec "$@""#, folder, file]
        var words = (script + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, shell, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw NotStarted(file: shell, code: code) }
        return id
    }
}
