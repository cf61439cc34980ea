import ArgumentParser
import PushDispatch

/// `apns org explain`: says of a change who got a push, who did not, and why.
struct OrgExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says of a change, step by step, who got a push, who did not, and why.",
        discussion: """
            The steps are the trigger (which source, which fields, which flaw), the push calls with the registered \
            devices of their users, the gateway's answers, and what the gateway says of the delivery. For the last step \
            the org asks the control API of its gateway (`apns org run --gateway-control`).

            EXAMPLE
              apns org explain                             # the newest change
              apns org explain 001xx0000000001AAA          # the newest one of a record
              apns org explain 001xx0000000001AAA --change 7
              apns org explain --json | jq '.pushes[].devices[]'

            EXIT STATUS: 0 explained, whether or not there was a push; 1 the org does not know the change; 2 no org is \
            running; 64 bad arguments.
            """)

    @Argument(help: "The id of a record: other records of the change are left out.")
    var record: String?
    @Option(help: ArgumentHelp("The number of the change (default: the newest).", valueName: "n"))
    var change: Int?
    @Flag(help: "Print everything as one line of JSON (docs/org.md).")
    var json = false
    @OptionGroup var endpoint: OrgEndpoint

    func validate() throws {
        guard change ?? 1 > 0 else { throw ValidationError("--change takes a number from 1") }
    }

    func run() async throws {
        var parameters: [String] = []
        if let record { parameters.append("record=\(OrgEndpoint.encoded(record))") }
        if let change { parameters.append("change=\(change)") }
        let answer = try await endpoint.call("GET", "explain?" + parameters.joined(separator: "&"))
        guard !json else { return Output.standard.result(String(decoding: answer.compactBytes, as: UTF8.self)) }
        for line in OrgExplainText(style: Output.standard.results).lines(answer) { Output.standard.result(line) }
    }
}
