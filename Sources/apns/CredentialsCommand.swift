import APNSModel
import ArgumentParser
import GatewayServer
import PayloadJSON
import ProviderToken

/// Makes development credentials.
struct CredentialsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials",
        abstract: "Makes development credentials: a CA, a server certificate and a .p8 key.",
        discussion: """
            They are for the gateway simulator on this machine only; Apple takes none of them. Private files have the \
            mode 0600. `apns gateway` makes them by itself when there are none.

            EXAMPLE
              apns credentials --output certs/dev

            EXIT STATUS: 0 made, or there already; 2 they could not be written or are damaged; 64 bad arguments.
            """)

    @Option(name: [.customLong("output"), .customShort("o")], help: "The folder to put them in.")
    var folder = "certs/dev"
    @Flag(help: "Replace credentials that are there.")
    var force = false
    @Flag(help: "Print where everything is as one line of JSON.")
    var json = false

    func run() throws {
        let credentials: DevelopmentCredentials
        do throws(GatewayError) {
            credentials = force ? try .replace(in: folder) : try .loadOrMake(in: folder)
        } catch {
            throw CommandError(error.detail)
        }
        let output = Output.standard
        guard !json else { return output.result(credentials.summaryLine(in: folder)) }
        output.result("CA       \(DevelopmentCredentials.caFile(in: folder))")
        output.result("key      \(credentials.keyFile ?? "")")
        output.result("key id   \(credentials.keyID.value)")
        output.result("team id  \(credentials.teamID.value)")
        output.result("topic    \(credentials.topic.value)")
    }
}

extension DevelopmentCredentials {
    /// The keys of the ready line of interfaces.md 1.4 that concern credentials.
    fileprivate func summaryLine(in folder: String) -> String {
        let members = [
            ("ca", DevelopmentCredentials.caFile(in: folder)), ("key", keyFile ?? ""), ("key-id", keyID.value),
            ("team-id", teamID.value), ("topic", topic.value),
        ]
        return "{" + members.map { "\(JSONWriter.quoted($0.0)):\(JSONWriter.quoted($0.1))" }.joined(separator: ",")
            + "}"
    }
}
