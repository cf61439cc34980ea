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

            ENVIRONMENT, when none of --key, --public-key, --gateway and --profile is given: \
            \(CredentialVariable.key.name), which wins over the profile of \(ProfileOptions.nameVariable). \
            \(ProfileOptions.nameVariable) and \(ProfileOptions.fileVariable) stand for --profile and --profile-file.
            """)

    @Argument(help: ArgumentHelp("The provider token; - reads it from standard input.", valueName: "token"))
    var token: String

    @Option(help: ArgumentHelp("The public half of the key that should have signed it, in PEM.", valueName: "path"))
    var publicKey: String?

    @Option(help: ArgumentHelp("The key that should have signed it, a .p8 file.", valueName: "path"))
    var key: String?

    @OptionGroup var source: TokenKeyOptions

    @Flag(help: "Accept only the form of the standard, not every form that APNs is known to accept.")
    var gatewayStrict = false

    func validate() throws {
        guard [publicKey, key, source.gateway].compactMap(\.self).count < 2 else {
            throw ValidationError("--public-key, --key and --gateway all name the key; give one of them.")
        }
    }

    func run() throws {
        let text = try TokenArgument.read(token)
        // A text that is not a provider token at all is reported without a key.
        if let problem = TokenVerdict.problemOfForm(text) {
            Output.standard.result(problem)
            return try ExitStatus.no.end()
        }
        guard publicKey != nil || key != nil || CredentialVariable.key.value != nil || source.isGiven else {
            throw CommandError(
                "there is no key to check with: give --public-key PEM, --key P8 or --gateway local, or set APNS_KEY",
                .badArguments)
        }
        let verdict = TokenVerdict(text, signer: try signer(), isStrict: gatewayStrict, now: WallClock.secondsSince1970)
        for problem in verdict.problems { Output.standard.result(problem) }
        if verdict.problems.isEmpty { Output.standard.result(verdict.summary) }
        try (verdict.problems.isEmpty ? ExitStatus.done : .no).end()
    }

    private func signer() throws(CommandError) -> TokenVerdict.Signer {
        guard let publicKey else {
            if key == nil, source.isGiven {
                var given = CredentialChoice.Given()
                given.gateway = source.gateway
                let identity = try source.choice(given, profileWins: true).identity
                guard case .token(let path, let keyID, let teamID) = identity else {
                    throw CommandError("there is no key to check with")
                }
                return TokenVerdict.Signer(
                    key: try CredentialChoice.signingKey(path: path).publicKey, keyID: keyID, teamID: teamID)
            }
            let path = key ?? CredentialVariable.key.value ?? ""
            return TokenVerdict.Signer(
                key: try CredentialChoice.signingKey(path: path).publicKey,
                keyID: CredentialChoice.keyID(inNameOf: path))
        }
        let file = try CredentialChoice.read(publicKey, "the public key (--public-key), a PEM file")
        do throws(KeyError) {
            return TokenVerdict.Signer(key: try VerifyingKey(pem: file))
        } catch {
            throw CommandError("the public key \(publicKey) cannot be used: \(error.detail)")
        }
    }
}
