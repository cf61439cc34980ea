import APNSModel
import ArgumentParser
import DeviceSimulator
import Foundation
import PushDispatch

/// `apns device`: runs a simulated device.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Runs a simulated device: connects to a gateway, receives, dispatches, prints.",
        discussion: """
            Each push goes through the dispatcher that apps embed. With --org, the records that an ACCOUNT_UPDATE or \
            INTERACTION names are fetched into the store of the device; without it they stay pending, and the result of the \
            push is failed, because there was something to fetch. With --org it also registers itself with a simulated org \
            on this machine, such as http://127.0.0.1:8446, so that the triggers of the org reach it.

            With --forward or --exec each push is first forwarded, one at a time and in order: to the app in a booted iOS \
            simulator (xcrun simctl push), or to a command that /bin/sh runs for each push, with the envelope as JSON on \
            its standard input. The environment of the command has APNS_UNIQUE_ID, APNS_ID (APNS_REQUEST_ID for a \
            broadcast), APNS_PUSH_TYPE, APNS_TOPIC, APNS_PRIORITY, APNS_EXPIRATION, APNS_COLLAPSE_ID and APNS_CHANNEL_ID as \
            far as the push has them, APNS_DEVICE_TOKEN (shortened; the envelope has all of it) and APNS_ATTEMPT. An exit \
            status other than 0 is a failure: the push is tried again after 1, 2, 4 … seconds, and given up after \
            --attempts. Later pushes wait at the gateway. Ctrl-C lets a running command end; a second Ctrl-C kills it.

            EXAMPLES
              apns gateway                    # in one terminal
              apns device                     # in another; it prints its device token
              apns send --gateway local --token TOKEN --alert 'Hello'

              apns device --forward simctl --bundle com.example.agent.debug
              apns device --json --exec 'jq .payload >>received.ndjson'     # needs jq
              apns device --exec './on-push "$APNS_PUSH_TYPE"' --attempts 1 --time-limit 5s
              apns device --channel dHN0LXNyY2gtY2hubA==     # receives its broadcasts

            EXIT STATUS: 0 stopped in order; 1 a push could not be forwarded; 2 no gateway is running, it refuses this \
            device, or there is no xcrun; 64 bad arguments.

            ENVIRONMENT: APNS_ORG_TOKEN is the access token for the org, which `apns org login` prints. \
            \(CredentialVariable.topic.name) is used when --topic is absent and the topic of the gateway is not known.
            """)

    @Option(
        help: ArgumentHelp(
            "The address of the control API of the gateway, or \(LocalGatewayName.help) (default: local, or "
                + "\(DeviceCommand.defaultControl) where no run file of a gateway is found).", valueName: "url"),
        completion: .gateways)
    var control: String?
    @Option(
        help: ArgumentHelp(
            "The bearer token of the control API, where the gateway needs one (default: \(OrgGatewayQuestions.tokenVariable), "
                + "which no list of processes shows).", valueName: "token"))
    var controlToken: String?
    @Option(
        help: ArgumentHelp(
            "The app on this device (default: that of the gateway on this machine, \(CredentialVariable.topic.name), or "
                + "com.example.agent).", valueName: "bundle"))
    var topic: String?
    @Option(help: ArgumentHelp("The device token (default: one that the gateway makes).", valueName: "hex"))
    var token: String?
    @Option(help: ArgumentHelp("The REST back end to fetch records from.", valueName: "url"))
    var org: String?
    @Option(help: "The callback of the app that gets the push: background, foreground or tap.")
    var entry = Entry.background
    @Option(help: ArgumentHelp("Stop after this many pushes.", valueName: "number"))
    var count: Int?
    @Option(
        name: .customLong("channel"),
        help: ArgumentHelp(
            "A broadcast channel to subscribe to; may be repeated. Without it the channels of the device stay as they are.",
            valueName: "id"))
    var channels: [String] = []
    @Option(
        help: ArgumentHelp(
            "The apns-unique-id of the last push that an earlier run has handled. The device begins after it, or with the "
                + "oldest push that the gateway keeps where it does not know this id.", valueName: "id"))
    var after: String?
    @Option(help: "Forward each push to an iOS simulator: simctl.")
    var forward: Forward?
    @Option(help: ArgumentHelp("The simulator for --forward, by UDID or name.", valueName: "udid"))
    var simulator: String?
    @Option(help: ArgumentHelp("The app in the simulator (default: the topic of the push).", valueName: "id"))
    var bundle: String?
    @Option(help: ArgumentHelp("Forward each push to this command, run by /bin/sh.", valueName: "command"))
    var exec: String?
    @Option(help: ArgumentHelp("How often a push is tried with --forward or --exec.", valueName: "number"))
    var attempts = 3
    @Option(
        help: ArgumentHelp(
            "How long one try may take, such as 500ms or 30s; then it is killed.", valueName: "duration"),
        transform: ArgumentReading.duration)
    var timeLimit = Duration.seconds(30)
    @Flag(help: "Print every event as one line of JSON. The output of the command of --exec then goes to stderr.")
    var json = false

    static let defaultControl = "http://127.0.0.1:8444"

    enum Forward: String, ExpressibleByArgument, CaseIterable { case simctl }

    enum Entry: String, ExpressibleByArgument, CaseIterable { case background, foreground, tap }

    private struct Arguments {
        var connection: DeviceConnection
        var token: DeviceToken?
        var org: SimulatedDevice.Org?
        var target: ForwardingTarget?
    }

    func validate() throws {
        _ = try arguments(controlURL: DeviceCommand.defaultControl, topic: nil)
        if let count, count < 1 { throw ValidationError("--count takes a number from 1") }
        guard (1...1000).contains(attempts) else { throw ValidationError("--attempts takes a number from 1 to 1000") }
        let words = channels.map { ("channel", $0) } + (after.map { [("after", $0)] } ?? [])
        for (name, text) in words
        where !(1...200).contains(text.utf8.count) || !text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) {
            throw ValidationError("--\(name): it must have 1 to 200 ASCII characters without spaces")
        }
    }

    private func target() throws -> ForwardingTarget? {
        guard forward == nil || exec == nil else {
            throw ValidationError("--forward and --exec both hand pushes on; give one of them.")
        }
        if let exec {
            guard !exec.isEmpty else { throw ValidationError("--exec: the command is empty") }
            return .command(exec, printsToErrors: json)
        }
        guard forward == .simctl else {
            for (name, value) in [("simulator", simulator), ("bundle", bundle)] where value != nil {
                throw ValidationError("--\(name) needs --forward simctl")
            }
            return nil
        }
        if let simulator, simulator.isEmpty || simulator.hasPrefix("-") {
            throw ValidationError(
                "--simulator \(simulator): it must be a UDID or name, as `xcrun simctl list devices` shows it")
        }
        if let bundle, Topic(bundle) == nil {
            throw ValidationError("--bundle \(bundle): a bundle id has only letters, digits, '.', '-' and '_'")
        }
        return .simulator(device: simulator ?? "booted", bundleID: bundle)
    }

    /// - Parameters:
    ///   - controlURL: Of the gateway on this machine; --control replaces it unless it names that gateway.
    ///   - gatewayTopic: That gateway's topic, where it is known.
    private func arguments(controlURL: String, topic gatewayTopic: String?) throws -> Arguments {
        let isLocal = try control.map { text in
            do throws(CommandError) {
                return try LocalGatewayName(text) != nil
            } catch {
                throw ValidationError("--control \(error.message)")
            }
        }
        let url = isLocal == false ? control ?? controlURL : controlURL
        guard
            let endpoint = ControlEndpoint(
                url: url, token: controlToken ?? System.environment(OrgGatewayQuestions.tokenVariable))
        else {
            throw ValidationError("--control \(url): it must be a URL like \(DeviceCommand.defaultControl), or local")
        }
        let name = topic ?? gatewayTopic ?? CredentialVariable.topic.value ?? "com.example.agent"
        guard let topic = Topic(name) else {
            throw ValidationError("--topic \(name): a bundle id has only letters, digits, '.', '-' and '_'")
        }
        var arguments = Arguments(connection: DeviceConnection(endpoint, topic: topic))
        arguments.target = try target()
        if let token {
            guard let parsed = DeviceToken(token) else {
                throw ValidationError("--token: it must be an even number of hexadecimal digits")
            }
            arguments.token = parsed
        }
        if let org {
            guard let url = URL(string: org), url.scheme == "http" || url.scheme == "https", url.host != nil else {
                throw ValidationError("--org \(org): it must be a URL like http://127.0.0.1:8446")
            }
            arguments.org = SimulatedDevice.Org(
                instance: url, accessToken: System.environment("APNS_ORG_TOKEN") ?? "")
        }
        return arguments
    }

    func run() async throws {
        let local = try LocalControl.find(control)
        let arguments = try arguments(controlURL: local.url, topic: local.topic)
        let path = System.environment("PATH") ?? ""
        if let missing = arguments.target?.missing(path: path) {
            throw CommandError("\(missing). Use --exec to forward deliveries to your own program")
        }
        if arguments.org?.accessToken.isEmpty == true {
            Output.standard.note(
                "APNS_ORG_TOKEN is not set, so the device is not logged in at the org; this prints a token: "
                    + "\(ShellText.command) org login USER"
            )
        }
        let printer = DevicePrinter(isJSON: json, forwardingTarget: arguments.target, attempts: attempts)
        let forwarder = arguments.target.map { DeliveryForwarder($0, attempts: attempts, limit: timeLimit) }
        // Signals are handled before the ready message, because its reader may stop the device at once.
        let stop = AsyncStream.makeStream(of: Void.self)
        let signals = Signals { count in
            if count == 1 { stop.continuation.finish() } else { forwarder?.kill() }
        }
        let handled = HandledPushes(after: after)
        let device = SimulatedDevice(
            arguments.connection, org: arguments.org,
            entryPoint: entry == .background ? .background : entry == .foreground ? .foreground : .tap,
            forwarder: forwarder
        ) { event in
            handled.note(event)
            printer.show(event)
            // The reader of the output is gone, so the device has no more use.
            if Output.standard.isBroken { stop.continuation.finish() }
        }
        let (limit, channels, after) = (count, channels, after)
        let connection = arguments.connection
        let work = Task {
            let token = try await connection.register(arguments.token)
            if !channels.isEmpty { try await connection.subscribe(token, to: channels) }
            printer.ready(token, connection.topic)
            if let org = arguments.org, let registration = OrgRegistration(org, connection.topic) {
                await registration.register(token)
            }
            try await device.run(token, limit: limit, after: after, channels: channels)
        }
        let watch = Task {
            for await _ in stop.stream {}
            work.cancel()
        }
        let result = await work.result
        let isStopped = if case .failure(is CancellationError) = result { true } else { work.isCancelled }
        watch.cancel()
        withExtendedLifetime(signals) {}
        // A device that never connected has no summary.
        let count = handled.count
        if isStopped || count.all > 0 { printer.summary(of: count) }
        if case .failure(let error) = result, !isStopped {
            let detail = (error as? DeviceError)?.detail ?? "\(error)"
            let isUnauthorized = (error as? DeviceError)?.code == .unauthorized
            throw CommandError(
                isUnauthorized
                    ? "\(detail); set \(OrgGatewayQuestions.tokenVariable) to it, or pass --control-token" : detail)
        }
        let isShort = forwarder != nil && (count.givenUp > 0 || count.interrupted != nil)
        try (isShort ? ExitStatus.no : .done).end()
    }
}
