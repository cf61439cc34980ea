import ArgumentParser
import ProviderToken
import SystemFiles

/// `apns token make`: signs a provider token.
struct TokenMakeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Signs a provider token and prints it.",
        discussion: """
            EXAMPLES
              apns token make --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ
              apns token make --gateway local

            Anybody who has the provider token can send with it until it is an hour old. APNs accepts a new one of the same \
            key only every 20 minutes.

            EXIT STATUS: 0 done; 2 the key cannot be read or used; 64 bad arguments.

            \(CredentialVariable.help([.key, .keyID, .teamID])) \(ProfileOptions.nameVariable) and \
            \(ProfileOptions.fileVariable) stand for --profile and --profile-file.
            """)

    @OptionGroup var signing: SigningOptions
    @OptionGroup var source: TokenKeyOptions

    func run() throws {
        var given = CredentialChoice.Given(key: signing.key, keyID: signing.keyID, teamID: signing.teamID)
        given.gateway = source.gateway
        let choice = try source.choice(given)
        guard case .token(let keyPath, let keyID, let teamID) = choice.identity else { return }
        let credentials = try CredentialChoice.signing(keyPath: keyPath, keyID: keyID, teamID: teamID)
        do throws(KeyError) {
            Output.standard.result(
                try SignedToken(
                    keyID: credentials.keyID, teamID: credentials.teamID, issuedAt: WallClock.secondsSince1970,
                    key: credentials.key
                ).text)
        } catch {
            throw CommandError("the key \(keyPath) cannot sign: \(error.detail)")
        }
    }
}
