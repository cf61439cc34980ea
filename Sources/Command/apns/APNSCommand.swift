import ArgumentParser
import ProviderToken

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
            ChannelsCommand.self,
            ValidateCommand.self,
            RulesCommand.self,
            PayloadCommand.self,
            GatewayCommand.self,
            WorldCommand.self,
            DeviceCommand.self,
            OrgCommand.self,
            PersonalizationCommand.self,
            OptimizationCommand.self,
            TokenCommand.self,
            CredentialsCommand.self,
            DoctorCommand.self,
            DemoCommand.self,
            BenchCommand.self,
            WorkerCommand.self,
            SimulateCommand.self,
            CompletionsCommand.self,
        ])

    static func main() async {
        System.ignoreBrokenPipes()
        do {
            if CommandLine.arguments.dropFirst().first == "help", let problem = unknownArgument { throw problem }
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try Output.standard.finish()
        } catch let error as CommandError {
            Output.standard.flush()
            Output.standard.note("Error: \(ShellText.pasteable(error.message))")
            System.exit(error.status)
        } catch {
            Output.standard.flush()
            // A misspelt option causes other errors, such as a missing value, so it is named first. ArgumentParser's message
            // may show any argument.
            if exitCode(for: error) == .validationFailure, let problem = keyArgument ?? unknownArgument {
                Output.standard.note("Error: \(problem.message)")
                System.exit(problem.status)
            }
            exit(withError: error)
        }
    }

    /// The error about a key in place of its path; nil where no argument has one.
    private static var keyArgument: CommandError? {
        guard CommandLine.arguments.dropFirst().contains(where: { KeyMaterial.isIn($0) }) else { return nil }
        return CommandError(
            "an argument is the text of a key or certificate; store it in a file with mode 0600 and give its path",
            .badArguments)
    }

    /// The error about the first option or subcommand that does not exist; nil where all exist.
    private static var unknownArgument: CommandError? {
        let arguments = CommandLine.arguments.dropFirst()
        guard !hasKnownNames(arguments), let outline = CommandOutline(dump: Array(_dumpHelp().utf8)),
            let unknown = UnknownArgument(in: arguments, of: outline)
        else { return nil }
        return CommandError(unknown.message(outline), .badArguments)
    }

    /// Whether a subcommand has all options that stand behind its name. Describing all subcommands, for the message, takes longer.
    private static func hasKnownNames(_ arguments: ArraySlice<String>) -> Bool {
        // `help` as a word has a meaning only behind the name of the command.
        guard !arguments.contains("help"), let name = arguments.first,
            let command = configuration.subcommands.first(where: { $0._commandName == name }),
            let outline = CommandOutline(dump: Array(command._dumpHelp().utf8))
        else { return false }
        return UnknownArgument(in: arguments.dropFirst(), of: outline) == nil
    }
}
