import ArgumentParser
import PushDispatch

/// `apns org create`: adds a record.
struct OrgCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Adds a record and prints its id. This runs no trigger.",
        discussion: """
            EXAMPLE: apns org create Account Name='Adventure Works' Type=Prospect

            \(ExitStatus.help)
            """)

    @Argument(help: "The object, such as Account.")
    var object: String
    @Argument(
        help: ArgumentHelp("Fields and their values; Field:=7 sets a value written in JSON.", valueName: "field=value"))
    var fields: [String]
    @Option(help: "The user who adds it, by name or id (default: the first user).")
    var user: String?
    @Option(
        help: ArgumentHelp(
            "How long the transaction has taken, such as 10m: the stamps are that much older (default: the org's setting).",
            valueName: "duration"))
    var transaction: String?
    @OptionGroup var endpoint: OrgEndpoint

    func validate() throws {
        _ = try FieldArguments.fields(fields)
        try TransactionArgument.check(transaction)
    }

    func run() async throws {
        let body: JSONValue = [
            "user": .string(try await endpoint.user(user)), "object": .string(object),
            "fields": .object(try FieldArguments.fields(fields)),
            "transaction": transaction.map { .string($0) } ?? .null,
        ]
        let answer = try await endpoint.call("POST", "create", body)
        Output.standard.result(answer.object?["id"]?.string ?? "")
    }
}
