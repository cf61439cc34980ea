import Foundation
import Synchronization
import SystemFiles

#if canImport(Glibc)
    import Glibc
#endif

/// A server program of another project, which ends with this process in any case: a shell between the two waits for the end of
/// a pipe, and then kills the program.
///
/// `@unchecked Sendable` because nothing changes after `init` but `lifeline`, which the lock protects.
package final class ServerProcess: @unchecked Sendable {
    package let id: Int32
    private let shell: Int32
    private let lock = NSLock()
    private var lifeline: Int32?

    private static let script = """
        exec 3<&0
        : >"$PID_FILE.live"
        "$@" 3<&- </dev/null & server=$!
        echo $server >"$PID_FILE.new" && mv "$PID_FILE.new" "$PID_FILE"
        (cat <&3 >/dev/null; [ -e "$PID_FILE.live" ] && kill -"$END_SIGNAL" $server 2>/dev/null) &
        exec 3<&-
        wait $server
        rm -f "$PID_FILE.live"
        wait
        """

    /// - Parameters:
    ///   - command: The program, found in PATH, and its arguments.
    ///   - folder: Gets the log and the file with the process id.
    ///   - endSignal: What ends the program in order, such as `TERM`.
    package init(_ command: [String], folder: String, endSignal: String) throws {
        let idFile = "\(folder)/server.pid"
        unlink(idFile)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw RealServerError("no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let log = open("\(folder)/server.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer {
            close(log)
            close(ends[0])
        }
        var environment = ProcessInfo.processInfo.environment
        environment["PID_FILE"] = idFile
        environment["END_SIGNAL"] = endSignal
        environment["LC_ALL"] = "C"
        shell = try Spawn.start(
            "/bin/sh", ["-c", ServerProcess.script, "sh"] + command, environment: environment,
            streams: [0: ends[0], 1: log, 2: log], leadsGroup: true)
        lifeline = ends[1]
        var found: Int32?
        // The file stays, so that a program that ends at once is seen, too. At most a minute.
        for _ in 0..<12_000 where found == nil {
            found = (try? String(contentsOfFile: idFile, encoding: .utf8)).flatMap {
                Int32($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            if found == nil { usleep(5000) }
        }
        guard let found else { throw RealServerError("\(command[0]) was not started; see \(folder)/server.log") }
        id = found
    }

    /// Sends a signal to the program.
    package func send(_ signal: Int32) { kill(id, signal) }

    /// Ends the program and waits for it. This blocks.
    package func end() {
        lock.lock()
        let open = lifeline
        lifeline = nil
        lock.unlock()
        guard let open else { return }
        close(open)
        var status: Int32 = 0
        while waitpid(shell, &status, 0) < 0, errno == EINTR {}
    }

    /// Ends the program soon, and then calls `done`.
    package func endSoon(_ done: @escaping @Sendable () -> Void = {}) {
        Thread.detachNewThread {
            self.end()
            done()
        }
    }

    deinit { end() }
}

package struct RealServerError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}

package enum RealServers {
    /// The path of a program; nil where it is not installed.
    package static func path(of program: String) -> String? {
        var folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        folders += ["/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"]
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        folders += versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        return folders.lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    package static let hasRedis = path(of: "redis-server") != nil
    package static let hasPostgres = path(of: "postgres") != nil && path(of: "initdb") != nil

    /// Below those that systems give to whoever asks for any port: another test could get one of these before the server has it.
    private static let ports = 15_000..<32_000
    private static let taken = Mutex<Set<Int>>([])

    /// A port of 127.0.0.1 that was free a moment ago, and that no other caller in this process gets.
    package static func freePort() throws -> Int {
        for _ in 0..<1000 {
            let port = Int.random(in: ports)
            guard taken.withLock({ $0.insert(port).inserted }) else { continue }
            let isFree = try withSocket { descriptor in
                var address = loopback(port: port)
                return withUnsafeMutablePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    }
                }
            }
            if isFree { return port }
        }
        throw RealServerError("no free port")
    }

    /// Whether something listens on the port.
    package static func isListening(_ port: Int) -> Bool {
        let answer: Bool? = try? withSocket { descriptor in
            var address = loopback(port: port)
            return withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
        return answer ?? false
    }

    /// Waits until `condition` holds; false after `limit` seconds. This blocks.
    static func wait(_ limit: Int = 60, until condition: () -> Bool) -> Bool {
        for _ in 0..<limit * 100 {
            if condition() { return true }
            usleep(10_000)
        }
        return condition()
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return address
    }

    private static func withSocket<Result>(_ body: (Int32) throws -> Result) throws -> Result {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw RealServerError("no socket") }
        defer { close(descriptor) }
        return try body(descriptor)
    }

    /// Runs something that blocks, on a thread of its own: all tests share the threads of Swift's concurrency, and there are only as
    /// many as cores.
    static func blocking<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }

    static func makeFolder(_ name: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/apns-\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
