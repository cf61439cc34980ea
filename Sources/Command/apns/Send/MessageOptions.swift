import APNSModel
import APNSPayload
import ArgumentParser

/// The options for headers and payload.
struct MessageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The bundle id of the app, with a suffix for some push types.", valueName: "bundle"),
        transform: ArgumentReading.topic)
    var topic: Topic?

    @Option(
        name: .customLong("push-type"),
        help: ArgumentHelp("The push type (default: background with --hint, otherwise alert).", valueName: "type"),
        completion: .pushTypes)
    var pushTypeArgument: PushTypeArgument?

    @Flag(help: PushTypeArgument.allowanceHelp)
    var allowNewPushTypes = false

    @Option(
        help: ArgumentHelp(
            "10, 5 or 1 (default: 5 for a background push; otherwise none is sent, and APNs assumes 10)."),
        completion: .priorities, transform: ArgumentReading.priority)
    var priority: Priority?

    @Option(
        help: ArgumentHelp(
            "Until when APNs stores it: +1h from now, a time such as 2026-11-21T07:00:00Z, seconds since 1970, or once for "
                + "a single attempt without storage.",
            valueName: "time"),
        transform: ExpirationArgument.init)
    var expiration: ExpirationArgument?

    @Option(
        help: ArgumentHelp(
            "A notification replaces an older one with the same collapse id; up to 64 bytes.", valueName: "id"),
        transform: ArgumentReading.collapseID)
    var collapseID: CollapseID?

    @Option(
        help: ArgumentHelp("The id of the notification; for a single one (default: a new one).", valueName: "uuid"),
        transform: ArgumentReading.notificationID)
    var apnsID: NotificationID?

    @Option(
        help: ArgumentHelp(
            "A payload file, .apns file or envelope, or the JSON of one; - is standard input.",
            valueName: "path or json"),
        completion: .file(extensions: ["json", "apns"]))
    var payload: String?

    @OptionGroup(title: "Content, instead of a payload") var content: ContentOptions
    @OptionGroup(title: "Personalized push") var personalized: PersonalizedOptions

    @Option(
        help: ArgumentHelp(
            "Send a silent hint that records changed, instead of a payload: ACCOUNT_UPDATE, INTERACTION or another type; or "
                + "TEST, which shows an alert.",
            valueName: "type"), completion: .list(["ACCOUNT_UPDATE", "INTERACTION", "TEST"])
    )
    var hint: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The ids of the records that changed, for --hint.", valueName: "id"))
    var record: [String] = []

    @Option(
        help: ArgumentHelp(
            "The fields that changed, for --hint ACCOUNT_UPDATE, such as Name,Owner.", valueName: "names"))
    var changed: String?

    var pushType: PushType? { pushTypeArgument?.value }

    func validate() throws { try pushTypeArgument?.check(allowsNew: allowNewPushTypes) }

    /// What the payload is made from.
    enum Source: Hashable {
        /// A path, or the JSON of a payload or an envelope.
        case payload(String)
        case content(ContentArguments)
        case hint(HintArguments)
    }

    /// - Returns: Nil where no source was given.
    /// - Throws: `ValidationError` for several sources, or an option that its source does not have.
    func source() throws -> Source? {
        var content = try content.content()
        if let personalized = try personalized.arguments() {
            guard payload == nil, hint == nil else {
                throw ValidationError(
                    "--personalized makes a payload of --title, --body or --alert; leave out the other one.")
            }
            content = content ?? ContentArguments()
            content?.personalized = personalized
            try content?.checkPersonalized()
        }
        let given =
            [payload.map { _ in "--payload" }, hint.map { _ in "--hint" }].compactMap { $0 }
            + (hint != nil && content?.isOnlyCustom == true ? [] : content?.given ?? [])
        guard (payload == nil || given.count == 1) && (hint == nil || given.count == 1) else {
            throw ValidationError("\(MessageOptions.list(given)) both give a payload; use one of them.")
        }
        guard hint != nil || (record.isEmpty && changed == nil) else {
            throw ValidationError("--record and --changed need --hint, such as --hint INTERACTION.")
        }
        if let hint {
            return .hint(
                try HintArguments(type: hint, records: record, changed: changed, custom: content?.custom ?? [:]))
        }
        if let payload { return .payload(payload) }
        try content?.check(for: pushType)
        return content.map { .content($0) }
    }

    /// The path of the payload file; nil where there is none.
    var payloadPath: String? { payload.flatMap { MessageOptions.isJSON($0) ? nil : $0 } }

    /// Reads what `--payload` gives: JSON, a file, or standard input.
    static func text(of payload: String) throws(CommandError) -> SourceText {
        if isJSON(payload) { return SourceText(name: "--payload", bytes: Array(payload.utf8)) }
        return try text(ofFile: payload)
    }

    /// Reads a payload file, or standard input.
    static func text(ofFile payload: String) throws(CommandError) -> SourceText {
        do throws(FileError) {
            let bytes = try InputFile.bytes(of: payload, limit: SendPlan.maximumPayloadFileBytes)
            return SourceText(name: payload == "-" ? InputFile.standardInputName : payload, bytes: bytes)
        } catch {
            throw CommandError("\(error); it should be a payload, a JSON object with the key aps")
        }
    }

    /// A path can begin with a brace too, but then it is written with `./` in front.
    static func isJSON(_ payload: String) -> Bool { payload.first { !$0.isWhitespace } == "{" }

    /// The first two of the options that exclude each other.
    private static func list(_ options: [String]) -> String { options.prefix(2).joined(separator: " and ") }

    /// The values of all options that affect what is sent, without the content of files. Options that former versions did
    /// not have are left out where they are not given, so that a journal of such a version is continued.
    var fingerprint: String {
        var parts: [String?] = [
            pushType?.rawValue, priority.map { "\($0.rawValue)" }, expiration?.fingerprint, collapseID?.value,
            apnsID?.text, content.alert, hint, record.joined(separator: " "), changed,
        ]
        if let payload, payloadPath == nil { parts.append(payload) }
        let more: [String?] = [
            content.title, content.subtitle, content.body, content.sound, content.badge.map { "\($0)" },
            content.threadID, content.category,
        ]
        if more.contains(where: { $0 != nil }) || !content.custom.isEmpty {
            parts += more
            for custom in content.custom { parts.append(custom) }
        }
        if let personalized = try? personalized.arguments() { parts.append(personalized.fingerprint) }
        return parts.map { $0 ?? "-" }.joined(separator: "\n")
    }
}
