import Foundation
import SystemFiles

/// A real PostgreSQL on a free port of 127.0.0.1, with its data in a temporary folder.
///
/// `@unchecked Sendable` because the lock protects `process`.
package final class PostgresServer: @unchecked Sendable {
    package let port: Int
    package let folder: String
    private let lock = NSLock()
    private var process: ServerProcess?
    private var databases = 0
    private let options: [String]

    /// One server for all tests that break nothing. It ends with the process.
    package static var shared: PostgresServer { get async throws { try await sharedTask.value } }
    private static let sharedTask = Task { try await started() }

    /// A server that runs.
    ///
    /// - Parameter settings: Such as `["max_connections": "20"]`.
    package static func started(_ settings: [String: String] = [:]) async throws -> PostgresServer {
        try await started(files: [:]) { _ in settings }
    }

    /// - Parameters:
    ///   - files: Private files of the server, by their names in its folder.
    ///   - settings: What the server is started with; gets the folder.
    package static func started(
        files: [String: [UInt8]], settings: @escaping @Sendable (_ folder: String) -> [String: String]
    ) async throws -> PostgresServer {
        try await RealServers.blocking { try PostgresServer(files: files, settings: settings) }
    }

    private init(files: [String: [UInt8]], settings: (_ folder: String) -> [String: String]) throws {
        folder = try RealServers.makeFolder("postgres")
        port = try RealServers.freePort()
        var all = [
            "listen_addresses": "127.0.0.1", "port": "\(port)", "unix_socket_directories": "", "fsync": "off",
            "shared_buffers": "16MB", "max_connections": "500", "log_min_messages": "fatal",
        ]
        all.merge(settings(folder)) { $1 }
        options = all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
        try PostgresServer.giveToServer(folder)
        for (name, bytes) in files {
            try PrivateFolder.write(bytes, to: "\(folder)/\(name)", mode: 0o600)
            try PostgresServer.giveToServer("\(folder)/\(name)")
        }
        guard let program = RealServers.path(of: "initdb") else { throw RealServerError("no initdb") }
        try PostgresServer.run(
            PostgresServer.asUser + [
                program, "-D", "\(folder)/data", "-U", "apns", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C",
            ], log: "\(folder)/initdb.log")
        try startBlocking()
    }

    package func start() async throws { try await RealServers.blocking { try self.startBlocking() } }

    private func startBlocking() throws {
        guard let program = RealServers.path(of: "postgres") else { throw RealServerError("no postgres") }
        // After a kill its children hold the shared memory for a moment, and a start fails.
        for _ in 0..<50 {
            let started = try ServerProcess(
                PostgresServer.asUser + [program, "-D", "\(folder)/data"] + options, folder: folder, endSignal: "INT")
            let isOver = RealServers.wait { isReady || Foundation.kill(started.id, 0) != 0 }
            if isOver, isReady {
                lock.withLock { process = started }
                return
            }
            started.end()
            usleep(200_000)
        }
        throw RealServerError("postgres does not listen; see \(folder)/server.log")
    }

    /// Whether it takes connections; it listens a little earlier.
    private var isReady: Bool {
        guard let program = RealServers.path(of: "pg_isready") else { return RealServers.isListening(port) }
        let command = [program, "-q", "-h", "127.0.0.1", "-p", "\(port)"]
        return (try? PostgresServer.run(command, log: "/dev/null")) != nil
    }

    package func url(_ database: String = "postgres") -> String {
        "postgres://apns@127.0.0.1:\(port)/\(database)"
    }

    /// A name for a database that no other test uses. The caller creates it.
    package func nextDatabaseName() -> String {
        lock.withLock {
            databases += 1
            return "test_\(databases)"
        }
    }

    /// Kills the server with all its processes, as a machine that loses its power would end it.
    package func kill() async throws { try await RealServers.blocking { self.killBlocking() } }

    private func killBlocking() {
        let former = takeProcess()
        former?.send(SIGKILL)
        former?.end()
        _ = RealServers.wait { !RealServers.isListening(port) }
    }

    /// Ends it soon, and removes its folder.
    package func end() {
        takeProcess()?.endSoon { [folder] in try? FileManager.default.removeItem(atPath: folder) }
    }

    private func takeProcess() -> ServerProcess? {
        lock.withLock {
            defer { process = nil }
            return process
        }
    }

    deinit { end() }

    /// PostgreSQL does not run as root.
    private static var asUser: [String] {
        geteuid() == 0
            ? [RealServers.path(of: "setpriv") ?? "setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            : []
    }

    private static func giveToServer(_ path: String) throws {
        guard geteuid() == 0 else { return }
        guard let user = getpwnam("postgres") else { throw RealServerError("there is no user postgres") }
        guard chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
            throw RealServerError("\(path) cannot be given to postgres")
        }
    }

    private static func run(_ command: [String], log: String) throws {
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer { close(file) }
        var environment = ProcessInfo.processInfo.environment
        environment["LC_ALL"] = "C"
        let id = try Spawn.start(
            command[0], Array(command.dropFirst()), environment: environment, streams: [1: file, 2: file])
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw RealServerError("\(command.joined(separator: " ")) failed; see \(log)")
        }
    }
}
