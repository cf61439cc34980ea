import ArgumentParser
import OrgSimulator
import PushDispatch

/// `apns org edit`: changes records, as a user does in a browser.
struct OrgEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Changes records in one save, as a user does in a browser.",
        discussion: """
            Field=value sets a string, Field= clears the field, and Field:=7 sets a value written in JSON.

            EXAMPLE
              apns org edit Account 001xx0000000001AAA Name='Northwind Clinic Nord'
              apns org edit Account --all Type=Customer

            EXIT STATUS: 0 saved; 1 the org did not save it, for example because a trigger makes too many push calls; 2 no \
            org is running; 64 bad arguments.
            """)

    @Argument(help: "The object of the records, such as Account.")
    var object: String
    @Argument(help: ArgumentHelp("Ids of records, and fields with their values.", valueName: "id … field=value"))
    var words: [String] = []
    @Flag(help: "Change all records of the object.")
    var all = false
    @Option(help: "The user who changes them, by name or id (default: the first user).")
    var user: String?
    @Option(
        help: ArgumentHelp(
            "What changes them in the user's name: \(OrgEditCommand.sources.joined(separator: ", ")) (default: browser).",
            valueName: "source"), completion: .list(OrgEditCommand.sources))
    var source: String?
    @Flag(help: "The same as --source flow: LastModifiedById stays, and only SystemModstamp changes.")
    var flow = false
    @Option(
        help: ArgumentHelp(
            "How long the transaction has taken, such as 10m: the stamps are that much older (default: the org's setting).",
            valueName: "duration"))
    var transaction: String?
    @Flag(help: "Print the result as one line of JSON.")
    var json = false
    @OptionGroup var endpoint: OrgEndpoint

    /// Apps change records over the REST interface.
    private static let sources = ChangeSource.Kind.allCases.filter { ChangeSource($0) != nil }.map(\.rawValue)

    /// The words that are ids, each record once: 15 and 18 characters name the same one.
    static func ids(in words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { word in
            !word.contains("=") && seen.insert(RecordID(word)?.description ?? word).inserted
        }
    }

    func validate() throws {
        if let source, !OrgEditCommand.sources.contains(source) {
            throw ValidationError(
                "--source \(PlainText.safe(source)): it is one of \(OrgEditCommand.sources.joined(separator: ", "))")
        }
        try TransactionArgument.check(transaction)
        guard source == nil || !flow else { throw ValidationError("give --source or --flow") }
        let fields = try FieldArguments.fields(words.filter { $0.contains("=") })
        guard !fields.isEmpty else { throw ValidationError("there is nothing to set; give Field=value") }
        guard all != words.contains(where: { !$0.contains("=") }) else {
            throw ValidationError("give the ids of records, or --all")
        }
    }

    func run() async throws {
        let fields = JSONValue.object(try FieldArguments.fields(words.filter { $0.contains("=") }))
        let ids = OrgEditCommand.ids(in: words)
        var body: [String: JSONValue] = [
            "user": .string(try await endpoint.user(user)), "source": .string(flow ? "flow" : source ?? "browser"),
            "object": .string(object),
            "transaction": transaction.map { .string($0) } ?? .null,
        ]
        if all {
            body["all"] = .bool(true)
            body["fields"] = fields
        } else {
            body["records"] = .array(ids.map { ["id": .string($0), "fields": fields] })
        }
        let answer = try await endpoint.call("POST", "edit", .object(body))
        guard !json else { return Output.standard.result(String(decoding: answer.compactBytes, as: UTF8.self)) }
        guard case .integer(let calls)? = answer.object?["push-calls"],
            case .integer(let count)? = answer.object?["records"]
        else { return }
        let records = count == 1 ? "1 record" : "\(count) records"
        Output.standard.result("\(records) changed, \(calls) push \(calls == 1 ? "call" : "calls")")
    }
}
