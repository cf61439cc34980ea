import ArgumentParser
import PushDispatch

/// Lists records.
struct OrgRecords: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Lists the records of an object, as the org shows them to a user or has them.",
        discussion: """
            EXAMPLE: apns org records Account --user ada@example.com

            \(ExitStatus.help)
            """)

    @Argument(help: "The object, such as Account.")
    var object: String
    @Option(help: "Only what this user may see, by name or id.")
    var user: String?
    @Option(help: "How many at most.")
    var limit = 100
    @Flag(help: "Print each record as a line of JSON.")
    var json = false
    @OptionGroup var endpoint: OrgEndpoint

    func validate() throws {
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit takes a number from 1 to 1000") }
    }

    func run() async throws {
        var query = "records?object=\(OrgRecords.encoded(object))&limit=\(limit)"
        if let user { query += "&user=\(OrgRecords.encoded(user))" }
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
            Output.standard.note("\(total) in all; --limit shows more")
        }
    }

    static func ids(of object: String, _ endpoint: OrgEndpoint) async throws -> [String] {
        let answer = try await endpoint.call("GET", "records?object=\(encoded(object))&limit=1000")
        return answer.object?["records"]?.array?.compactMap { $0.object?["Id"]?.string } ?? []
    }

    /// The user that is meant: the first one where none is named.
    static func user(_ name: String?, _ endpoint: OrgEndpoint) async throws -> String {
        if let name { return name }
        let state = try await endpoint.call("GET", "")
        let people = state.object?["users"]?.array?.compactMap(\.object) ?? []
        let first = people.first { $0["kind"] == "person" } ?? people.first
        return first?["name"]?.string ?? ""
    }

    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
