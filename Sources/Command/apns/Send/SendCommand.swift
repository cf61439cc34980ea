import APNSModel
import APNSPayload
import APNSProvider
import ArgumentParser
import SystemFiles

/// `apns send`: signs, checks and sends notifications.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Signs, checks and sends notifications to APNs or to a gateway.",
        discussion: """
            EXAMPLES
              apns send --gateway local --token ab12 --alert "Hello"
              apns send --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ \\
                --topic com.example.app --token 0a1b… --alert "Hello" --verbose
              apns send --gateway local --token ab12 --title Visit --body "At noon" \\
                --sound default --badge 1 --custom 'visit="A7"' --expiration +1h
              apns send --gateway local --token ab12 --payload '{"aps":{"badge":0}}'
              apns send --gateway local --token ab12 --hint INTERACTION \\
                --record 0xI000000000001
              apns send --gateway local --user ada@example.com --hint TEST
              apns send --topic com.example.app --token ab12 --alert "Hello" --dry-run
              apns send --gateway local --batch batch.ndjson --journal batch.journal
              apns send --gateway local --token ab12 --title "New kettles" --personalized \\
                --point landing_recs --context category=Kettles \\
                --link https://www.example.com/c/kettles
              apns send --gateway local --dry-run --template push.json \\
                --recipients people.ndjson

            CONTENT: --alert, --title, --body and the like make a payload. --custom alone makes a silent one, with \
            --push-type background. --payload takes a file, or JSON that begins with a brace. Give one source only: \
            --payload, --hint, or the content options.

            DRY RUN: --dry-run shows each request with what a check finds, without a key and a connection; with --json \
            it prints envelopes for --batch. --print-curl prints a command line of curl. --verbose shows connections and \
            headers. None of them shows a provider token; --json and --print-curl have whole device tokens.

            FILES: the file of --tokens has one device token a line; # begins a comment. The file of --batch has one envelope a \
            line: {"token":"…","apns-push-type":"alert","payload":{…}}, or payload-base64 for the exact bytes of a payload. \
            An envelope with apns-channel-id instead of token is a broadcast, which updates or ends Live Activities. \
            The options supply what an envelope does not have. Bad lines are reported and skipped. Lines that \
            apns gateway --record wrote are sent unchecked and unchanged, and answers that differ from the recorded ones \
            are reported, with --json in the result.

            PERSONALIZED: --personalized gives the payload the type PERSONALIZED, which an app answers with decisions when the \
            user opens it: for --point, with --context, and --link as the place to go to at once.

            TEMPLATE: --template is a payload (or an envelope without a token) with places in its strings, and --recipients has \
            an object a line: {"token":"…","name":"Kim","items":[{"title":"Kettle"}]}. {{name}} and {{items.0.title}} take the \
            values; {{name|you}} is "you" for a recipient without one. A string that is one place only takes a value of any \
            kind. Each payload is checked; one that does not fit is reported with file and line and is not sent. A line may \
            have apns-id, apns-collapse-id and other headers of its own.

            JOURNAL: with --journal FILE a line is on disk before its notification is sent, and another one when its \
            outcome is known. After a crash run the same command again: it skips accepted and refused notifications, sends \
            unsent ones, and lists those whose outcome is unknown. --resend-unknown sends these too.

            EXIT STATUS: 0 all accepted; 1 one was refused, unsent or unknown, a line was bad, or a check found an error; 2 \
            nothing could be sent, or the results could not be written, and the summary says what was sent; 64 bad arguments.

            \(CredentialOptions.environmentHelp)
            """)

    @OptionGroup(title: "Destination and credentials") var credentials: CredentialOptions
    @OptionGroup(title: "Notification") var message: MessageOptions

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A device token in hexadecimal digits; may be repeated.", valueName: "hex"))
    var token: [String] = []

    @OptionGroup var person: PersonOptions
    @OptionGroup(title: "A payload for each recipient") var template: TemplateOptions

    @Option(
        help: ArgumentHelp("A file of device tokens, one a line; - is standard input.", valueName: "path"),
        completion: .file())
    var tokens: String?

    @Option(
        help: ArgumentHelp("A file of envelopes, one a line; - is standard input.", valueName: "path"),
        completion: .file())
    var batch: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Send to all devices that subscribe to this channel, instead of one device; may be repeated. Needs --payload, "
                + "and has no --collapse-id, --journal, --rate, --dry-run, --print-curl and --verbose; or --batch, for "
                + "envelopes without a destination. (defaults: priority 10, expiration once)", valueName: "id"))
    var channel: [String] = []

    @Option(help: "How many connections to open at most.", transform: ArgumentReading.connections)
    var connections = 1

    @Option(
        help: ArgumentHelp(
            "How long to wait for the answer to a notification (default: 30). For a gateway that has not answered yet, four "
                + "failed attempts to connect end the wait.", valueName: "seconds"),
        transform: ArgumentReading.timeout)
    var timeout = Duration.seconds(30)

    @Option(
        help: ArgumentHelp(
            "Record in this file what is sent and its outcome. The same command run again sends only what has no final "
                + "outcome.", valueName: "path"), completion: .file())
    var journal: String?

    @Flag(help: "Send notifications again whose outcome the journal does not have. They may be delivered twice.")
    var resendUnknown = false

    @Option(
        help: ArgumentHelp("Send at most this many notifications a second.", valueName: "number"),
        transform: ArgumentReading.pace)
    var rate: Double?

    @Flag(help: "Send notifications even if a check finds an error in them.")
    var skipValidation = false

    @Flag(help: "Show headers, body and findings, and send nothing. No key is needed.")
    var dryRun = false

    @Flag(help: "Print a command line of curl that sends the same, and send nothing. It has the whole device token.")
    var printCurl = false

    @Flag(help: "Show connections, and the headers that are sent and received, on stderr.")
    var verbose = false

    @Flag(help: "Print one JSON object for each result.")
    var json = false

    func validate() throws {
        if !channel.isEmpty, batch == nil { return try validateBroadcast() }
        for text in token where DeviceToken(text) == nil {
            throw ValidationError("--token: \(DeviceTokenLine.fault(of: text)).")
        }
        let source = try message.source()
        try validateModes()
        let paths = try template.paths()
        guard journal != nil || !resendUnknown else {
            throw ValidationError("--resend-unknown needs --journal, which says what is unknown.")
        }
        if journal != nil, tokens == "-" || batch == "-" || message.payload == "-" || paths?.recipients == "-" {
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
        if person.user != nil, !token.isEmpty || tokens != nil || batch != nil {
            throw ValidationError("--user gives the device tokens; leave out --token, --tokens and --batch.")
        }
        if paths != nil { return try validateTemplate(source) }
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
            return try validateDefaultChannel()
        }
        guard !token.isEmpty || tokens != nil || person.user != nil || message.payload != nil else {
            throw ValidationError(
                "There is no device token; give --token HEX, --tokens FILE, --user ID, --batch FILE or --recipients FILE."
            )
        }
        guard source != nil else {
            throw ValidationError(
                "There is nothing to send; give --alert TEXT, --title TEXT, --payload FILE, --hint TYPE or --batch FILE."
            )
        }
        guard message.apnsID == nil || (token.count < 2 && tokens == nil && person.user == nil) else {
            throw ValidationError("--apns-id is for one notification, and there are several device tokens.")
        }
    }

    /// Checks the options beside `--template` and `--recipients`.
    private func validateTemplate(_ source: MessageOptions.Source?) throws {
        guard source == nil else {
            throw ValidationError("--template is the payload of every recipient; leave out the other payload.")
        }
        guard batch == nil, tokens == nil, person.user == nil, token.count < 2 else {
            throw ValidationError(
                "--recipients has the device tokens; leave out --batch, --tokens and --user. At most one --token is the "
                    + "default for recipients without one.")
        }
        guard channel.isEmpty else {
            throw ValidationError("--recipients are devices, and --channel is for a broadcast; leave one of them out.")
        }
        guard message.apnsID == nil else {
            throw ValidationError("--apns-id is for one notification; put apns-id into the lines of --recipients.")
        }
    }

    /// Refuses options that say something about sending where nothing is sent.
    private func validateModes() throws {
        let modes = [dryRun ? "--dry-run" : nil, printCurl ? "--print-curl" : nil].compactMap(\.self)
        guard let mode = modes.first else { return }
        guard modes.count == 1 else {
            throw ValidationError("--dry-run and --print-curl show the same in two forms; give one of them.")
        }
        if journal != nil { throw ValidationError("\(mode) sends nothing, so --journal has nothing to record.") }
        if verbose { throw ValidationError("\(mode) opens no connection, so --verbose has nothing to show.") }
        if rate != nil { throw ValidationError("\(mode) sends nothing, so --rate has no effect; leave it out.") }
        if printCurl, json { throw ValidationError("--print-curl prints command lines, not JSON; leave out --json.") }
    }

    func run() async throws {
        let output = Output.standard
        let choice = try credentialChoice()
        var topic = try choice.checkedTopic()
        let topicOption = topic == nil && person.user != nil ? "the app of --user" : choice.topicOption
        var deviceTokens = token.compactMap { DeviceToken($0) }
        if let registry = person.registry {
            let devices = try await registry.devices(of: topic)
            topic = devices.topic
            deviceTokens = devices.tokens
        }
        var plan = SendPlan(
            message: message, deviceTokens: deviceTokens, tokenPath: tokens, batchPath: batch,
            templatePaths: try template.paths(), channelID: channel.first.flatMap { ChannelID($0) }, topic: topic,
            topicOption: topicOption, validates: !skipValidation, now: WallClock.secondsSince1970)
        if dryRun || printCurl {
            plan.isPreview = true
            return try show(plan, choice, output)
        }
        try await send(plan, choice, output)
    }

    /// Destination and credentials. Without a key there is a destination for `--dry-run`.
    private func credentialChoice() throws(CommandError) -> CredentialChoice {
        var given = CredentialChoice.Given(credentials, topic: message.topic?.value)
        let variables = CredentialChoice.Given.variables
        let profile = try credentials.profiles.chosen()
        let levels = [given, variables, profile?.given ?? CredentialChoice.Given()]
        let isLocal = try levels.first { $0.namesDestination }?.isLocal ?? false
        if dryRun, !isLocal, !levels.contains(where: \.namesIdentity) { given.key = SendCommand.noKey }
        return try CredentialChoice.find(given, variables: variables, profile: profile)
    }

    /// The path of the key where there is none; never read.
    private static let noKey = ""

    /// Shows what would be sent.
    private func show(_ plan: SendPlan, _ choice: CredentialChoice, _ output: Output) throws {
        let curl = CurlCommand(
            gateway: choice.gateway, identity: choice.identity, caPath: choice.caPath, apns: ShellText.command)
        var authorization: String?
        if case .token(let keyPath, _, _) = choice.identity {
            authorization = keyPath == SendCommand.noKey ? "(no key was given)" : "bearer (not shown)"
        }
        var preview = SendPreview(
            form: printCurl ? .curl : json ? .json : .text, curl: curl, authorization: authorization,
            validates: !skipValidation, allowsNewPushTypes: message.allowNewPushTypes,
            inputName: plan.inputName, output: output)
        guard let reader = try plan.reader(output) else { return try ExitStatus.no.end() }
        let status = try preview.show(reader)
        try output.finish()
        try status.end()
    }

    private func send(_ plan: SendPlan, _ choice: CredentialChoice, _ output: Output) async throws {
        var configuration = try choice.configuration()
        configuration.connections = connections
        configuration.timeout = timeout
        // At a terminal an unreachable gateway should be reported soon. Four attempts take less than two seconds.
        configuration.connectAttempts = 4
        // The reader checks notifications itself, because it knows their file and line.
        configuration.validates = false
        if !channel.isEmpty, batch == nil { return try await sendBroadcasts(choice, with: configuration) }

        if verbose { configuration.exchangeObserver = { output.note(ExchangeText.text($0)) } }

        guard let reader = try plan.reader(output) else { return try ExitStatus.no.end() }
        let opened = try journal.map { (path) throws(CommandError) -> SendJournal in
            if let fault = SendJournal.fault(ofPath: path, inputs: plan.inputs) { throw CommandError(fault) }
            return try SendJournal(path: path, batch: try plan.fingerprint(), gateway: "\(configuration.gateway)")
        }
        if let opened, opened.repairedBytes > 0 {
            output.note(
                "The journal ended in an incomplete line, which was removed: the previous run did not end in order.")
        }

        let provider = try choice.open { () throws(ProviderConfigurationError) in
            try PushProvider(configuration, logger: .silent("apns.send"))
        }
        let run = SendRun(
            reader: reader,
            NotificationFeed.Settings(journal: opened, resendsUnknown: resendUnknown, rate: rate),
            inputName: plan.inputName, isJSON: json, gateway: configuration.gateway, timeout: timeout, output: output)
        let status = try await run.send(with: provider)
        try output.finish()
        try status.end()
    }
}
