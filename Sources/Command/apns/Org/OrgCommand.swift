import ArgumentParser

/// `apns org`: runs the simulated CRM back end, and controls a running one.
struct OrgCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "org",
        abstract: "Runs the simulated CRM back end: records, triggers, device registry, REST.",
        discussion: """
            When a record changes, the trigger of its object pushes to the devices of a user through the gateway. The \
            devices fetch the record over REST.

            EXAMPLES:
              apns gateway                                    # in one terminal
              apns org --gateway local                        # in another
              APNS_ORG_TOKEN=$(apns org login ada@example.com) \\
                apns device --org http://127.0.0.1:8446       # in a third
              apns org edit Account --all Type=Customer       # in a fourth
              apns org log
              apns org explain

            `apns org` without a subcommand is `apns org run`; `apns org run --help` lists its options.

            The REST interface accepts the access token that `apns org login` prints. Faults, clock, limits and rights are \
            set over the control API under /simulator on the same port. docs/org.md describes it, and the file of --org.

            \(ExitStatus.help)
            """,
        subcommands: [
            OrgRunCommand.self, OrgLoginCommand.self, OrgEditCommand.self, OrgCreateCommand.self, OrgDeleteCommand.self,
            OrgRecordsCommand.self,
            OrgLogCommand.self, OrgExplainCommand.self, OrgCallCommand.self,
        ],
        defaultSubcommand: OrgRunCommand.self)
}
