import APNSModel
import APNSProvider
import ArgumentParser

/// `apns channels read`: what a channel stores.
struct ChannelsReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Prints what a channel stores.",
        discussion: """
            EXAMPLE: apns channels read --gateway local dHN0LXNyY2gtY2hubA==

            \(ChannelRun.exitStatusHelp)
            """)

    @OptionGroup var options: ChannelOptions

    @Argument(help: ArgumentHelp("The id of the channel.", valueName: "id"), transform: ArgumentReading.channelID)
    var id: ChannelID

    func run() async throws {
        let run = try ChannelRun(options)
        let id = id
        let status = try await run.request(about: id) { manager, app throws(ChannelError) in
            try await manager.read(id, of: app)
        } lines: { channel in
            [run.isJSON ? ChannelLine.json(channel) : ChannelLine.text(channel)]
        }
        try await run.end(status)
    }
}
