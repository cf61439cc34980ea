import APNSModel
import ArgumentParser

/// The options that all subcommands of `apns channels` have.
struct ChannelOptions: ParsableArguments {
    @OptionGroup(title: "Destination and credentials") var credentials: CredentialOptions

    @Option(
        help: ArgumentHelp("The bundle id of the app; a suffix is left out.", valueName: "bundle"),
        transform: ArgumentReading.topic)
    var topic: Topic?

    @Option(
        help: ArgumentHelp("How long to wait for the answer to a request (default: 30).", valueName: "seconds"),
        transform: ArgumentReading.timeout)
    var timeout = Duration.seconds(30)

    @Flag(help: "Print one JSON object for each result.")
    var json = false
}

extension ArgumentReading {
    static func channelID(_ text: String) throws -> ChannelID {
        guard let id = ChannelID(text) else {
            throw ValidationError("it must be a channel id, which is base64, as apns channels list prints it")
        }
        return id
    }
}
