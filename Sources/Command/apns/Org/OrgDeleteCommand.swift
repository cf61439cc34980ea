import ArgumentParser
import PushDispatch

/// `apns org delete`: deletes a record.
struct OrgDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes a record. This sends no push: devices see it at their next sync.",
        discussion: """
            EXAMPLE: apns org delete 001xx0000000001AAA

            \(ExitStatus.help)
            """)

    @Argument(help: "The id of the record.")
    var id: String
    @Option(help: "The user who deletes it, by name or id (default: the first user).")
    var user: String?
    @Option(
        help: ArgumentHelp(
            "How long the transaction has taken, such as 10m: the stamps are that much older (default: the org's setting).",
            valueName: "duration"))
    var transaction: String?
    @OptionGroup var endpoint: OrgEndpoint

    func validate() throws { try TransactionArgument.check(transaction) }

    func run() async throws {
        let body: JSONValue = [
            "user": .string(try await endpoint.user(user)), "id": .string(id),
            "transaction": transaction.map { .string($0) } ?? .null,
        ]
        _ = try await endpoint.call("POST", "delete", body)
    }
}
