import Testing

/// A simulated org as a process, on a port of its own.
struct RunningOrg {
    let process: RunningCommand
    let facts: [String: Any]

    init(_ command: Command, _ arguments: [String] = [], environment: [String: String] = [:]) async throws {
        process = try command.start(["org", "--port", "0", "--json"] + arguments, environment: environment)
        facts = try JSONText.object(try await process.line(#""event":"ready""#))
    }

    var url: String { facts["org"] as? String ?? "" }
    var at: [String] { ["--at", url] }

    /// What `apns org …` prints.
    func run(_ command: Command, _ arguments: [String]) async throws -> String {
        let result = try await command.run(["org"] + arguments + at)
        try #require(result.status == 0, "\(arguments): \(result.text)")
        return result.output
    }
}

/// Runs `body` with an org that sends to no gateway.
func withOrg(_ arguments: [String] = [], _ body: (RunningOrg, Command) async throws -> Void) async throws {
    try await withCommand { command in
        let org = try await RunningOrg(command, arguments)
        try await org.process.stopped { try await body(org, command) }
    }
}
