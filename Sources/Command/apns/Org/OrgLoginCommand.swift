import ArgumentParser
import PushDispatch

/// `apns org login`: logs a user in.
struct OrgLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Logs a user in and prints the access token.",
        discussion: """
            EXAMPLE
              APNS_ORG_TOKEN=$(apns org login ada@example.com) \\
                apns device --org http://127.0.0.1:8446

            --json prints the refresh token, the client id and the instance URL as well.

            EXIT STATUS: 0 logged in; 1 the org refused; 2 no org is running; 64 bad arguments.
            """)

    @Argument(help: "The user, by name or id.")
    var user: String
    @Option(help: "The connected app (default: the first one).")
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
