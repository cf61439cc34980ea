import ArgumentParser
import Foundation
import OrgSimulator
import SelectiveSync
import ServiceHost

/// `apns org run`: runs the simulated CRM back end until it is stopped.
struct OrgRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the org. This is what apns org does without a subcommand.",
        discussion: """
            Without --gateway, --environment or a profile with one of them, pushes are only logged. Without --org the org \
            has one user, ada@example.com, the app Agent with the bundle id com.example.agent, and three accounts.

            EXAMPLE
              apns org --gateway local
              apns org --org org.yaml --port 0 --json

            ENVIRONMENT: \(OrgEndpoint.controlTokenVariable) is the default of --control-token, here and in the other \
            subcommands. \(OrgGatewayQuestions.tokenVariable) is the token of the gateway's control API, where it needs one.
            \(CredentialOptions.environmentHelp)

            EXIT STATUS: 0 stopped in order; 2 it could not start, and the message says why; 64 bad arguments.
            """)

    @Option(
        help: ArgumentHelp("Users, apps, objects and records in YAML (docs/org.md).", valueName: "file"))
    var org: String?
    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = OrgEndpoint.defaultPort
    @Option(help: "The address to listen on. Any other than loopback needs a control token.")
    var host = "127.0.0.1"
    @Option(
        name: .customLong("control-token"),
        help: "What clients of the control API must send as a bearer token.")
    var controlToken: String?
    @Option(
        name: .customLong("gateway-control"),
        help: ArgumentHelp(
            "The control API of the gateway, for apns org explain (default: that of a gateway on this machine).",
            valueName: "url"))
    var gatewayControl: String?
    @Flag(help: "Check the file and the options, and start nothing.")
    var check = false
    @Flag(help: "Show the log on stderr.")
    var verbose = false
    @Flag(help: "Print addresses, users and apps as one line of JSON.")
    var json = false

    @OptionGroup(title: "Gateway and credentials") var credentials: CredentialOptions

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
        if let gatewayControl, OrgGatewayQuestions(control: gatewayControl) == nil {
            throw ValidationError(
                "--gateway-control \(PlainText.safe(gatewayControl)): it must be a URL like http://127.0.0.1:8444")
        }
        _ = try ControlToken.read(controlToken, OrgEndpoint.controlTokenVariable)
    }

    func run() async throws {
        let document = try OrgFile.read(org)
        var org = document.org
        let senders = try OrgSenders(credentials, document, &org)
        let token = try ControlToken.read(controlToken, OrgEndpoint.controlTokenVariable)
        try ControlToken.check(token, host: host, OrgEndpoint.controlTokenVariable)
        guard !check else { return Output.standard.note("The file and the options are valid.") }
        // Signals are handled before the ready message, because its reader may stop the org at once.
        let stop = AsyncStream.makeStream(of: Void.self)
        let signals = Signals { count in
            stop.continuation.finish()
            if count > 1 { Task { await senders.closeNow() } }
        }
        let pushes = AsyncStream.makeStream(of: [OrgNotification].self)
        var options = OrgServer.Options()
        options.host = host
        options.port = port
        options.controlToken = token
        options.onNotifications = { pushes.continuation.yield($0) }
        if let control = gatewayControl ?? senders.control, let questions = OrgGatewayQuestions(control: control) {
            options.askGateway = { await questions.ask($0) }
        }
        let server: OrgServer
        do {
            server = try await OrgServer.start(
                OrgWorld(org, rest: OrgREST(makeToken: RandomToken.make)), options)
        } catch let error as ServicePort.StartError {
            throw CommandError(error.description)
        }
        OrgReadyMessage(server: server, gateway: senders.gateway, isJSON: json).show()
        // Only this message says which port was taken.
        if Output.standard.isFull { stop.continuation.finish() }
        let sending = Task { await senders.run(pushes.stream, server) }
        let showing = verbose ? Task { await show(server) } : nil
        let failure: (any Error)? = await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in stop.stream {} }
            group.addTask { try await server.wait() }
            let ending = await group.nextResult()
            await server.stop()
            group.cancelAll()
            guard case .failure(let error) = ending else { return nil }
            return error
        }
        // Pushes that were made before the stop are still sent.
        pushes.continuation.finish()
        let waiting = senders.tally.counts.inFlight
        if waiting > 0 {
            let pushes = waiting == 1 ? "push" : "pushes"
            Output.standard.note(
                "Stopping: waiting for the answers to \(waiting) \(pushes). A second signal ends at once.")
        }
        await sending.value
        await senders.close()
        showing?.cancel()
        withExtendedLifetime(signals) {}
        Output.standard.note("The org stopped; \(senders.tally.counts.summary).")
        if let failure { throw CommandError("the port failed: \(failure); start the org again") }
    }

    private func show(_ server: OrgServer) async {
        var last = 0
        while !Task.isCancelled {
            for entry in await server.log(after: last) {
                last = entry.number
                Output.standard.note(OrgLogText.line(entry.json, style: Output.standard.notes))
            }
        }
    }
}
