import ArgumentParser

/// The key that provider tokens are signed with.
struct SigningOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Signing key, a .p8 file.", valueName: "path"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Id of the key, 10 characters; read from a file name AuthKey_KEYID.p8 when absent.", valueName: "id"))
    var keyID: String?

    @Option(help: ArgumentHelp("Team of the key, 10 characters.", valueName: "id"))
    var teamID: String?
}
