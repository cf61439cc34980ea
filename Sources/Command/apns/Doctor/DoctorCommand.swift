import APNSModel
import APNSProvider
import ArgumentParser
import Doctor
import DoctorProbes
import QueueProbes
import SystemFiles

/// `apns doctor`: looks for the reason why pushes do not arrive.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tells key, clock, DNS, TLS, team, topic and environment faults apart.",
        discussion: """
            EXAMPLES
              apns doctor --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ
              apns doctor --profile live --token 0a1b…
              apns doctor --offline --json

            CHECKS: each prints what it saw and the next step, in the order key, clock, route, tls, identity, topic, device, \
            queue. What is offline is looked at first. A check that cannot see what it is about says skip, and never pass. \
            docs/doctor-checks.md lists them all.

            WHAT IS SENT: one connection to the destination and one to Apple's other environment, each with one silent push to \
            a device token that cannot exist, whose answer tells whether the credentials are accepted. With --token a silent \
            push goes to that device, which may wake its app. An HTTPS server, www.apple.com unless --date-url names another \
            one, is asked for its Date where the destination is Apple's. The provider token is kept in a private file for 20 \
            minutes (\(DoctorCommand.folderName) in $XDG_STATE_HOME, or in ~/.local/state), because APNs refuses one that \
            changes more often.

            QUEUE: \(DoctorCommand.queueVariable) stands for --queue, and is better for a URL with a password, because other \
            users of the machine can read options.

            EXIT STATUS: 0 nothing failed; 1 a check failed; 2 it could not run; 64 bad arguments.

            \(CredentialOptions.environmentHelp)
            """)

    @OptionGroup(title: "Destination and credentials") var credentials: CredentialOptions

    @Option(help: ArgumentHelp("The topic: the bundle id of the app.", valueName: "bundle"))
    var topic: String?

    @Option(
        help: ArgumentHelp(
            "A device token, to ask for topic and device too. A silent push is sent to it.", valueName: "hex"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "The queue of apns worker, to ask its engine too: redis[s]://HOST:PORT/DB or postgres://HOST/DATABASE.",
            valueName: "url"))
    var queue: String?

    @Option(
        help: ArgumentHelp(
            "The HTTPS server whose Date the clock is compared with: https://HOST[:PORT] (default: https://www.apple.com where "
                + "the destination is Apple's). With --ca its certificate is verified with these authorities too.",
            valueName: "url"))
    var dateURL: String?

    @Option(
        help: ArgumentHelp(
            "How long to wait for TCP, for TLS, and for each answer (default: 10).", valueName: "seconds"),
        transform: ArgumentReading.timeout)
    var timeout = Duration.seconds(10)

    @Flag(help: "Ask nothing over the network.")
    var offline = false

    @Flag(help: "Print one JSON object for each check, and a summary.")
    var json = false

    @Flag(help: .hidden)
    var page = false

    static let folderName = "apns-toolkit/doctor"

    /// A URL with a password is better there, because other users of the machine can read options.
    static let queueVariable = "APNS_QUEUE"

    func validate() throws {
        if let queue, EngineProbe.make(url: queue, environment: [:]) == nil {
            throw ValidationError("--queue must begin with redis://, rediss://, postgres:// or postgresql://.")
        }
        if dateURL != nil, offline {
            throw ValidationError("--offline asks no server, so --date-url has no effect; leave it out.")
        }
        if let dateURL, APNSGateway(url: dateURL) == nil {
            throw ValidationError("--date-url must have the form https://HOST or https://HOST:PORT.")
        }
    }

    func run() throws {
        if page { return Output.standard.write(DoctorPage.markdown(DoctorCheck.all)) }
        var examination = Examination(try settings())
        var report = DoctorReport(isJSON: json, output: Output.standard)
        let summary = examination.run { report.add($0) }
        report.end(summary)
        try Output.standard.finish()
        try (summary.isGood ? ExitStatus.done : .no).end()
    }
}
