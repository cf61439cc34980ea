import ArgumentParser
import Foundation
import ServiceHost
import ServiceSQLite
import SystemFiles

/// The options of a simulated service that has a clock and keeps its state.
struct ServiceOptions: ParsableArguments {
    enum Clock: String, ExpressibleByArgument, CaseIterable { case real, manual }

    @Option(help: "The address to listen on. Any other than loopback needs a control token.")
    var host = "127.0.0.1"
    @Option(
        help: ArgumentHelp(
            "real, or manual: the time stands still until the control API moves it (default: that of the store, else real)."
        ))
    var clock: Clock?
    @Option(
        help: ArgumentHelp(
            "Keep the state, faults and the clock in this SQLite file; they survive a restart and SIGKILL.",
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

    /// Nil if the store decides.
    var isManual: Bool? { clock.map { $0 == .manual } }

    func validate(port: Int, tokenVariable: String) throws {
        guard (0...65_535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
        guard store != "" else {
            throw ValidationError("--store is empty; name a file, or leave the option out to keep nothing")
        }
        _ = try ControlToken.read(controlToken, tokenVariable)
    }

    /// Throws for what a start would refuse, as far as that shows before it. Changes nothing.
    func checkStart(tokenVariable: String) throws {
        try ControlToken.check(try ControlToken.read(controlToken, tokenVariable), host: host, tokenVariable)
        guard let store else { return }
        do throws(DatabaseFile.Failure) {
            try DatabaseFile.check(store)
        } catch {
            throw CommandError(error.description)
        }
    }

    /// Runs a service until it is stopped.
    ///
    /// - Parameters:
    ///   - world: Makes the state. It gets the open store, if there is one, and the machine's time in milliseconds since 1970.
    ///   - ready: Says where the service is.
    ///   - summary: Says what the service kept.
    func run<World: SimulatedWorld>(
        _ kind: SQLiteServiceStore.Kind, port: Int, tokenVariable: String,
        world: (SQLiteServiceStore?, Int64) throws -> World,
        ready: (WorldServer<World>) -> Void, summary: (World) -> String
    ) async throws {
        let run = ServiceRun()
        var options = WorldServer<World>.Options()
        options.host = host
        options.port = port
        options.controlToken = try ControlToken.read(controlToken, tokenVariable)
        let server: WorldServer<World>
        let file: SQLiteServiceStore?
        do {
            file = try store.map { try SQLiteServiceStore(path: $0, of: kind) }
            options.store = file
            let now = Int64(Date().timeIntervalSince1970 * 1_000)
            server = try await WorldServer.start(try world(file, now), options)
        } catch let error as ServicePort.StartError {
            throw CommandError(error.description)
        } catch let error as ServiceStoreError {
            throw CommandError(error.description)
        }
        defer { file?.close() }
        ready(server)
        let failure = await run.wait(for: server)
        Output.standard.note(server.read(summary))
        if let failure { throw CommandError("the port failed: \(failure); start the command again") }
    }
}
