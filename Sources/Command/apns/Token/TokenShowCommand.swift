import ArgumentParser

/// `apns token show`: what a provider token says of itself.
struct TokenShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows what is in a provider token, without judging its signature.",
        discussion: """
            EXAMPLE: apns token show eyJhbGciOiJFUzI1NiIs…

            The word bearer in front does no harm. To judge the token use: apns token check

            EXIT STATUS: 0 done; 2 it is no token; 64 bad arguments. No environment variable is read.
            """)

    @Argument(help: ArgumentHelp("The provider token; - reads it from standard input.", valueName: "token"))
    var token: String

    @Flag(help: "One JSON object.")
    var json = false

    func run() throws {
        let text = try TokenArgument.read(token)
        do throws(TokenParts.Fault) {
            let parts = try TokenParts(text)
            let now = System.wallClock
            if json { Output.standard.result(parts.json(at: now)) } else { Output.standard.write(parts.text(at: now)) }
        } catch {
            throw CommandError("this is no provider token: \(error)")
        }
    }
}
