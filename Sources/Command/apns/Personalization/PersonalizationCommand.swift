import ArgumentParser

/// `apns personalization`: runs the simulated decision service, and plays an app against it.
struct PersonalizationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "personalization",
        abstract: "Runs a simulated decision service, and plays an app against it.",
        discussion: """
            EXAMPLES:
              apns personalization
              apns personalization --config points.yaml --store people.sqlite
              apns personalization play script.ndjson --url http://127.0.0.1:8446

            `apns personalization` without a subcommand is `apns personalization run` and takes --host, --port, --config, \
            --clock, --seed, --store, --control-token, --check, --json as `apns personalization run --help` explains them. \
            docs/personalization.md describes the service, the file of --config and the steps of a script.

            \(ExitStatus.help)
            """,
        subcommands: [PersonalizationRunCommand.self, PersonalizationPlayCommand.self],
        defaultSubcommand: PersonalizationRunCommand.self)

    static let defaultPort = 8446
    static let controlTokenVariable = "APNS_PERSONALIZATION_CONTROL_TOKEN"
}
