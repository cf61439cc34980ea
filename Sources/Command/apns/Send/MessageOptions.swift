import APNSModel
import ArgumentParser

/// Headers and payload of what is sent.
struct MessageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Bundle id of the app, with a suffix for some push types.", valueName: "bundle"),
        transform: ArgumentReading.topic)
    var topic: Topic?

    @Option(
        help: ArgumentHelp("Push type; background with --hint, otherwise alert.", valueName: "type"),
        transform: ArgumentReading.pushType)
    var pushType: PushType?

    @Option(
        help: ArgumentHelp("Priority 10, 5 or 1; 5 for a background push, otherwise APNs assumes 10."),
        transform: ArgumentReading.priority)
    var priority: Priority?

    @Option(
        help: ArgumentHelp("Seconds since 1970 until which APNs keeps it, or once: one attempt.", valueName: "unix"),
        transform: ArgumentReading.expiration)
    var expiration: Expiration?

    @Option(
        help: ArgumentHelp("Newer ones replace older ones with the same id; up to 64 bytes.", valueName: "id"),
        transform: ArgumentReading.collapseID)
    var collapseID: CollapseID?

    @Option(
        help: ArgumentHelp("Id of the notification, for one only; made when absent.", valueName: "uuid"),
        transform: ArgumentReading.notificationID)
    var apnsID: NotificationID?

    @Option(help: ArgumentHelp("Payload file, .apns file or envelope; - is standard input.", valueName: "path"))
    var payload: String?

    @Option(help: ArgumentHelp("Alert to show, instead of a payload.", valueName: "text"))
    var alert: String?

    @Option(
        help: ArgumentHelp(
            "Silent hint that records changed, instead of a payload: ACCOUNT_UPDATE or INTERACTION.", valueName: "type")
    )
    var hint: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Ids of the records that changed, for --hint.", valueName: "id"))
    var record: [String] = []

    @Option(help: ArgumentHelp("What changed, for --hint ACCOUNT_UPDATE, such as Name,Owner.", valueName: "names"))
    var changed: String?

    /// Which of the ways to say what to send was used.
    enum Source: Hashable {
        case file(String)
        case alert(String)
        case hint(Hint)
    }

    /// Throws `ValidationError` for anything but one source.
    func source() throws -> Source? {
        let given = [payload.map { _ in "--payload" }, alert.map { _ in "--alert" }, hint.map { _ in "--hint" }]
            .compactMap { $0 }
        guard given.count < 2 else {
            throw ValidationError("\(given.joined(separator: " and ")) both say what to send; give one of them.")
        }
        guard hint != nil || (record.isEmpty && changed == nil) else {
            throw ValidationError("--record and --changed need --hint ACCOUNT_UPDATE or --hint INTERACTION.")
        }
        if let hint { return .hint(try Hint(type: hint, records: record, changed: changed)) }
        return payload.map { .file($0) } ?? alert.map { .alert($0) }
    }

    /// Every option that has a say in what is sent, but for the content of files.
    var fingerprint: String {
        [
            pushType?.rawValue, priority.map { "\($0.rawValue)" }, expiration.map { "\($0.secondsSince1970)" },
            collapseID?.value, apnsID?.text, alert, hint, record.joined(separator: " "), changed,
        ]
        .map { $0 ?? "-" }.joined(separator: "\n")
    }
}
