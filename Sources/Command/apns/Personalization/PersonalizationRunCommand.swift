import ArgumentParser
import PersonalizationSimulator
import ServiceHost
import ServiceSQLite

/// `apns personalization run`: runs the simulated decision service until it is stopped.
struct PersonalizationRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a simulated decision service: decisions, events and identity on one port.",
        discussion: """
            Without --config the service has a hero, recommendations, a landing point and three products. The page at the \
            address shows decisions with what became of them, people and events.

            EXAMPLE
              apns personalization
              curl -H 'Content-Type: application/json' \\
                http://127.0.0.1:8446/personalization/decisions -d '{"context":
                {"individualId":"d-1"},"personalizationPoints":[{"name":"home_hero"}]}'

            ENVIRONMENT: \(PersonalizationCommand.controlTokenVariable) is the default of --control-token.

            EXIT STATUS: 0 stopped in order; 2 it could not start, and the message says why; 64 bad arguments.
            """)

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = PersonalizationCommand.defaultPort
    @Option(help: ArgumentHelp("Points, items and people in YAML (docs/personalization.md).", valueName: "file"))
    var config: String?
    @Option(help: "For ids, experiments and faults, unless the file has a seed.")
    var seed: UInt64 = 1
    @OptionGroup var service: ServiceOptions

    func validate() throws {
        try service.validate(port: port, tokenVariable: PersonalizationCommand.controlTokenVariable)
    }

    func run() async throws {
        let configuration = try PersonalizationFile.read(config, seed: seed)
        try service.checkStart(tokenVariable: PersonalizationCommand.controlTokenVariable)
        guard !service.check else { return Output.standard.note("The file and the options are valid.") }
        try await service.run(.decisions, port: port, tokenVariable: PersonalizationCommand.controlTokenVariable) {
            (file, now) in
            guard let file else {
                return ServiceWorld(configuration, clock: service.isManual == true ? .manual(at: now) : ServiceClock())
            }
            return try ServiceWorld.opened(configuration, isManual: service.isManual, from: file, real: now)
        } ready: { server in
            PersonalizationReadyMessage(url: server.url, configuration: configuration, isJSON: service.json).show()
        } summary: { world in
            "The decision service stopped; it kept \(world.service.decisions.records.count) decisions and "
                + "\(world.service.events.entries.count) events."
        }
    }
}
