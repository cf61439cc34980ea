import APNSModel
import ArgumentParser

/// The options for headers and payload.
struct MessageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The bundle id of the app, with a suffix for some push types.", valueName: "bundle"),
        transform: ArgumentReading.topic)
    var topic: Topic?

    @Option(
        help: ArgumentHelp("The push type (default: background with --hint, otherwise alert).", valueName: "type"),
        transform: ArgumentReading.pushType)
    var pushType: PushType?

    @Option(
        help: ArgumentHelp(
            "10, 5 or 1 (default: 5 for a background push; otherwise none is sent, and APNs assumes 10)."),
        transform: ArgumentReading.priority)
    var priority: Priority?

    @Option(
        help: ArgumentHelp(
            "Until when APNs stores it, in seconds since 1970, or once for a single attempt without storage.",
            valueName: "unix"),
        transform: ArgumentReading.expiration)
    var expiration: Expiration?

    @Option(
        help: ArgumentHelp(
            "A notification replaces an older one with the same collapse id; up to 64 bytes.", valueName: "id"),
        transform: ArgumentReading.collapseID)
    var collapseID: CollapseID?

    @Option(
        help: ArgumentHelp("The id of the notification; for a single one (default: a new one).", valueName: "uuid"),
        transform: ArgumentReading.notificationID)
    var apnsID: NotificationID?

    @Option(help: ArgumentHelp("A payload file, .apns file or envelope; - is standard input.", valueName: "path"))
    var payload: String?

    @Option(help: ArgumentHelp("The text of an alert, instead of a payload.", valueName: "text"))
    var alert: String?

    @Option(
        help: ArgumentHelp(
            "Send a silent hint that records changed, instead of a payload: ACCOUNT_UPDATE or INTERACTION.",
            valueName: "type")
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

    /// What the payload is made from.
    enum Source: Hashable {
        case file(String)
        case alert(String)
        case hint(HintArguments)
    }

    /// - Returns: Nil where no source was given.
    /// - Throws: `ValidationError` for several sources, or an option that its source does not have.
    func source() throws -> Source? {
        let given = [payload.map { _ in "--payload" }, alert.map { _ in "--alert" }, hint.map { _ in "--hint" }]
            .compactMap { $0 }
        guard given.count < 2 else {
            throw ValidationError("\(given.joined(separator: " and ")) both give a payload; use one of them.")
        }
        guard hint != nil || (record.isEmpty && changed == nil) else {
            throw ValidationError("--record and --changed need --hint ACCOUNT_UPDATE or --hint INTERACTION.")
        }
        if let hint { return .hint(try HintArguments(type: hint, records: record, changed: changed)) }
        return payload.map { .file($0) } ?? alert.map { .alert($0) }
    }

    /// The values of all options that affect what is sent, without the content of files.
    var fingerprint: String {
        [
            pushType?.rawValue, priority.map { "\($0.rawValue)" }, expiration.map { "\($0.secondsSince1970)" },
            collapseID?.value, apnsID?.text, alert, hint, record.joined(separator: " "), changed,
        ]
        .map { $0 ?? "-" }.joined(separator: "\n")
    }
}
