import Foundation

/// A real Redis on a free port of 127.0.0.1, with its data in a temporary folder.
///
/// `@unchecked Sendable` because the lock protects `process`.
package final class RedisServer: @unchecked Sendable {
    package let port: Int
    package let folder: String
    private let options: [String]
    private let lock = NSLock()
    private var process: ServerProcess?

    /// A server that runs.
    ///
    /// - Parameters:
    ///   - options: More options, such as `["--requirepass", "secret"]`. Nothing is saved unless they say so.
    ///   - isSentinel: Runs a sentinel, with `options` as the lines of its file of configuration.
    package static func started(_ options: [String] = [], isSentinel: Bool = false) async throws -> RedisServer {
        try await RealServers.blocking { try RedisServer(options, isSentinel: isSentinel) }
    }

    private init(_ options: [String], isSentinel: Bool) throws {
        folder = try RealServers.makeFolder("redis")
        port = try RealServers.freePort()
        if isSentinel {
            let file = "\(folder)/sentinel.conf"
            let lines = ["port \(port)", "bind 127.0.0.1", "dir \(folder)"] + options
            try lines.joined(separator: "\n").appending("\n").write(toFile: file, atomically: true, encoding: .utf8)
            self.options = [file, "--sentinel"]
        } else {
            self.options =
                ["--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no", "--port", "\(port)"]
                + options
        }
        try startBlocking()
    }

    package var url: String { "redis://127.0.0.1:\(port)/0" }

    package func start() async throws { try await RealServers.blocking { try self.startBlocking() } }

    private func startBlocking() throws {
        // An old one that was killed may still be in the system's list of listeners.
        _ = RealServers.wait { !RealServers.isListening(port) }
        guard let program = RealServers.path(of: "redis-server") else { throw RealServerError("no redis-server") }
        let started = try ServerProcess([program] + options, folder: folder, endSignal: "KILL")
        lock.withLock { process = started }
        let ports = tlsPort.map { [$0] } ?? [port]
        guard RealServers.wait(until: { ports.allSatisfy(RealServers.isListening) }) else {
            throw RealServerError("redis-server does not listen; see \(folder)/server.log")
        }
    }

    private var tlsPort: Int? {
        guard let index = options.firstIndex(of: "--tls-port") else { return nil }
        return Int(options[index + 1])
    }

    /// Kills it, as a machine that loses its power would end it.
    package func kill() async throws {
        let former = takeProcess()
        former?.send(SIGKILL)
        try await RealServers.blocking { former?.end() }
    }

    private func takeProcess() -> ServerProcess? {
        lock.withLock {
            defer { process = nil }
            return process
        }
    }

    /// Stops it without ending it, until `resume`.
    package func freeze() { lock.withLock { process }?.send(SIGSTOP) }
    package func resume() { lock.withLock { process }?.send(SIGCONT) }

    /// Ends it soon, and removes its folder.
    package func end() {
        takeProcess()?.endSoon { [folder] in try? FileManager.default.removeItem(atPath: folder) }
    }

    deinit { end() }
}

/// Runs `body` with a server, and ends it.
package func withRedis<Result>(
    _ options: [String] = [], _ body: (RedisServer) async throws -> Result
) async throws -> Result {
    let server = try await RedisServer.started(options)
    defer { server.end() }
    return try await body(server)
}
