import ArgumentParser

/// The simulated CRM back end: runs it, and looks into one that runs.
struct OrgCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "org",
        abstract: "Runs the simulated CRM back end: records, triggers, device registry, REST.",
        discussion: """
            A record that changes fires its object's trigger, which pushes to the devices of a user through the gateway; \
            the devices fetch the record over REST.

            EXAMPLES:
              apns gateway                                    # in one terminal
              apns org --gateway local                        # in another
              APNS_ORG_TOKEN=$(apns org login ada@example.com) \\
                apns device --org http://127.0.0.1:8446       # in a third
              apns org edit Account --all Type=Customer       # in a fourth
              apns org log

            `apns org run --help` lists the options of the first.

            The REST interface takes the access token that `apns org login` gives. Faults, clock, limits and rights are \
            set over the control API under /simulator on the same port; docs/org.md has all of it, and the document of \
            --org.

            \(ExitStatus.help)
            """,
        subcommands: [
            OrgRunCommand.self, OrgLoginCommand.self, OrgEditCommand.self, OrgCreateCommand.self, OrgDeleteCommand.self,
            OrgRecordsCommand.self,
            OrgLogCommand.self, OrgCallCommand.self,
        ],
        defaultSubcommand: OrgRunCommand.self)
}
