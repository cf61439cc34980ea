import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `apns gateway` as a process on free ports.
struct LocalGateway {
    let process: RunningCommand
    let readyLine: String
    private let facts: [String: Any]
    private static let taken = Mutex<Set<Int>>([])

    /// - Parameter arguments: Behind those that give it free ports and lift the budget of silent pushes.
    init(_ command: Command, _ arguments: [String] = []) async throws {
        process = try command.start(
            ["gateway", "--json", "--port", "0", "--control-port", "0", "--budget", "silent=unlimited"] + arguments)
        readyLine = try await process.line("\"ready\"")
        facts = try JSONText.object(readyLine)
    }

    /// A gateway that `again` can follow: on ports that the system gives to no connection, which might keep one for minutes.
    /// They lie between those of `RealServers` and those of the system, and no other test gets them.
    static func restartable(_ command: Command, _ arguments: [String] = []) async throws -> LocalGateway {
        for _ in 0..<20 {
            let port = Int.random(in: 16_000..<16_350) * 2
            guard taken.withLock({ $0.insert(port).inserted }) else { continue }
            let ports = ["--port", String(port), "--control-port", String(port + 1)]
            if let gateway = try? await LocalGateway(command, ports + arguments) { return gateway }
        }
        return try await LocalGateway(command, arguments)
    }

    /// A gateway on the ports of one that has ended. Another connection of this machine may have one of them for a
    /// moment.
    static func again(
        after former: LocalGateway, _ command: Command, _ arguments: [String] = []
    ) async throws -> LocalGateway {
        let arguments = ["--port", former.port, "--control-port", former.controlPort] + arguments
        for _ in 0..<20 {
            if let gateway = try? await LocalGateway(command, arguments) { return gateway }
        }
        return try await LocalGateway(command, arguments)
    }

    /// A value of the ready line.
    subscript(key: String) -> String { facts[key] as? String ?? "" }

    var keys: Set<String> { Set(facts.keys) }
    var port: String { String(self["gateway"].split(separator: ":").last ?? "") }
    var controlPort: String { String(self["control"].split(separator: ":").last ?? "") }

    /// The options of `apns send` for destination and credentials.
    var options: [String] {
        [
            "--gateway", self["gateway"], "--ca", self["ca"], "--key", self["key"], "--team-id", self["team-id"],
            "--topic", self["topic"],
        ]
    }

    /// A call of the control API.
    func call(_ method: String, _ path: String, _ body: String? = nil) async throws -> (status: Int, body: String) {
        guard let url = URL(string: self["control"] + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    /// How many notifications the journal holds.
    func total(_ filter: String = "") async throws -> Int {
        let answer = try await call("GET", "/api/notifications?limit=1\(filter)")
        return try JSONText.object(answer.body)["total"] as? Int ?? -1
    }

    /// The whole journal, page by page.
    func notifications() async throws -> [[String: Any]] {
        var all: [[String: Any]] = []
        var cursor: String?
        repeat {
            let answer = try await call(
                "GET", "/api/notifications?limit=1000" + (cursor.map { "&cursor=\($0)" } ?? ""))
            let page = try JSONText.object(answer.body)
            all += page["notifications"] as? [[String: Any]] ?? []
            cursor = page["next"] as? String
        } while cursor != nil
        return all
    }
}

/// Runs `body` with a gateway, and stops it.
func withLocalGateway(
    _ arguments: [String] = [], _ body: (LocalGateway, Command) async throws -> Void
) async throws {
    try await withCommand { command in
        let gateway = try await LocalGateway(command, arguments)
        try await gateway.process.stopped { try await body(gateway, command) }
    }
}

/// JSON that the tests read.
enum JSONText {
    struct NoObject: Error {
        let text: String
    }

    static func object(_ text: some StringProtocol) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let object = value as? [String: Any] else { throw NoObject(text: String(text)) }
        return object
    }
}
