import APNSProvider
import ArgumentParser

/// `apns channels list`: the ids of an app's channels.
struct ChannelsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Prints the ids of all channels of the app, one a line.",
        discussion: """
            EXAMPLE: apns channels list --gateway local

            \(ChannelRun.exitStatusHelp)
            """)

    @OptionGroup var options: ChannelOptions

    func run() async throws {
        let run = try ChannelRun(options)
        let status = try await run.request { manager, app throws(ChannelError) in
            try await manager.list(of: app)
        } lines: { ids in
            ids.map { run.isJSON ? ChannelLine.json($0) : "\($0)" }
        }
        try await run.end(status)
    }
}
