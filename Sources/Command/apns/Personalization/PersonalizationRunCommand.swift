import ArgumentParser
import Foundation
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

    enum Clock: String, ExpressibleByArgument, CaseIterable { case real, manual }

    @Option(help: "The address to listen on. Any other than loopback needs a control token.")
    var host = "127.0.0.1"
    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = PersonalizationCommand.defaultPort
    @Option(help: ArgumentHelp("Points, items and people in YAML (docs/personalization.md).", valueName: "file"))
    var config: String?
    @Option(
        help: ArgumentHelp(
            "real, or manual: the time stands still until the control API moves it (default: that of the store, else real)."
        ))
    var clock: Clock?
    @Option(help: "For ids, experiments and faults, unless the file has a seed.")
    var seed: UInt64 = 1
    @Option(
        help: ArgumentHelp(
            "Keep people, decisions, events, faults and the clock in this SQLite file; they survive a restart and SIGKILL.",
            valueName: "file.sqlite"))
    var store: String?
    @Option(
        name: .customLong("control-token"),
        help: "What clients of the control API must send as a bearer token.")
    var controlToken: String?
    @Flag(help: "Check the file and the options, and start nothing.")
    var check = false
    @Flag(help: "Print where the service is as one line of JSON.")
    var json = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
        _ = try ControlToken.read(controlToken, PersonalizationCommand.controlTokenVariable)
    }

    func run() async throws {
        let configuration = try PersonalizationFile.read(config, seed: seed)
        guard !check else { return Output.standard.note("The file and the options are valid.") }
        let run = ServiceRun()
        var options = ServiceServer.Options()
        options.host = host
        options.port = port
        options.controlToken = try ControlToken.read(controlToken, PersonalizationCommand.controlTokenVariable)
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let server: ServiceServer
        let file: SQLiteServiceStore?
        do {
            file = try store.map { try SQLiteServiceStore(path: $0, of: .decisions) }
            options.store = file
            server = try await ServiceServer.start(try world(configuration, file, now: now), options)
        } catch let error as ServicePort.StartError {
            throw CommandError(error.description)
        } catch let error as ServiceStoreError {
            throw CommandError(error.description)
        }
        defer { file?.close() }
        PersonalizationReadyMessage(url: server.url, configuration: configuration, isJSON: json).show()
        let failure = await run.wait(for: server)
        let (decisions, events) = server.read { ($0.service.decisions, $0.service.events) }
        Output.standard.note(
            "The decision service stopped; it kept \(decisions.records.count) decisions and \(events.entries.count) "
                + "events.")
        if let failure { throw CommandError("the port failed: \(failure); start the service again") }
    }

    private func world(
        _ configuration: ServiceConfiguration, _ file: SQLiteServiceStore?, now: Int64
    ) throws -> ServiceWorld {
        let isManual = clock.map { $0 == .manual }
        guard let file else {
            return ServiceWorld(configuration, clock: isManual == true ? .manual(at: now) : ServiceClock())
        }
        return try ServiceWorld.opened(configuration, isManual: isManual, from: file, real: now)
    }
}
