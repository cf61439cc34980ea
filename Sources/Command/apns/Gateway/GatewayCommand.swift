import APNSModel
import ArgumentParser
import Foundation
import GatewayConfiguration
import GatewayCore
import GatewayJSON
import GatewayServer
import SystemFiles

/// `apns gateway`: runs the gateway simulator.
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Runs the gateway simulator: APNs for tests, on this machine.",
        discussion: """
            It needs no configuration: it makes development credentials in certs/dev when there are none, and registers \
            unknown device tokens on first use.

            EXAMPLE
              apns gateway
              apns send --gateway local --token ab12 --alert 'Hello'
              apns gateway --config gateway.yaml --port 0

            CONFIGURATION FILE
            \(GatewaySetting.helpOfKeys) docs/configuration.md describes all of them. An \
            example:
              port: 8443
              devices: strict
              apps: [{topic: com.example.mail, team-id: ABCDE12345}]
              registered-devices: [{topic: com.example.mail, token: ab12}]
              contested: {malformed-json: refuse}
              faults: [{effect: {delay: 40ms}}]

            ENVIRONMENT
              Each option has a variable, which counts when the option is absent: APNS_GATEWAY_ and the name of the option in \
            capitals, with _ for -, such as APNS_GATEWAY_CONTROL_TOKEN. For an option without a value it is true, yes \
            or 1, or false, no or 0, and a list with commas for one that may be repeated. An empty one counts as absent. A \
            variable wins over the file.

            CONTAINERS
              --name puts host names into the server certificate, so that senders in other containers can verify it. --wait \
            is the health check. GET /ready of the control port says whether the gateway can answer. docs/containers.md has \
            examples.

            FAULTS
              A fault rule is an object such as {"match":{"push-type":"background"},"effect":{"delay":"200ms"}}. POST \
            /api/faults takes one, --faults a file of them. Effects: \(FaultEffect.keys.joined(separator: ", ")). \
            docs/faults.md describes each.

            RUN FILE
              While it runs, a private file in $XDG_RUNTIME_DIR/apns-toolkit, or else in ~/.local/state/apns-toolkit/run, \
            has its addresses, its CA and the path of its key, so that --gateway local of the other commands finds it from \
            any folder, and apns device its control API. With several gateways that is the newest; local:PORT is the one \
            with this port for senders.

            STORE AND RECORD
              --store keeps all state in a SQLite file, which survives a kill -9. --record appends every notification and \
            its verdict to a file of envelopes. Use that file with --replay, apns send --batch or apns validate. \
            docs/store.md describes what each keeps.

            EXIT STATUS: 0 stopped in order, a replay without differences, or with --wait ready; 1 a replay with differences, \
            or with --wait not ready in time; 2 it could not start, or the record could not be read, and the message says why; \
            64 bad arguments.
            """)

    @Option(.config) var config: String?
    @Flag(.checkConfig) var checkConfig = false
    @Option(.replay) var replay: String?
    @Flag(.wait) var wait = false
    @Option(.waitTimeout, transform: { .milliseconds(try ArgumentReading.milliseconds($0, from: 0)) })
    var waitTimeout: Duration?
    @Flag(.verbose) var verbose = false
    @Option(.logFormat, transform: ArgumentReading.choice) var logFormat: LogFormat?
    @Flag(.json) var json = false
    @Option(.grace, transform: ArgumentReading.grace) var grace: Duration?

    @OptionGroup(title: "Addresses") var listen: GatewayListenOptions
    @OptionGroup(title: "Accepted keys") var keys: GatewayKeyOptions
    @OptionGroup(title: "Simulation") var world: GatewayWorldOptions
    @OptionGroup(title: "Journal, store and record") var storage: GatewayStorageOptions
    @OptionGroup(title: "Webhooks") var webhooks: GatewayWebhookOptions

    private var groups: [any GatewayOptionGroup] { [listen, keys, world, storage, webhooks] }

    /// The settings that were given on the command line.
    var given: [GatewaySetting] {
        let own: [(setting: GatewaySetting, isGiven: Bool)] = [
            (.config, config != nil), (.checkConfig, checkConfig), (.replay, replay != nil), (.wait, wait),
            (.waitTimeout, waitTimeout != nil), (.verbose, verbose), (.logFormat, logFormat != nil), (.json, json),
            (.grace, grace != nil),
        ]
        return own.filter(\.isGiven).map(\.setting) + groups.flatMap(\.given)
    }

    /// The configuration of the file with the options applied.
    func configuration(over file: GatewayConfiguration) throws -> GatewayConfiguration {
        var configuration = file
        if let logFormat { configuration.logFormat = logFormat }
        if let grace { configuration.grace = grace }
        for group in groups { try group.apply(to: &configuration) }
        return configuration
    }

    func validate() throws {
        let refused = given.filter { !$0.isForReplay }.map(\.flag)
        guard replay == nil || refused.isEmpty else {
            throw ValidationError(
                "--replay judges a record and starts nothing, so it does not take \(refused.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        var log = GatewayLog(format: logFormat ?? GatewayLog.format(in: environment))
        do {
            try await run(environment, &log)
            try Output.standard.finish()
        } catch let error as CommandError {
            // With a log of JSON, stderr has nothing else.
            guard log.format == .json else { throw error }
            Output.standard.flush()
            log.error(ShellText.pasteable(error.message))
            try error.status.end()
        }
    }

    private func run(_ environment: [String: String], _ log: inout GatewayLog) async throws {
        var warnings: [String] = []
        let arguments = try GatewayArguments(self, environment: environment) { warnings.append($0) }
        let file = try arguments.config.map {
            try GatewayConfigurationFile(path: $0, environment: arguments.environment)
        }
        if log.format == .text, let file { log.format = arguments.logFormat ?? file.configuration.logFormat }
        for warning in warnings + (file?.warnings ?? []) { log.warning(warning) }
        try file?.check()
        let configuration = try arguments.configuration(over: file?.configuration ?? GatewayConfiguration())
        let json = arguments.printsJSON || file?.printsJSON ?? false
        if let replay = arguments.replay { return try self.replay(replay, configuration, isJSON: json) }
        guard !arguments.waits else { return try await wait(for: configuration, upTo: arguments.waitTimeout, log) }
        guard !arguments.checksOnly else {
            do throws(GatewayError) {
                try configuration.check()
            } catch {
                throw commandError(error, file, arguments.given)
            }
            return log.note("The configuration is valid.")
        }
        OpenFiles.allowMost()
        // Signals are handled before the ready message, because its reader may stop the gateway at once.
        let stop = AsyncStream.makeStream(of: Void.self)
        let signals = Signals { _ in stop.continuation.finish() }
        let gateway: RunningGateway
        do throws(GatewayError) {
            gateway = try await GatewayServer(configuration).start()
        } catch {
            throw commandError(error, file, arguments.given)
        }
        let runFile = writeRunFile(of: gateway, log)
        defer { runFile?.remove() }
        let ready = GatewayReadyMessage(gateway: gateway, hasRunFile: runFile != nil)
        Output.standard.result(json ? gateway.readyLine : ready.text)
        Output.standard.flush()
        // Only this message says which ports were taken.
        if Output.standard.isFull { stop.continuation.finish() }
        // A gateway often waits for hours, and code that only its start needs is more than half of its resident memory.
        ProgramCode.release()
        let failure = await wait(
            gateway, stop.stream, log, showsVerdicts: arguments.isVerbose || file?.isVerbose ?? false)
        withExtendedLifetime(signals) {}
        let count = gateway.read { $0.journalCount }
        log.note(
            "The gateway stopped; its journal held \(count) \(count == 1 ? "notification" : "notifications").")
        if let failure { throw CommandError("the control port failed: \(failure); start the gateway again") }
    }

    /// - Returns: Nil, with a warning, where no folder can be used; then only `--gateway local` does not find the gateway.
    private func writeRunFile(of gateway: RunningGateway, _ log: GatewayLog) -> GatewayRunFile? {
        guard let run = GatewayRun(gateway, currentFolder: System.currentFolder) else { return nil }
        do throws(CommandError) {
            return try GatewayRunFile(run, folders: RunFolders.all)
        } catch {
            log.warning(
                "no run file can be written, so --gateway local finds this gateway only beside its credentials: "
                    + error.message)
            return nil
        }
    }

    /// Waits until the stream ends or the gateway fails, and shuts the gateway down.
    ///
    /// - Returns: Why the gateway failed; nil where it was stopped.
    private func wait(
        _ gateway: RunningGateway, _ stop: AsyncStream<Void>, _ log: GatewayLog, showsVerdicts: Bool
    ) async -> (any Error)? {
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in stop {} }
            group.addTask { try await gateway.wait() }
            let shown =
                showsVerdicts ? Task { for await line in gateway.verdicts() { log.note(line) } } : nil
            let ending = await group.nextResult()
            shown?.cancel()
            await gateway.shutdown()
            group.cancelAll()
            guard case .failure(let error) = ending else { return nil }
            return error
        }
    }

    private func wait(
        for configuration: GatewayConfiguration, upTo timeout: Duration, _ log: GatewayLog
    ) async throws {
        guard configuration.controlPort != 0 else {
            throw CommandError(
                "--wait needs the control port of the gateway; give it with --control-port", .badArguments)
        }
        let reason = await GatewayWait.wait(upTo: timeout, ContinuousClock()) {
            await GatewayWait.ask(configuration, within: $0)
        }
        if let reason { log.note("not ready: \(reason)") }
        try (reason == nil ? ExitStatus.done : .no).end()
    }

    private func replay(_ path: String, _ configuration: GatewayConfiguration, isJSON: Bool) throws {
        let status = try ReplayRun(path: path, isJSON: isJSON, output: .standard).run(configuration)
        try Output.standard.finish()
        try status.end()
    }

    private func commandError(
        _ error: GatewayError, _ file: GatewayConfigurationFile?, _ given: [GatewaySetting]
    ) -> CommandError {
        file?.commandError(error, given: given) ?? CommandError(error.detail)
    }
}
