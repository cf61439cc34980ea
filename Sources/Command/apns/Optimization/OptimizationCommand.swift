import ArgumentParser

/// `apns optimization`: runs the simulated optimization services, and checks and explains experiences.
struct OptimizationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "optimization",
        abstract: "Runs simulated optimization services: profiles, analytics and entries on one port.",
        discussion: """
            EXAMPLES:
              apns optimization
              apns optimization --config optimization.yaml --store optimization.sqlite
              apns optimization resolve --entry hero.json --selections selections.json
              apns optimization allocate --experience exp-1 --profile profile-1
              apns optimization check entries/
              apns optimization play script.ndjson --url http://127.0.0.1:8447

            `apns optimization` without a subcommand is `apns optimization run` and takes --host, --port, --config, --clock, \
            --seed, --store, --control-token, --check, --json as `apns optimization run --help` explains them. \
            docs/optimization.md describes the services and the file of --config.

            \(ExitStatus.help)
            """,
        subcommands: [
            OptimizationRunCommand.self, OptimizationResolveCommand.self, OptimizationAllocateCommand.self,
            OptimizationCheckCommand.self, OptimizationPlayCommand.self,
        ],
        defaultSubcommand: OptimizationRunCommand.self)
}
