import ArgumentParser

/// The options that name the destination and the credentials.
struct CredentialOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The gateway to send to: https://HOST[:PORT], or \(LocalGatewayName.help).", valueName: "url"
        ), completion: .gateways)
    var gateway: String?

    @Option(
        help: ArgumentHelp("The APNs environment to send to: sandbox (the default) or production."),
        completion: .environments)
    var environment: String?

    @OptionGroup var signing: SigningOptions

    @OptionGroup var profiles: ProfileOptions

    @Option(
        help: ArgumentHelp("A client certificate instead of a key, in PEM or PKCS#12.", valueName: "path"),
        completion: .file(extensions: ["pem", "p12"]))
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            "The key of the certificate, in PEM (default: the file of the certificate).", valueName: "path"),
        completion: .pem)
    var certificateKey: String?

    @Option(
        help: ArgumentHelp(
            "The authorities to verify the gateway with instead of those of the system, in PEM.", valueName: "path"),
        completion: .pem)
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "The HTTP proxy that opens the connections: http[s]://[USER:PASSWORD@]HOST[:PORT], or none (default: what "
                + "HTTPS_PROXY and NO_PROXY say).", valueName: "url"))
    var proxy: String?

    /// What `--help` says about environment variables.
    static let environmentHelp = """
        \(CredentialVariable.help(CredentialVariable.all)) The passphrase of a certificate is read from \
        \(CredentialVariable.passphraseName) only. \(ProfileOptions.nameVariable) and \(ProfileOptions.fileVariable) stand \
        for --profile and --profile-file. An option wins over a variable, and a variable over the profile, except over what \
        a profile with `gateway: local` says itself.

        GATEWAY LOCAL: `apns gateway` writes a private run file while it runs, by which --gateway local finds its address \
        and its development credentials from any folder; they win over variables and profile. Where several run it is the \
        newest, or local:PORT. Without a run file it is port \(LocalGateway.defaultPort) with the credentials in certs/dev \
        of this folder or of one above it, up to the first to which every user may write.

        PROXY: HTTPS_PROXY names a proxy, and NO_PROXY lists the hosts that are reached without it; a gateway on this machine is \
        reached through a proxy only with --proxy. A password is better in HTTPS_PROXY than in --proxy, which other users \
        of the machine can read.
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
