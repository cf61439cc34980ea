import APNSModel
import ArgumentParser
import Foundation
import GatewayCore
import GatewayServer
import ProviderToken

/// Runs the gateway simulator.
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Runs the gateway simulator: APNs for tests, on this machine.",
        discussion: """
            Starts with no configuration: development credentials are made in certs/dev when there are none, and device \
            tokens that nobody registered are registered on first use.

            EXAMPLE
              apns gateway
              apns send --gateway local --token ab12 --alert 'Hello'

            FAULTS
              A fault rule is an object such as {"match":{"push-type":"background"},"effect":{"delay":"200ms"}}; POST \
            /api/faults takes one, --faults a file of them. Effects: \(FaultEffect.keys.joined(separator: ", ")). \
            docs/faults.md says what each does.

            EXIT STATUS: 0 stopped in order; 2 it could not start, and the message says why; 64 bad arguments.
            """)

    @Option(help: "The address to listen on. Anything but loopback needs --control-token.")
    var host = "127.0.0.1"
    @Option(help: "The port for senders; 0 takes a free one.")
    var port = 8443
    @Option(help: "The port of the control API; 0 takes a free one.")
    var controlPort = 8444
    @Option(
        help: ArgumentHelp(
            "The port where channels are managed, and nothing else; 0 takes a free one. Without it 8445, or a free one. "
                + "The port for senders takes the same requests.",
            valueName: "channel-port"))
    var channelPort: Int?
    @Option(help: "The folder with the development credentials; made when it does not exist.")
    var credentials = "certs/dev"
    @Option(help: "Which of Apple's services to be: sandbox or production.")
    var environment = Environment.sandbox
    @Option(help: "What to do with a device token that nobody registered: open registers it, strict refuses it.")
    var devices = Registration.open
    @Option(
        help: ArgumentHelp(
            "A further .p8 or public key to accept, named AuthKey_KEYID.p8. Each takes the --team-id at its place.",
            valueName: "file"))
    var key: [String] = []
    @Option(help: ArgumentHelp("The team of the --key at the same place.", valueName: "id"))
    var teamID: [String] = []
    @Flag(help: "Accept well-formed provider tokens of unknown keys, and mark them as unverified.")
    var anyKey = false
    @Option(help: ArgumentHelp("How many notifications the journal keeps.", valueName: "count"))
    var retain = 10_000
    @Option(help: "Whether time passes by itself: real, or manual to be set by the control API.")
    var clock = ClockMode.real
    @Option(
        help: ArgumentHelp(
            "Close connections of senders that are silent for this long, such as 10m, with IdleTimeout.",
            valueName: "duration"))
    var idleTimeout: String?
    @Option(
        help: ArgumentHelp(
            "How long after an uninstall sends are still accepted, such as 10m; then they get 410 Unregistered.",
            valueName: "duration"))
    var unregisteredDelay: String?
    @Option(
        help: ArgumentHelp(
            "Fault rules to begin with: a JSON array of them, or one a line in a file named .ndjson or .jsonl.",
            valueName: "file"))
    var faults: String?
    @Option(help: "The seed of ids and faults; the same seed and the same requests give the same.")
    var seed: UInt64?
    @Option(help: "What clients of the control API must send as a bearer token.")
    var controlToken: String?
    @Flag(help: "Show every notification with its verdict, on stderr.")
    var verbose = false
    @Flag(help: "Print where everything is as one line of JSON.")
    var json = false

    enum Environment: String, ExpressibleByArgument, CaseIterable { case sandbox, production }
    enum Registration: String, ExpressibleByArgument, CaseIterable { case open, strict }
    enum ClockMode: String, ExpressibleByArgument, CaseIterable { case real, manual }

    func validate() throws {
        guard [port, controlPort, channelPort ?? 0].allSatisfy((0...65535).contains) else {
            throw ValidationError("a port is a number from 0 to 65535")
        }
        guard retain > 0 else { throw ValidationError("--retain takes a number from 1") }
        if let idleTimeout {
            guard let milliseconds = TimeText.milliseconds(ofDuration: idleTimeout), milliseconds > 0 else {
                throw ValidationError("--idle-timeout \(idleTimeout): a duration like 90s, 10m or 2h is wanted")
            }
        }
        if let unregisteredDelay {
            guard let milliseconds = TimeText.milliseconds(ofDuration: unregisteredDelay), milliseconds >= 0 else {
                throw ValidationError(
                    "--unregistered-delay \(unregisteredDelay): a duration like 90s, 10m or 2h is wanted")
            }
        }
        guard key.count == teamID.count else {
            throw ValidationError(
                "\(key.count) --key and \(teamID.count) --team-id: each key needs the team that it belongs to")
        }
    }

    func run() async throws {
        OpenFiles.allowMost()
        let configuration = try configuration()
        // Before anything says that it runs, so that whoever reads it may stop it at once.
        let stop = AsyncStream.makeStream(of: Void.self)
        let signals = Signals { _ in stop.continuation.finish() }
        let gateway: RunningGateway
        do throws(GatewayError) {
            gateway = try await GatewayServer(configuration).start()
        } catch {
            throw CommandError(error.detail)
        }
        announce(gateway)
        let failure: (any Error)? = await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in stop.stream {} }
            group.addTask { try await gateway.wait() }
            let shown = verbose ? Task { await show(gateway) } : nil
            let ending = await group.nextResult()
            shown?.cancel()
            await gateway.shutdown()
            group.cancelAll()
            guard case .failure(let error) = ending else { return nil }
            return error
        }
        withExtendedLifetime(signals) {}
        let count = gateway.read { $0.journalCount }
        Output.standard.note(
            "The gateway stopped; its journal held \(count) \(count == 1 ? "notification" : "notifications").")
        if let failure { throw CommandError("the control port failed: \(failure); start the gateway again") }
    }

    private func configuration() throws -> GatewayConfiguration {
        var configuration = GatewayConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.controlPort = controlPort
        configuration.channelPort = channelPort
        configuration.credentials = .folder(credentials)
        configuration.environment = environment == .sandbox ? .sandbox : .production
        configuration.devices = devices == .open ? .open : .strict
        configuration.acceptsAnyKey = anyKey
        configuration.retain = retain
        configuration.clock = clock == .real ? .real : .manual(at: Int64(Date().timeIntervalSince1970 * 1000))
        configuration.idleTimeout = idleTimeout.flatMap { TimeText.milliseconds(ofDuration: $0) }
        configuration.unregisteredDelay = unregisteredDelay.flatMap { TimeText.milliseconds(ofDuration: $0) } ?? 0
        if let faults { configuration.faults = try fileOfFaults(faults) }
        if let seed { configuration.seed = seed }
        configuration.controlToken = controlToken
        for (file, team) in zip(key, teamID) {
            guard let team = TeamID(team) else {
                throw CommandError("\(team) is no team id: ten capital letters and digits are wanted", .badArguments)
            }
            guard let id = CredentialChoice.keyID(inNameOf: file).flatMap({ KeyID($0) }) else {
                throw CommandError(
                    "\(file): the key id is read from a name of the form AuthKey_XXXXXXXXXX.p8; rename the file",
                    .badArguments)
            }
            let bytes = try CredentialChoice.read(file, "key")
            do throws(KeyError) {
                configuration.keys.append(try .init(keyID: id, teamID: team, file: bytes))
            } catch {
                throw CommandError("\(file): \(error.detail)")
            }
        }
        return configuration
    }

    private func fileOfFaults(_ path: String) throws -> [FaultRule] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.bytes(of: path, limit: FaultFile.maximumBytes)
        } catch {
            throw CommandError(error.description)
        }
        do throws(GatewayError) {
            return try FaultFile.rules(in: bytes, name: path)
        } catch {
            throw CommandError(error.detail)
        }
    }

    /// Lines to paste are put together so that they run as they stand, whatever the folder is called. The control token
    /// is the one thing that is left to be filled in.
    private func announce(_ gateway: RunningGateway) {
        let output = Output.standard
        guard !json else {
            output.result(gateway.readyLine)
            return output.flush()
        }
        let topic = gateway.credentials.topic.value
        let ca = ShellText.word(gateway.caFile ?? "")
        let key = ShellText.word(gateway.credentials.keyFile ?? "")
        let url = ShellText.word(gateway.url)
        let device = ShellText.word("\(gateway.url)/3/device/ab12")
        let journal = ShellText.word("\(gateway.controlURL)/api/notifications")
        let apns = ShellText.command
        let bearer = controlToken == nil ? "" : "-H 'authorization: Bearer CONTROL-TOKEN' "
        output.result(
            """
            The gateway simulator runs.

              senders      \(gateway.url)  (\(gateway.environment.rawValue))
              control API  \(gateway.controlURL)
              channels     \(gateway.channelURL)
              CA           \(gateway.caFile ?? "")
              key          \(gateway.credentials.keyFile ?? "")
              key id       \(gateway.credentials.keyID.value)
              team id      \(gateway.credentials.teamID.value)
              topic        \(topic)

            Send something to it:

              \(apns) send --gateway \(url) --ca \(ca) --key \(key) \
            --team-id \(gateway.credentials.teamID.value) --topic \(topic) --token ab12 --alert 'Hello'

              curl --http2 --cacert \(ca) -H "authorization: bearer $(\(apns) token make \
            --key \(key) --team-id \(gateway.credentials.teamID.value))" \
            -H 'apns-topic: \(topic)' -H 'apns-push-type: alert' -d '{"aps":{"alert":"Hello"}}' \
            \(device)

            And see what became of it:

              curl \(bearer)\(journal)

            Ctrl-C stops it.
            """)
        output.flush()
    }

    private func show(_ gateway: RunningGateway) async {
        for await line in gateway.verdicts() { Output.standard.note(line) }
    }
}
