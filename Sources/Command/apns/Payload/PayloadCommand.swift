import ArgumentParser

/// `apns payload`: payloads to begin with, in words, and from other services.
struct PayloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payload",
        abstract: "Makes, explains and converts payloads.",
        discussion: """
            EXAMPLE
              apns payload new --type liveactivity > update.json
              apns payload explain update.json --push-type liveactivity
              apns payload convert firebase.json --topic com.example.agent > push.ndjson

            To check payloads use: apns validate

            \(ExitStatus.help)
            """,
        subcommands: [PayloadNewCommand.self, PayloadExplainCommand.self, PayloadConvertCommand.self])
}
