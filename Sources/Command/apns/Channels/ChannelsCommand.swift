import ArgumentParser

/// `apns channels`: the broadcast channels of an app.
struct ChannelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channels",
        abstract: "Creates, reads, lists and deletes the broadcast channels of an app.",
        discussion: """
            EXAMPLE
              apns channels create --gateway local --storage most-recent
              apns channels list --environment production --topic com.example.app
              apns send --gateway local --channel ID --payload update.json

            A channel belongs to one app and one environment. With --environment the requests go to the host and port of \
            Apple's that manage channels; with --gateway to the gateway itself, because a gateway simulator does both.

            \(ChannelRun.exitStatusHelp)
            """,
        subcommands: [
            ChannelsCreateCommand.self, ChannelsReadCommand.self, ChannelsListCommand.self, ChannelsDeleteCommand.self,
        ])
}
