import ArgumentParser

/// Where to send, and as whom.
struct CredentialOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Gateway to send to: https://HOST[:PORT], or local for the one on this machine.", valueName: "url"))
    var gateway: String?

    @Option(help: ArgumentHelp("Apple's service to send to: sandbox (the default) or production."))
    var environment: String?

    @OptionGroup var signing: SigningOptions

    @Option(help: ArgumentHelp("Client certificate instead of a key, PEM or PKCS#12.", valueName: "path"))
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            "Key of the certificate, PEM; the certificate's own file when absent.", valueName: "path"))
    var certificateKey: String?

    @Option(help: ArgumentHelp("Authorities to believe instead of the system's, PEM.", valueName: "path"))
    var ca: String?

    /// The variables that stand in for options.
    static let environmentHelp = """
        ENVIRONMENT, where the option is absent: APNS_GATEWAY, APNS_KEY, APNS_KEY_ID, APNS_TEAM_ID, APNS_TOPIC, APNS_CA, \
        APNS_CERTIFICATE. A certificate's passphrase is taken from APNS_CERTIFICATE_PASSPHRASE only. With --gateway local \
        the development credentials of certs/dev go before these variables.
        """

    func validate() throws {
        if gateway != nil, environment != nil {
            throw ValidationError("--gateway and --environment both name a destination; give one of them.")
        }
        if let environment, !["sandbox", "production"].contains(environment) {
            throw ValidationError(
                "--environment must be sandbox or production, not \"\(PlainText.safe(environment))\".")
        }
        if signing.key != nil, certificate != nil {
            throw ValidationError("--key and --certificate are two ways to prove who you are; give one of them.")
        }
        if certificateKey != nil, certificate == nil, System.environment("APNS_CERTIFICATE") == nil {
            throw ValidationError("--certificate-key needs --certificate.")
        }
    }
}
