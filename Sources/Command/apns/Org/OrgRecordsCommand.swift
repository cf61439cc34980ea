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
    @Option(help: "How many records to list at most: 1 to 1000.")
    var limit = 100
    @Flag(help: "Print each record as a line of JSON.")
    var json = false
    @OptionGroup var endpoint: OrgEndpoint

    func validate() throws {
        guard (1...OrgRecordsCommand.maximum).contains(limit) else {
            throw ValidationError("--limit takes a number from 1 to \(OrgRecordsCommand.maximum)")
        }
    }

    private static let maximum = 1_000

    /// What is said below the list where there are more records; nil where there are not.
    static func note(total: Int64, limit: Int) -> String? {
        guard total > limit else { return nil }
        return limit < maximum
            ? "\(total) in all; --limit lists more"
            : "\(total) in all; this command lists up to \(maximum), and a query over REST returns all (docs/org.md)"
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
        if case .integer(let total)? = answer.object?["total"],
            let note = OrgRecordsCommand.note(total: total, limit: limit)
        {
            Output.standard.note(note)
        }
    }
}
