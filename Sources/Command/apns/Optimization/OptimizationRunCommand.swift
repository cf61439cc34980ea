import ArgumentParser
import Foundation
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

    enum Clock: String, ExpressibleByArgument, CaseIterable { case real, manual }

    static let defaultPort = 8447
    static let controlTokenVariable = "APNS_OPTIMIZATION_CONTROL_TOKEN"

    @Option(help: "The address to listen on. Any other than loopback needs a control token.")
    var host = "127.0.0.1"
    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = OptimizationRunCommand.defaultPort
    @Option(help: ArgumentHelp("Keys, entries and audiences in YAML (docs/optimization.md).", valueName: "file"))
    var config: String?
    @Option(
        help: ArgumentHelp(
            "real, or manual: the time stands still until the control API moves it (default: that of the store, else real)."
        ))
    var clock: Clock?
    @Option(help: "For ids, random numbers and faults, unless the file has a seed.")
    var seed: UInt64 = 1
    @Option(
        help: ArgumentHelp(
            "Keep profiles, events, counts, faults and the clock in this SQLite file; they survive a restart and SIGKILL.",
            valueName: "file.sqlite"))
    var store: String?
    @Option(
        name: .customLong("control-token"),
        help: "What clients of the control API must send as a bearer token.")
    var controlToken: String?
    @Flag(help: "Check the file and the options, and start nothing.")
    var check = false
    @Flag(help: "Print where the services are as one line of JSON.")
    var json = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
        _ = try ControlToken.read(controlToken, OptimizationRunCommand.controlTokenVariable)
    }

    func run() async throws {
        let configuration = try OptimizationFile.read(config, seed: seed)
        guard !check else { return Output.standard.note("The file and the options are valid.") }
        let run = ServiceRun()
        var options = OptimizationServer.Options()
        options.host = host
        options.port = port
        options.controlToken = try ControlToken.read(controlToken, OptimizationRunCommand.controlTokenVariable)
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let server: OptimizationServer
        let file: SQLiteServiceStore?
        do {
            file = try store.map { try SQLiteServiceStore(path: $0, of: .optimization) }
            options.store = file
            server = try await OptimizationServer.start(try world(configuration, file, now: now), options)
        } catch let error as ServicePort.StartError {
            throw CommandError(error.description)
        } catch let error as ServiceStoreError {
            throw CommandError(error.description)
        }
        defer { file?.close() }
        OptimizationReadyMessage(url: server.url, configuration: configuration, isJSON: json).show()
        let failure = await run.wait(for: server)
        let (profiles, events) = server.read { ($0.service.profiles.count, $0.service.events.entries.count) }
        Output.standard.note("The optimization services stopped; they kept \(profiles) profiles and \(events) events.")
        if let failure { throw CommandError("the port failed: \(failure); start the services again") }
    }

    private func world(
        _ configuration: OptimizationConfiguration, _ file: SQLiteServiceStore?, now: Int64
    ) throws -> OptimizationWorld {
        let isManual = clock.map { $0 == .manual }
        guard let file else {
            return OptimizationWorld(configuration, clock: isManual == true ? .manual(at: now) : ServiceClock())
        }
        return try OptimizationWorld.opened(configuration, isManual: isManual, from: file, real: now)
    }
}
