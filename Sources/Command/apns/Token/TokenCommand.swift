import ArgumentParser

/// `apns token`: provider tokens, and pasted device tokens.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes, shows or checks a provider token, or says what a device token is.",
        discussion: """
            EXAMPLE
              apns token make --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ |
                apns token show -
              apns token device APwTrf94USK0rSiAmjQgmCNBJBQhNICXh45XfJkd6PA=

            \(ExitStatus.help)
            """,
        subcommands: [TokenMakeCommand.self, TokenShowCommand.self, TokenCheckCommand.self, TokenDeviceCommand.self])
}
