import ArgumentParser
import PushDispatch

/// `apns org records`: lists records.
struct OrgRecordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Lists the records of an object: all of them, or those that a user may see.",
        discussion: """
            EXAMPLE: apns org records Account --user ada@example.com

            \(ExitStatus.help)
            """)

    @Argument(help: "The object, such as Account.")
    var object: String
    @Option(help: "List only what this user may see, by name or id.")
    var user: String?
    @Option(help: "How many records to list at most.")
    var limit = 100
    @Flag(help: "Print each record as a line of JSON.")
    var json = false
    @OptionGroup var endpoint: OrgEndpoint

    func validate() throws {
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit takes a number from 1 to 1000") }
    }

    func run() async throws {
        var query = "records?object=\(OrgEndpoint.encoded(object))&limit=\(limit)"
        if let user { query += "&user=\(OrgEndpoint.encoded(user))" }
        let answer = try await endpoint.call("GET", query)
        for record in answer.object?["records"]?.array ?? [] {
            guard !json else {
                Output.standard.result(String(decoding: record.compactBytes, as: UTF8.self))
                continue
            }
            let members = record.object ?? [:]
            let shown = members.filter { $0.value != .null && !["Id", "OwnerId", "SystemModstamp"].contains($0.key) }
                .sorted { ($0.key != "Name" ? 1 : 0, $0.key) < ($1.key != "Name" ? 1 : 0, $1.key) }
                .map { "\($0.key)=\($0.value.string ?? String(decoding: $0.value.compactBytes, as: UTF8.self))" }
            Output.standard.result(
                PlainText.safe("\(members["Id"]?.string ?? "")  \(shown.joined(separator: "  "))"))
        }
        if case .integer(let total)? = answer.object?["total"], total > limit {
            Output.standard.note("\(total) in all; --limit lists more")
        }
    }
}
