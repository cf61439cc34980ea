import ArgumentParser

/// The command `apns`. Every subcommand has a folder of its own and an entry here.
@main
struct APNSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "Sends, checks and receives push notifications, with a gateway simulator for tests.",
        discussion: """
            Results go to stdout, everything else to stderr. `apns help SUBCOMMAND` shows an example of a subcommand.

            \(ExitStatus.help)
            """,
        version: "0.1.0",
        subcommands: [
            SendCommand.self,
            ValidateCommand.self,
            RulesCommand.self,
            GatewayCommand.self,
            DeviceCommand.self,
            OrgCommand.self,
            TokenCommand.self,
            CredentialsCommand.self,
            DemoCommand.self,
            BenchCommand.self,
            SimulateCommand.self,
        ])

    static func main() async {
        System.ignoreBrokenPipes()
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try Output.standard.finish()
        } catch let error as CommandError {
            Output.standard.flush()
            Output.standard.note("Error: \(error.message)")
            System.exit(error.status)
        } catch {
            Output.standard.flush()
            exit(withError: error)
        }
    }
}
