import APNSProvider
import ArgumentParser

/// `apns channels create`: creates a channel and prints its id.
struct ChannelsCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates a channel and prints its id.",
        discussion: """
            EXAMPLE: channel=$(apns channels create --gateway local --storage most-recent)

            What a channel stores cannot be changed afterwards. An app has at most 10,000 channels in each environment.

            \(ChannelRun.exitStatusHelp)
            """)

    enum Storage: String, CaseIterable, ExpressibleByArgument {
        case nothing
        case mostRecent = "most-recent"

        var value: APNSChannel.Storage { self == .nothing ? .nothing : .mostRecentMessage }
    }

    @OptionGroup var options: ChannelOptions

    @Option(
        help: ArgumentHelp(
            "What it stores for devices that are not connected: nothing (the default), or the most-recent message.",
            valueName: "what"))
    var storage = Storage.nothing

    func run() async throws {
        let run = try ChannelRun(options)
        let storage = storage.value
        let status = try await run.request { manager, app throws(ChannelError) in
            try await manager.create(for: app, storing: storage)
        } lines: { id in
            [run.isJSON ? ChannelLine.json(APNSChannel(id: id, storage: storage, pushType: "LiveActivity")) : "\(id)"]
        }
        try await run.end(status)
    }
}
