import APNSModel
import ArgumentParser
import ConfigurationText
import DevelopmentCredentials
import Foundation
import GatewayConfiguration
import GatewayCore
import GatewayJSON
import GatewayServer
import ProviderToken
import SystemFiles

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
              apns gateway --config gateway.yaml --port 0

            CONFIGURATION: every option may stand in the file, and apps, keys, devices, fault rules, contested questions, \
            limits and worlds besides:
              port: 8443
              devices: strict
              apps: [{topic: com.example.mail, team-id: ABCDE12345}]
              registered-devices: [{topic: com.example.mail, token: ab12}]
              contested: {malformed-json: refuse}
              faults: [{effect: {delay: 40ms}}]

            FAULTS
              A fault rule is an object such as {"match":{"push-type":"background"},"effect":{"delay":"200ms"}}; POST \
            /api/faults takes one, --faults a file of them. Effects: \(FaultEffect.keys.joined(separator: ", ")). \
            docs/faults.md says what each does.

            STORE AND RECORD
              --store keeps everything in a SQLite file over the end of the command, kill -9 included. --record writes \
            what was sent and the verdicts to a file of envelopes, which --replay judges again, apns send --batch sends \
            again and apns validate checks. docs/store.md says what each keeps.

            EXIT STATUS: 0 stopped in order, or a replay without differences; 1 a replay with differences; 2 it could not \
            start, or the record could not be read, and the message says why; 64 bad arguments.
            """)

    @Option(
        help: ArgumentHelp(
            "What it is told beforehand, in YAML (docs/configuration.md); options given here win over it.",
            valueName: "file"))
    var config: String?
    @Flag(help: "Read the configuration and the options, say whether they are good, and start nothing.")
    var checkConfig = false
    @Option(
        help: "The address to listen on (default: 127.0.0.1). Anything but loopback needs --control-token.")
    var host: String?
    @Option(help: "The port for senders (default: 8443); 0 takes a free one.")
    var port: Int?
    @Option(help: "The port of the control API (default: 8444); 0 takes a free one.")
    var controlPort: Int?
    @Option(
        help: ArgumentHelp(
            "The port where channels are managed, and nothing else; 0 takes a free one. Without it 8445, or a free one. "
                + "The port for senders takes the same requests.",
            valueName: "channel-port"))
    var channelPort: Int?
    @Option(
        help: "The folder with the development credentials (default: certs/dev); made when it does not exist.")
    var credentials: String?
    @Option(help: "Which of Apple's services to be: sandbox (the default) or production.")
    var environment: Environment?
    @Option(
        help: """
            What to do with a device token that nobody registered: open (the default) registers it, strict refuses it.
            """)
    var devices: Registration?
    @Option(
        help: ArgumentHelp(
            "A further .p8 or public key to accept, named AuthKey_KEYID.p8. Each takes the --team-id at its place.",
            valueName: "file"))
    var key: [String] = []
    @Option(help: ArgumentHelp("The team of the --key at the same place.", valueName: "id"))
    var teamID: [String] = []
    @Flag(help: "Accept well-formed provider tokens of unknown keys, and mark them as unverified.")
    var anyKey = false
    @Option(help: ArgumentHelp("How many notifications the journal keeps (default: 10000).", valueName: "count"))
    var retain: Int?
    @Option(
        help: ArgumentHelp(
            "How much memory the journal may hold, in bytes (default: 268435456).", valueName: "bytes"))
    var retainBytes: Int?
    @Option(
        help: ArgumentHelp(
            "Keep everything in this SQLite file, and go on where it ends; made when it does not exist.",
            valueName: "file"))
    var store: String?
    @Option(
        help: ArgumentHelp(
            "Append every notification with its verdict to this file, as an envelope a line; - is standard output.",
            valueName: "file"))
    var record: String?
    @Option(
        help: ArgumentHelp(
            "Judge what --record wrote again, under this configuration, report what differs, and end; - is standard input.",
            valueName: "file"))
    var replay: String?
    @Option(help: "Whether time passes by itself: real (the default), or manual to be set by the control API.")
    var clock: ClockMode?
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
            "How many notifications one device token takes in what time, such as 10/1m; then 429 TooManyRequests.",
            valueName: "count/duration"))
    var deviceRate: String?
    @Option(
        help: ArgumentHelp("The same for broadcasts to one channel.", valueName: "count/duration"))
    var channelRate: String?
    @Option(
        help: ArgumentHelp(
            "How many pushes of a kind a device is given in a period: silent=3/1h (usual), complication=50/1d, "
                + "location=360/1d, liveactivity, widgets and controls without a limit. NAME=unlimited lifts one.",
            valueName: "name=count/period"))
    var budget: [String] = []
    @Option(
        help: ArgumentHelp(
            "How to answer a question about APNs that is not settled, such as malformed-json=refuse; docs/reasons.md "
                + "has all of them.",
            valueName: "name=value"))
    var contested: [String] = []
    @Option(
        help: ArgumentHelp(
            "Fault rules to begin with: a list of them in JSON, in YAML (.yaml, .yml), or one a line (.ndjson, .jsonl).",
            valueName: "file"))
    var faults: String?
    @Option(help: "The seed of ids and faults; the same seed and the same requests give the same.")
    var seed: UInt64?
    @Option(
        help: ArgumentHelp(
            "How many worlds the gateway holds at most (default: \(GatewayConfiguration.usualWorlds)).",
            valueName: "count"))
    var worlds: Int?
    @Option(
        help: ArgumentHelp(
            "Post every event as JSON to this address, such as http://127.0.0.1:9000/path; may be given several times.",
            valueName: "url"))
    var webhook: [String] = []
    @Option(
        help: ArgumentHelp(
            "Verify webhooks of the form https:// by the authorities of this file, in place of the system's.",
            valueName: "pem"))
    var webhookCa: String?
    @Flag(help: "Let webhooks be on other machines.")
    var remoteWebhooks = false
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
        guard [port, controlPort, channelPort].allSatisfy({ (0...65535).contains($0 ?? 0) }) else {
            throw ValidationError("a port is a number from 0 to 65535")
        }
        for url in webhook where WebhookURL(url) == nil {
            throw ValidationError("--webhook \(url): a URL of the form \(WebhookURL.form) is wanted")
        }
        guard retain ?? 1 > 0 else { throw ValidationError("--retain takes a number from 1") }
        if replay != nil, let first = optionsOfARun.first {
            throw ValidationError(
                "--replay judges what was recorded and starts nothing, so \(first) says nothing to it; leave out "
                    + "\(optionsOfARun.joined(separator: ", ")).")
        }
        guard retainBytes ?? 1 > 0 else { throw ValidationError("--retain-bytes takes a number from 1") }
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
        for (name, text) in [("device", deviceRate), ("channel", channelRate)] {
            if let text, RateText.rate(of: text) == nil {
                throw ValidationError("--\(name)-rate \(text): \(RateText.form) is wanted")
            }
        }
        do throws(GatewayError) {
            _ = try budgets(.documented)
        } catch {
            throw ValidationError("--budget \(error.detail)")
        }
        guard key.count == teamID.count else {
            throw ValidationError(
                "\(key.count) --key and \(teamID.count) --team-id: each key needs the team that it belongs to")
        }
        var tried = ContestedSettings()
        try set(contested, in: &tried)
    }

    /// The options given that are about a gateway that runs, and not about its verdicts.
    private var optionsOfARun: [String] {
        let options = [
            ("--host", host != nil), ("--port", port != nil), ("--control-port", controlPort != nil),
            ("--channel-port", channelPort != nil), ("--credentials", credentials != nil), ("--retain", retain != nil),
            ("--retain-bytes", retainBytes != nil), ("--store", store != nil), ("--record", record != nil),
            ("--clock", clock != nil), ("--idle-timeout", idleTimeout != nil), ("--webhook", !webhook.isEmpty),
            ("--webhook-ca", webhookCa != nil), ("--remote-webhooks", remoteWebhooks),
            ("--control-token", controlToken != nil), ("--verbose", verbose), ("--check-config", checkConfig),
        ]
        return options.filter(\.1).map(\.0)
    }

    /// What cannot be, named by the option that said it or by its place in the file.
    private func commandError(_ error: GatewayError, _ file: GatewayFile?) -> CommandError {
        // An option takes the place of what the file says, but for webhooks, which it adds to.
        let replacing = optionsOfARun.filter { $0 != "--webhook" } + (worlds == nil ? [] : ["--worlds"])
        let isOption = error.setting.map { replacing.contains("--\($0.option)") } ?? false
        guard !isOption, let fault = file.flatMap({ error.placed(in: $0) }) else { return CommandError(error.detail) }
        return CommandError(fault.description)
    }

    private func set(_ words: [String], in contested: inout ContestedSettings) throws {
        for text in words {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw ValidationError(
                    "--contested \(text): a name and a value such as malformed-json=refuse are wanted")
            }
            do throws(ContestedSettings.UnknownSetting) {
                try contested.set(parts[0], to: parts[1])
            } catch {
                throw ValidationError("--contested \(text): \(error)")
            }
        }
    }

    func run() async throws {
        let file = try config.map { try configurationFile($0) }
        let configuration = try configuration(file?.configuration ?? GatewayConfiguration())
        if let replay { return try judgeAgain(replay, configuration, isJSON: json || file?.printsJSON ?? false) }
        let (verbose, json) = (self.verbose || file?.isVerbose ?? false, self.json || file?.printsJSON ?? false)
        guard !checkConfig else {
            do throws(GatewayError) {
                try configuration.check()
            } catch {
                throw commandError(error, file)
            }
            return Output.standard.note("The configuration is good.")
        }
        OpenFiles.allowMost()
        // Before anything says that it runs, so that whoever reads it may stop it at once.
        let stop = AsyncStream.makeStream(of: Void.self)
        let signals = Signals { _ in stop.continuation.finish() }
        let gateway: RunningGateway
        do throws(GatewayError) {
            gateway = try await GatewayServer(configuration).start()
        } catch {
            throw commandError(error, file)
        }
        announce(gateway, json: json)
        // Nobody would learn where it is.
        if Output.standard.isFull { stop.continuation.finish() }
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

    /// Judges a record again in place of running.
    private func judgeAgain(_ path: String, _ configuration: GatewayConfiguration, isJSON: Bool) throws {
        let status = try ReplayRun(path: path, isJSON: isJSON, output: .standard).run(configuration)
        try Output.standard.finish()
        try status.end()
    }

    private func budgets(_ base: DeliveryBudgets) throws(GatewayError) -> DeliveryBudgets {
        var budgets = base
        for text in budget {
            do throws(BudgetTextError) {
                try BudgetText.set(text, in: &budgets)
            } catch {
                throw GatewayError(.badConfiguration, error.description)
            }
        }
        return budgets
    }

    /// What the command says, over what the file says.
    private func configuration(_ file: GatewayConfiguration) throws -> GatewayConfiguration {
        var configuration = file
        configuration.host = host ?? file.host
        configuration.port = port ?? file.port
        configuration.controlPort = controlPort ?? file.controlPort
        configuration.channelPort = channelPort ?? file.channelPort
        if let credentials { configuration.credentials = .folder(credentials) }
        if let environment { configuration.environment = environment.core }
        if let devices { configuration.devices = devices == .open ? .open : .strict }
        if anyKey { configuration.acceptsAnyKey = true }
        configuration.retain = retain ?? file.retain
        configuration.retainBytes = retainBytes ?? file.retainBytes
        configuration.store = store ?? file.store
        configuration.record = record ?? file.record
        if let clock {
            configuration.clock = clock == .real ? .real : .manual(at: Int64(Date().timeIntervalSince1970 * 1000))
            configuration.insistsOnClock = true
        }
        if let idleTimeout { configuration.idleTimeout = TimeText.milliseconds(ofDuration: idleTimeout) }
        if let unregisteredDelay {
            configuration.unregisteredDelay = TimeText.milliseconds(ofDuration: unregisteredDelay) ?? 0
        }
        if let rate = deviceRate.flatMap({ RateText.rate(of: $0) }) { configuration.settings.deviceRate = rate }
        if let rate = channelRate.flatMap({ RateText.rate(of: $0) }) { configuration.settings.channelRate = rate }
        configuration.budgets = try budgets(file.budgets)
        try set(contested, in: &configuration.settings.contested)
        if let faults {
            configuration.faults = try fileOfFaults(faults)
            for index in configuration.namedWorlds.indices {
                let name = configuration.namedWorlds[index].name
                let own = configuration.faults.filter { $0.match.world == name }
                configuration.namedWorlds[index].configuration.faults += own
            }
        }
        if let seed { configuration.seed = seed }
        if let worlds { configuration.worlds = worlds }
        configuration.webhooks += webhook.compactMap { WebhookURL($0) }
        if let webhookCa {
            do throws(FileError) {
                configuration.webhookCA = try InputFile.bytes(of: webhookCa, limit: InputFile.mostOfConfiguration)
            } catch {
                throw CommandError(error.description)
            }
        }
        if remoteWebhooks { configuration.allowsRemoteWebhooks = true }
        configuration.controlToken = controlToken ?? file.controlToken
        for (file, team) in zip(key, teamID) {
            guard let team = TeamID(team) else {
                throw CommandError("\(team) is no team id: ten capital letters and digits are wanted", .badArguments)
            }
            guard let id = CredentialChoice.keyID(inNameOf: file).flatMap({ KeyID($0) }) else {
                throw CommandError(
                    "\(file): the key id is read from a name of the form AuthKey_XXXXXXXXXX.p8; rename the file",
                    .badArguments)
            }
            let bytes = try CredentialChoice.read(
                file, "a key that provider tokens are signed with (--key), a .p8 file or a public key in PEM")
            do throws(KeyError) {
                configuration.keys.append(try .init(keyID: id, teamID: team, file: bytes))
            } catch {
                throw CommandError("\(file): \(error.detail)")
            }
        }
        return configuration
    }

    private func configurationFile(_ path: String) throws -> GatewayFile {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.bytes(of: path, limit: InputFile.mostOfConfiguration)
        } catch {
            throw CommandError(error.description)
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let file = GatewayFile(bytes, name: path, folder: folder, environment: environment?.core) { path in
            try InputFile.bytes(of: path, limit: InputFile.mostOfConfiguration)
        }
        if file.configuration.controlToken != nil, isReadableByAll(path) {
            Output.standard.note(
                "\(path) holds a control token, and every user of this machine can read it; chmod 600 keeps it private")
        }
        guard file.faults.isEmpty else {
            let faults = file.faults.map(\.description).joined(separator: "\n")
            throw CommandError("\(path) cannot be used, so nothing was started:\n\(faults)")
        }
        return file
    }

    private func isReadableByAll(_ path: String) -> Bool {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return facts?[.posixPermissions].flatMap { $0 as? Int }.map { $0 & 0o004 != 0 } ?? false
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
    private func announce(_ gateway: RunningGateway, json: Bool) {
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
        let bearer = gateway.needsControlToken ? "-H 'authorization: Bearer CONTROL-TOKEN' " : ""
        output.result(
            """
            The gateway simulator runs.

              senders      \(gateway.url)  (\(gateway.environment.rawValue))
              control API  \(gateway.controlURL)  (a page for browsers, too)
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

extension GatewayCommand.Environment {
    fileprivate var core: APNSEnvironment { self == .sandbox ? .sandbox : .production }
}

extension InputFile {
    /// Far more than a configuration has.
    fileprivate static let mostOfConfiguration = 1 << 20
}
