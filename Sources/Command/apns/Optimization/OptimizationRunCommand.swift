import ArgumentParser
import OptimizationSimulator
import ServiceHost
import ServiceSQLite

/// `apns optimization run`: runs the simulated optimization services until they are stopped.
struct OptimizationRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the services until they are stopped; the subcommand that runs where none is named.",
        discussion: """
            Without --config there are a hero entry with an experience, a flag for gold members and two audiences. The page at \
            the address shows profiles with their audiences and why, experiences with the share that each variant really \
            got, and events.

            EXAMPLE
              apns optimization --port 8447
              curl -H 'Content-Type: text/plain' \\
                http://127.0.0.1:8447/v2/organizations/ID/environments/master/profiles \\
                -d '{"events":[{"type":"identify","userId":"u-1",
                     "traits":{"plan":"gold"}}]}'

            ENVIRONMENT: \(controlTokenVariable) is the default of --control-token.

            EXIT STATUS: 0 stopped in order; 2 it could not start, and the message says why; 64 bad arguments.
            """)

    static let defaultPort = 8447
    static let controlTokenVariable = "APNS_OPTIMIZATION_CONTROL_TOKEN"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = OptimizationRunCommand.defaultPort
    @Option(help: ArgumentHelp("Keys, entries and audiences in YAML (docs/optimization.md).", valueName: "file"))
    var config: String?
    @Option(help: "For ids, random numbers and faults, unless the file has a seed.")
    var seed: UInt64 = 1
    @OptionGroup var service: ServiceOptions

    func validate() throws {
        try service.validate(port: port, tokenVariable: OptimizationRunCommand.controlTokenVariable)
    }

    func run() async throws {
        let configuration = try OptimizationFile.read(config, seed: seed)
        try service.checkStart(tokenVariable: OptimizationRunCommand.controlTokenVariable)
        guard !service.check else { return Output.standard.note("The file and the options are valid.") }
        try await service.run(.optimization, port: port, tokenVariable: OptimizationRunCommand.controlTokenVariable) {
            (file, now) in
            guard let file else {
                return OptimizationWorld(
                    configuration, clock: service.isManual == true ? .manual(at: now) : ServiceClock())
            }
            return try OptimizationWorld.opened(configuration, isManual: service.isManual, from: file, real: now)
        } ready: { server in
            OptimizationReadyMessage(url: server.url, configuration: configuration, isJSON: service.json).show()
        } summary: { world in
            "The optimization services stopped; they kept \(world.service.profiles.count) profiles and "
                + "\(world.service.events.entries.count) events."
        }
    }
}
