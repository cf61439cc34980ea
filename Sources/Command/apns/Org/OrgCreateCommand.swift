import ArgumentParser
import PushDispatch

/// Adds a record.
struct OrgCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Adds a record and prints its id. Triggers run after changes only.",
        discussion: """
            EXAMPLE: apns org create Account Name='Adventure Works' Type=Prospect

            \(ExitStatus.help)
            """)

    @Argument(help: "The object, such as Account.")
    var object: String
    @Argument(help: ArgumentHelp("Fields with their values.", valueName: "field=value"))
    var fields: [String]
    @Option(help: "Who adds it, by name or id; the first user where it is absent.")
    var user: String?
    @OptionGroup var endpoint: OrgEndpoint

    func validate() throws { _ = try FieldArguments.fields(fields) }

    func run() async throws {
        let body: JSONValue = [
            "user": .string(try await endpoint.user(user)), "object": .string(object),
            "fields": .object(try FieldArguments.fields(fields)),
        ]
        let answer = try await endpoint.call("POST", "create", body)
        Output.standard.result(answer.object?["id"]?.string ?? "")
    }
}
