import ArgumentParser

/// The key that provider tokens are signed with.
struct SigningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The signing key, a .p8 file.", valueName: "path"), completion: .file(extensions: ["p8"]))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "The id of the key, 10 characters (default: read from a file name AuthKey_KEYID.p8).", valueName: "id"))
    var keyID: String?

    @Option(help: ArgumentHelp("The team of the key, 10 characters.", valueName: "id"))
    var teamID: String?
}
