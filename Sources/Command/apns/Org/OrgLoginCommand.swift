import ArgumentParser
import PushDispatch

/// Logs a user in.
struct OrgLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Logs a user in and prints the access token.",
        discussion: """
            EXAMPLE
              APNS_ORG_TOKEN=$(apns org login ada@example.com) \\
                apns device --org http://127.0.0.1:8446

            With --json the refresh token, the client id and the instance URL are there as well.

            EXIT STATUS: 0 logged in; 1 the org said no; 2 there is no org; 64 bad arguments.
            """)

    @Argument(help: "The user, by name or id.")
    var user: String
    @Option(help: "The connected app; the first one where it is absent.")
    var app: String?
    @Flag(help: "Print everything as one line of JSON.")
    var json = false
    @OptionGroup var endpoint: OrgEndpoint

    func run() async throws {
        var body: [String: JSONValue] = ["user": .string(user)]
        body["app"] = app.map { .string($0) }
        let answer = try await endpoint.call("POST", "login", .object(body))
        Output.standard.result(
            json
                ? String(decoding: answer.compactBytes, as: UTF8.self)
                : answer.object?["access_token"]?.string ?? "")
    }
}
