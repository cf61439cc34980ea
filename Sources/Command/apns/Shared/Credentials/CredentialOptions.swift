import ArgumentParser

/// The options that name the destination and the credentials.
struct CredentialOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The gateway to send to: https://HOST[:PORT], or local for the simulator on this machine.", valueName: "url"
        ))
    var gateway: String?

    @Option(help: ArgumentHelp("The APNs environment to send to: sandbox (the default) or production."))
    var environment: String?

    @OptionGroup var signing: SigningOptions

    @Option(help: ArgumentHelp("A client certificate instead of a key, in PEM or PKCS#12.", valueName: "path"))
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            "The key of the certificate, in PEM (default: the file of the certificate).", valueName: "path"))
    var certificateKey: String?

    @Option(
        help: ArgumentHelp(
            "The authorities to verify the gateway with instead of those of the system, in PEM.", valueName: "path"))
    var ca: String?

    /// What `--help` says about environment variables.
    static let environmentHelp = """
        \(CredentialVariable.help(CredentialVariable.all)) The passphrase of a certificate is read from \
        \(CredentialVariable.passphraseName) only. With --gateway local the development credentials in certs/dev win over \
        these variables.
        """

    func validate() throws {
        if gateway != nil, environment != nil {
            throw ValidationError("--gateway and --environment both name the destination; give one of them.")
        }
        if let environment, !["sandbox", "production"].contains(environment) {
            throw ValidationError(
                "--environment must be sandbox or production, not \"\(PlainText.safe(environment))\".")
        }
        if signing.key != nil, certificate != nil {
            throw ValidationError("--key and --certificate are both credentials; give one of them.")
        }
        if certificateKey != nil, certificate == nil, CredentialVariable.certificate.value == nil {
            throw ValidationError("--certificate-key needs --certificate.")
        }
    }
}
