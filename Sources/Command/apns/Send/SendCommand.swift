import APNSModel
import APNSPayload
import APNSProvider
import ArgumentParser
import Logging

/// `apns send`: signs, checks and sends notifications.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Signs, checks and sends notifications to APNs or to a gateway.",
        discussion: """
            EXAMPLE: apns send --gateway local --token 0a1b… --alert "Hello"

            The file of --tokens has one device token a line; # begins a comment. The file of --batch has one envelope a \
            line: {"token":"…","apns-push-type":"alert","payload":{…}}, or payload-base64 for the exact bytes of a payload. \
            The options supply what an envelope does not have. Bad lines are reported and skipped. Lines that \
            apns gateway --record wrote are sent unchecked and unchanged, and answers that differ from the recorded ones \
            are reported, with --json in the result.

            JOURNAL: with --journal FILE a line is on disk before its notification is sent, and another one when its \
            outcome is known. After a crash run the same command again: it skips accepted and refused notifications, sends \
            unsent ones, and lists those whose outcome is unknown. --resend-unknown sends these too.

            EXIT STATUS: 0 all accepted; 1 one was refused, unsent or unknown, a line was bad, or a check found an error; 2 \
            nothing could be sent; 64 bad arguments.

            \(CredentialOptions.environmentHelp)
            """)

    @OptionGroup(title: "Destination and credentials") var credentials: CredentialOptions
    @OptionGroup(title: "Notification") var message: MessageOptions

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A device token in hexadecimal digits; may be repeated.", valueName: "hex"))
    var token: [String] = []

    @Option(help: ArgumentHelp("A file of device tokens, one a line; - is standard input.", valueName: "path"))
    var tokens: String?

    @Option(help: ArgumentHelp("A file of envelopes, one a line; - is standard input.", valueName: "path"))
    var batch: String?

    @Option(help: "How many connections to open at most.", transform: ArgumentReading.connections)
    var connections = 1

    @Option(
        help: ArgumentHelp("How long to wait for the answer to a notification (default: 30).", valueName: "seconds"),
        transform: ArgumentReading.timeout)
    var timeout = Duration.seconds(30)

    @Option(
        help: ArgumentHelp(
            "Record in this file what is sent and its outcome. The same command run again sends only what has no final "
                + "outcome.", valueName: "path"))
    var journal: String?

    @Flag(help: "Send notifications again whose outcome the journal does not have. They may be delivered twice.")
    var resendUnknown = false

    @Option(
        help: ArgumentHelp("Send at most this many notifications a second.", valueName: "number"),
        transform: ArgumentReading.pace)
    var rate: Double?

    @Flag(help: "Send notifications even if a check finds an error in them.")
    var skipValidation = false

    @Flag(help: "Print one JSON object for each result.")
    var json = false

    func validate() throws {
        for text in token where DeviceToken(text) == nil {
            throw ValidationError("--token: \(DeviceTokenLine.fault(of: text)).")
        }
        let source = try message.source()
        guard journal != nil || !resendUnknown else {
            throw ValidationError("--resend-unknown needs --journal, which says what is unknown.")
        }
        if journal != nil, tokens == "-" || batch == "-" || message.payload == "-" {
            throw ValidationError(
                "--journal needs a file to send from: standard input cannot be compared with that of the previous run.")
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
                throw ValidationError("The envelopes of --batch have their own payloads; leave out the other payload.")
            }
            guard tokens == nil, token.count < 2 else {
                throw ValidationError(
                    "The envelopes of --batch have their own device tokens; at most one --token is the default for them."
                )
            }
            guard message.apnsID == nil else {
                throw ValidationError("--apns-id is for one notification; put apns-id into the envelopes.")
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
            throw ValidationError("--apns-id is for one notification, and there are several device tokens.")
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
        // At a terminal an unreachable gateway should be reported soon. Four attempts take less than two seconds.
        configuration.connectAttempts = 4
        // The reader checks notifications itself, because it knows their file and line.
        configuration.validates = false

        let plan = SendPlan(
            message: message, deviceTokens: token.compactMap { DeviceToken($0) }, tokenPath: tokens, batchPath: batch,
            topic: try choice.checkedTopic(), validates: !skipValidation)
        guard let reader = try plan.reader(output) else { return try ExitStatus.no.end() }
        let opened = try journal.map { path throws(CommandError) in
            try SendJournal(path: path, batch: try plan.fingerprint(), gateway: "\(configuration.gateway)")
        }
        if let opened, opened.repairedBytes > 0 {
            output.note(
                "The journal ended in an incomplete line, which was removed: the previous run did not end in order.")
        }

        let provider: PushProvider
        do throws(ProviderConfigurationError) {
            provider = try PushProvider(
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
