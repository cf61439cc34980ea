import ArgumentParser
import ProviderToken

/// `apns token check`: judges a provider token as APNs would.
struct TokenCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks form, age and signature of a provider token.",
        discussion: """
            EXAMPLE: apns token make | apns token check - --key AuthKey_ABC123DEFG.p8

            EXIT STATUS: 0 it is good; 1 it is not, with a sentence for each fault; 2 the key cannot be read; 64 bad \
            arguments.

            ENVIRONMENT: APNS_KEY, where neither --key nor --public-key is given.
            """)

    @Argument(help: ArgumentHelp("The provider token; - reads it from standard input.", valueName: "token"))
    var token: String

    @Option(help: ArgumentHelp("Public half of the key that should have signed it, PEM.", valueName: "path"))
    var publicKey: String?

    @Option(help: ArgumentHelp("The key that should have signed it, a .p8 file.", valueName: "path"))
    var key: String?

    @Flag(help: "Take only the form of the standard, not all that APNs is known to take.")
    var gatewayStrict = false

    func validate() throws {
        if publicKey != nil, key != nil { throw ValidationError("Give --public-key or --key, not both.") }
        if publicKey == nil, key == nil, System.environment("APNS_KEY") == nil {
            throw ValidationError("There is no key to check with; give --public-key PEM, --key P8, or set APNS_KEY.")
        }
    }

    func run() throws {
        let key = try verifyingKey()
        let text = try TokenArgument.read(token)
        let judgement = TokenVerdict(text, key: key, isStrict: gatewayStrict, now: System.wallClock)
        for fault in judgement.faults { Output.standard.result(fault) }
        if judgement.faults.isEmpty { Output.standard.result(judgement.praise) }
        try (judgement.faults.isEmpty ? ExitStatus.done : .no).end()
    }

    private func verifyingKey() throws(CommandError) -> VerifyingKey {
        guard let publicKey else {
            return try CredentialChoice.signingKey(path: key ?? System.environment("APNS_KEY") ?? "").publicKey
        }
        let file = try CredentialChoice.read(publicKey, "the public key (--public-key), a PEM file")
        do throws(KeyError) {
            return try VerifyingKey(pem: file)
        } catch {
            throw CommandError("the public key \(publicKey) cannot be used: \(error.detail)")
        }
    }
}
