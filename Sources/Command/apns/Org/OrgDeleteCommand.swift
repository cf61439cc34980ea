import ArgumentParser
import PushDispatch

/// Deletes a record.
struct OrgDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes a record. Nobody is told: devices learn of it at their next sync.",
        discussion: """
            EXAMPLE: apns org delete 001xx0000000001AAA

            \(ExitStatus.help)
            """)

    @Argument(help: "The record's id.")
    var id: String
    @Option(help: "Who deletes it, by name or id; the first user where it is absent.")
    var user: String?
    @OptionGroup var endpoint: OrgEndpoint

    func run() async throws {
        let body: JSONValue = [
            "user": .string(try await endpoint.user(user)), "id": .string(id),
        ]
        _ = try await endpoint.call("POST", "delete", body)
    }
}
