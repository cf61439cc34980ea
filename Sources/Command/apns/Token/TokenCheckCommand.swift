import ArgumentParser
import ProviderToken
import SystemFiles

/// `apns token check`: checks a provider token as APNs does.
struct TokenCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks form, age and signature of a provider token.",
        discussion: """
            EXAMPLE: apns token make | apns token check - --key AuthKey_ABC123DEFG.p8

            EXIT STATUS: 0 it is valid; 1 it is not, with a sentence for each problem; 2 the key cannot be read; 64 bad \
            arguments.

            ENVIRONMENT: APNS_KEY, when neither --key nor --public-key is given.
            """)

    @Argument(help: ArgumentHelp("The provider token; - reads it from standard input.", valueName: "token"))
    var token: String

    @Option(help: ArgumentHelp("The public half of the key that should have signed it, in PEM.", valueName: "path"))
    var publicKey: String?

    @Option(help: ArgumentHelp("The key that should have signed it, a .p8 file.", valueName: "path"))
    var key: String?

    @Flag(help: "Accept only the form of the standard, not every form that APNs is known to accept.")
    var gatewayStrict = false

    func validate() throws {
        if publicKey != nil, key != nil { throw ValidationError("Give --public-key or --key, not both.") }
        if publicKey == nil, key == nil, CredentialVariable.key.value == nil {
            throw ValidationError("There is no key to check with; give --public-key PEM, --key P8, or set APNS_KEY.")
        }
    }

    func run() throws {
        let key = try verifyingKey()
        let text = try TokenArgument.read(token)
        let verdict = TokenVerdict(text, key: key, isStrict: gatewayStrict, now: WallClock.secondsSince1970)
        for problem in verdict.problems { Output.standard.result(problem) }
        if verdict.problems.isEmpty { Output.standard.result(verdict.summary) }
        try (verdict.problems.isEmpty ? ExitStatus.done : .no).end()
    }

    private func verifyingKey() throws(CommandError) -> VerifyingKey {
        guard let publicKey else {
            return try CredentialChoice.signingKey(path: key ?? CredentialVariable.key.value ?? "").publicKey
        }
        let file = try CredentialChoice.read(publicKey, "the public key (--public-key), a PEM file")
        do throws(KeyError) {
            return try VerifyingKey(pem: file)
        } catch {
            throw CommandError("the public key \(publicKey) cannot be used: \(error.detail)")
        }
    }
}
