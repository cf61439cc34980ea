import APNSModel
import ArgumentParser
import GatewayConfiguration

/// What the command line and the environment say. An option wins over its variable, and a variable over the file.
struct GatewayArguments {
    private let options: GatewayCommand
    private let variables: GatewayCommand

    /// - Parameter note: Called with what somebody should know who set the options and variables.
    init(
        _ options: GatewayCommand, environment: [String: String], note: (String) -> Void
    ) throws(CommandError) {
        self.options = options
        let found: GatewayVariables
        do throws(GatewayVariables.Failure) {
            found = try GatewayVariables(
                environment,
                isForReplay: options.replay != nil || environment[GatewayArguments.replayVariable]?.isEmpty == false)
        } catch {
            throw CommandError(error.description, .badArguments)
        }
        for name in found.unknown { note("\(name) is set, but belongs to no option of apns gateway") }
        if options.listen.controlToken != nil {
            note(
                "other users of this machine can read the options of a command, and with them the control token; set "
                    + "APNS_GATEWAY_CONTROL_TOKEN instead, or give --control-token-file")
        }
        do {
            variables = try GatewayCommand.parse(found.arguments.flatMap(\.words))
        } catch {
            throw GatewayArguments.failure(found, error)
        }
        for path in [options.listen.controlTokenFile, variables.listen.controlTokenFile].compactMap(\.self) {
            if let warning = ControlTokenWarning.text(for: path) { note(warning) }
        }
    }

    private static let replayVariable = GatewaySetting.replay.variable ?? ""

    /// ArgumentParser's message names the option, so the variable is named before it.
    private static func failure(_ found: GatewayVariables, _ error: any Error) -> CommandError {
        let cause = found.arguments.first { argument in
            // A key and its team id need each other.
            guard argument.setting != .key, argument.setting != .teamID else { return false }
            return (try? GatewayCommand.parse(argument.words)) == nil
        }
        let name = cause?.setting.variable ?? "the variables APNS_GATEWAY_…"
        return CommandError("\(name): \(GatewayCommand.message(for: error))", .badArguments)
    }

    var config: String? { options.config ?? variables.config }
    var replay: String? { options.replay ?? variables.replay }
    var checksOnly: Bool { options.checkConfig || variables.checkConfig }
    var waits: Bool { options.wait || variables.wait }
    var waitTimeout: Duration { options.waitTimeout ?? variables.waitTimeout ?? GatewayWait.defaultTimeout }
    var logFormat: LogFormat? { options.logFormat ?? variables.logFormat }
    var isVerbose: Bool { options.verbose || variables.verbose }
    var printsJSON: Bool { options.json || variables.json }
    /// Replaces that of the file.
    var environment: APNSEnvironment? { options.world.environment ?? variables.world.environment }

    /// The settings that were given.
    var given: [GatewaySetting] { options.given + variables.given }

    /// The configuration of the file with variables and options applied.
    func configuration(over file: GatewayConfiguration) throws -> GatewayConfiguration {
        try options.configuration(over: variables.configuration(over: file))
    }
}
