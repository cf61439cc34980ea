import APNSModel
import APNSProvider
import ArgumentParser

/// `apns channels delete`: deletes channels.
struct ChannelsDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes channels, which cannot be undone.",
        discussion: """
            EXAMPLE: apns channels delete --gateway local dHN0LXNyY2gtY2hubA==

            Later broadcasts to a deleted channel are refused. A message that it stored may still reach devices.

            \(ChannelRun.exitStatusHelp)
            """)

    @OptionGroup var options: ChannelOptions

    @Argument(help: ArgumentHelp("The ids of the channels.", valueName: "id"), transform: ArgumentReading.channelID)
    var ids: [ChannelID]

    func run() async throws {
        let run = try ChannelRun(options)
        var status = ExitStatus.done
        for id in ids {
            let one = try await run.request(about: id) { manager, app throws(ChannelError) in
                try await manager.delete(id, of: app)
            } lines: { _ in
                [run.isJSON ? ChannelLine.json(id) : "\(run.output.results.good("✓")) \(id) deleted"]
            }
            if one != .done { status = one }
        }
        try await run.end(status)
    }
}
