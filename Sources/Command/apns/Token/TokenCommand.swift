import ArgumentParser

/// `apns token`: provider tokens.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes, shows or checks a provider token.",
        discussion: """
            EXAMPLE
              apns token make --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ |
                apns token show -

            \(ExitStatus.help)
            """,
        subcommands: [TokenMakeCommand.self, TokenShowCommand.self, TokenCheckCommand.self])
}
