import APNSModel
import APNSPayload
import APNSProvider
import ArgumentParser
import Logging

/// `apns send`: signs, checks and sends.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Signs, checks and sends notifications to APNs or to a gateway.",
        discussion: """
            EXAMPLE: apns send --gateway local --token 0a1b… --alert "Hello"

            A file of --tokens has a device token a line, with # before comments; a --batch has an envelope a line: \
            {"token":"…","apns-push-type":"alert","payload":{…}}, or payload-base64 for a payload byte for byte. What an \
            envelope leaves out comes from the options. Lines that cannot be used are reported, and the others are sent. \
            Lines that apns gateway --record wrote are sent unchecked and as they were, and what is answered otherwise \
            than then is reported, with --json in the result.

            JOURNAL: with --journal FILE a line is on the disk before its notification is sent, and another when its \
            outcome is known. After a crash the same command goes on: accepted and refused ones are left out, unsent ones \
            are sent, and those of which nobody knows are listed, and sent only with --resend-unknown.

            EXIT STATUS: 0 all accepted; 1 one was refused, unsent or unknown, a line was bad, or a check found an error; 2 \
            nothing could be sent; 64 bad arguments.

            \(CredentialOptions.environmentHelp)
            """)

    @OptionGroup(title: "Destination and credentials") var credentials: CredentialOptions
    @OptionGroup(title: "Notification") var message: MessageOptions

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Device token in hexadecimal digits; may be repeated.", valueName: "hex"))
    var token: [String] = []

    @Option(help: ArgumentHelp("File of device tokens; - is standard input.", valueName: "path"))
    var tokens: String?

    @Option(help: ArgumentHelp("File of envelopes, one a line; - is standard input.", valueName: "path"))
    var batch: String?

    @Option(help: "The most connections to open.", transform: ArgumentReading.connections)
    var connections = 1

    @Option(
        help: ArgumentHelp("Time for each notification to be answered (default: 30).", valueName: "seconds"),
        transform: ArgumentReading.timeout)
    var timeout = Duration.seconds(30)

    @Option(
        help: ArgumentHelp(
            "Note in this file what is sent and what became of it. The same command run again sends what has no final "
                + "outcome.", valueName: "path"))
    var journal: String?

    @Flag(help: "Send again what the journal does not know the outcome of: it may be delivered twice.")
    var resendUnknown = false

    @Option(
        help: ArgumentHelp("Send at most so many notifications a second.", valueName: "number"),
        transform: ArgumentReading.pace)
    var rate: Double?

    @Flag(help: "Send also what a check finds an error in.")
    var skipValidation = false

    @Flag(help: "One JSON object for each result.")
    var json = false

    func validate() throws {
        for text in token where DeviceToken(text) == nil {
            throw ValidationError("--token: \(DeviceTokenLine.fault(of: text)).")
        }
        let source = try message.source()
        guard journal != nil || !resendUnknown else {
            throw ValidationError("--resend-unknown needs the --journal that knows what is unknown.")
        }
        if journal != nil, tokens == "-" || batch == "-" || message.payload == "-" {
            throw ValidationError(
                "--journal needs a file to send from: what comes by standard input cannot be told from another batch.")
        }
        let fromInput = [
            tokens == "-" ? "--tokens" : nil, batch == "-" ? "--batch" : nil,
            message.payload == "-" ? "--payload" : nil,
        ]
        .compactMap { $0 }
        guard fromInput.count < 2 else {
            throw ValidationError("\(fromInput.joined(separator: " and ")) cannot both read standard input.")
        }
        if batch != nil {
            guard source == nil else {
                throw ValidationError("The envelopes of --batch have payloads of their own; leave out the other one.")
            }
            guard tokens == nil, token.count < 2 else {
                throw ValidationError(
                    "The envelopes of --batch have device tokens of their own; at most one --token stands in for them.")
            }
            guard message.apnsID == nil else {
                throw ValidationError("--apns-id is for one notification only; put apns-id into the envelopes.")
            }
            return
        }
        guard !token.isEmpty || tokens != nil || message.payload != nil else {
            throw ValidationError("There is no device token; give --token HEX, --tokens FILE or --batch FILE.")
        }
        guard source != nil else {
            throw ValidationError(
                "There is nothing to send; give --payload FILE, --alert TEXT, --hint TYPE or --batch FILE.")
        }
        guard message.apnsID == nil || (token.count < 2 && tokens == nil) else {
            throw ValidationError("--apns-id is for one notification only, and there are several device tokens.")
        }
    }

    func run() async throws {
        let output = Output.standard
        let choice = try CredentialChoice(
            options: CredentialChoice.Given(credentials, topic: message.topic?.value), variables: .variables
        ) { () throws(CommandError) in try LocalCredentials.find(from: System.currentFolder) }
        var configuration = try choice.configuration()
        configuration.connections = connections
        configuration.timeout = timeout
        // Who waits at a terminal wants to hear soon that nobody is there; this is within two seconds.
        configuration.connectAttempts = 4
        // What is checked is checked here, where file and line are known.
        configuration.validates = false

        let plan = SendPlan(
            message: message, deviceTokens: token.compactMap { DeviceToken($0) }, tokenPath: tokens, batchPath: batch,
            topic: try choice.checkedTopic(), validates: !skipValidation)
        guard let reader = try plan.reader(output) else { return try ExitStatus.no.end() }
        let opened = try journal.map { path throws(CommandError) in
            try SendJournal(path: path, batch: try plan.fingerprint(), gateway: "\(configuration.gateway)")
        }
        if let opened, opened.repairedBytes > 0 {
            output.note("The journal ended in the middle of a line, which was cut off: the run before was broken off.")
        }

        let provider: APNSProvider
        do throws(ConfigurationError) {
            provider = try APNSProvider(
                configuration, logger: Logger(label: "apns.send") { _ in SwiftLogNoOpLogHandler() })
        } catch {
            throw CommandError("\(choice.namesOfTLSFiles) cannot be used: \(error.detail)")
        }
        let run = SendRun(
            reader: reader,
            NotificationFeed.Settings(journal: opened, resendsUnknown: resendUnknown, rate: rate),
            inputName: plan.inputName, isJSON: json, gateway: configuration.gateway, output: output)
        let status = try await run.send(with: provider)
        try output.finish()
        try status.end()
    }
}

extension CredentialChoice {
    /// The topic as a type; nil where none was given.
    func checkedTopic() throws(CommandError) -> Topic? {
        guard let topic else { return nil }
        guard let checked = Topic(topic) else {
            throw CommandError(
                "the topic \"\(PlainText.safe(topic.prefix(80)))\" must be a bundle id such as com.example.app",
                .badArguments)
        }
        return checked
    }
}
