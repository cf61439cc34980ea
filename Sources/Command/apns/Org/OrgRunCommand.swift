import ArgumentParser
import Foundation
import OrgSimulator
import SelectiveSync

/// Runs the simulated CRM back end until it is stopped.
struct OrgRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the org; what apns org does where no subcommand is named.",
        discussion: """
            Without --gateway pushes are only logged. Without --org there are one user, ada@example.com, the app Agent \
            with the bundle id com.example.agent, and three accounts.

            EXAMPLE
              apns org --gateway local
              apns org --org org.yaml --port 0 --json

            ENVIRONMENT: APNS_ORG_CONTROL_TOKEN stands in for --control-token, here and in the other subcommands.
            \(CredentialOptions.environmentHelp)

            EXIT STATUS: 0 stopped in order; 2 it could not start, and the message says why; 64 bad arguments.
            """)

    @Option(
        help: ArgumentHelp("Users, apps, objects and records in YAML (docs/org.md).", valueName: "file"))
    var org: String?
    @Option(help: "The port; 0 takes a free one.")
    var port = OrgEndpoint.usualPort
    @Option(help: "The address to listen on. Anything but loopback needs a control token.")
    var host = "127.0.0.1"
    @Option(
        name: .customLong("control-token"),
        help: "What clients of the control API must send as a bearer token.")
    var controlToken: String?
    @Flag(help: "Read the document and the options, say whether they are good, and start nothing.")
    var check = false
    @Flag(help: "Show what happens, on stderr.")
    var verbose = false
    @Flag(help: "Print where everything is as one line of JSON.")
    var json = false

    @OptionGroup(title: "Gateway and credentials") var credentials: CredentialOptions

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
        if let controlToken, controlToken.utf8.count < OrgEndpoint.leastTokenBytes {
            throw ValidationError(
                "--control-token is shorter than \(OrgEndpoint.leastTokenBytes) characters; take one that cannot be guessed"
            )
        }
    }

    func run() async throws {
        let document = try OrgFile.read(org)
        var org = document.org
        let senders = try OrgSenders(credentials, document, &org)
        guard !check else { return Output.standard.note("The document and the options are good.") }
        // Before anything says that it runs, so that whoever reads it may stop it at once.
        let stop = AsyncStream.makeStream(of: Void.self)
        let signals = Signals { _ in stop.continuation.finish() }
        let pushes = AsyncStream.makeStream(of: [OrgNotification].self)
        var options = OrgServer.Options()
        options.host = host
        options.port = port
        options.controlToken = controlToken ?? System.environment("APNS_ORG_CONTROL_TOKEN")
        options.onNotifications = { pushes.continuation.yield($0) }
        let server: OrgServer
        do {
            server = try await OrgServer.start(
                OrgWorld(org, rest: OrgREST(makeToken: RandomToken.make)), options)
        } catch let error as OrgServerError {
            throw CommandError(error.description)
        }
        OrgReadyMessage(server: server, gateway: senders.gateway, isJSON: json).show()
        // Nobody would learn where it is.
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
        // What was accepted is still sent.
        pushes.continuation.finish()
        await sending.value
        await senders.close()
        showing?.cancel()
        withExtendedLifetime(signals) {}
        let entries = server.read { $0.org.log.entries() }
        let sent = entries.count { $0.event == "GATEWAY_ACCEPTED" }
        Output.standard.note("The org stopped; \(sent) \(sent == 1 ? "push was" : "pushes were") accepted.")
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
