import ArgumentParser
import SystemFiles

/// `apns token show`: the content of a provider token.
struct TokenShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the content of a provider token, without checking it.",
        discussion: """
            EXAMPLE: apns token show eyJhbGciOiJFUzI1NiIs…

            A leading word bearer is ignored. To check the provider token use: apns token check

            EXIT STATUS: 0 done; 2 it is not a provider token; 64 bad arguments. No environment variable is read.
            """)

    @Argument(help: ArgumentHelp("The provider token; - reads it from standard input.", valueName: "token"))
    var token: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let text = try TokenArgument.read(token)
        do throws(TokenParts.Fault) {
            let parts = try TokenParts(text)
            let now = WallClock.secondsSince1970
            if json { Output.standard.result(parts.json(at: now)) } else { Output.standard.write(parts.text(at: now)) }
        } catch {
            throw CommandError("this is not a provider token: \(error)")
        }
    }
}
