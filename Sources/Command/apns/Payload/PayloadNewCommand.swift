import APNSModel
import APNSPayload
import ArgumentParser
import PayloadGuide
import PayloadJSON
import SystemFiles

/// `apns payload new`: a right payload of a push type.
struct PayloadNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Prints a right payload of a push type, to begin with.",
        discussion: """
            apns validate --push-type TYPE has no finding about it, and apns validate none about an envelope. What to \
            replace, and which headers it needs, is said on stderr.

            EXAMPLES
              apns payload new --type alert > alert.json
              apns payload new --type liveactivity --event start
              apns payload new --type voip --envelope --topic com.example.agent > call.json

            EXIT STATUS: 0 done; 2 the output could not be written; 64 bad arguments. No environment variable is read.
            """)

    @Option(
        name: [.customLong("type"), .customLong("push-type")],
        help: ArgumentHelp(
            "The push type: \(PushType.known.map(\.rawValue).joined(separator: ", ")).", valueName: "type"),
        completion: .pushTypes)
    var type: PushTypeArgument

    @Option(
        help: "What happens to the Live Activity: start, update or end (default: update).",
        completion: .list(PayloadSample.Event.allCases.map(\.rawValue)), transform: ArgumentReading.choice)
    var event: PayloadSample.Event?

    @Flag(help: "Print an envelope: the payload with the headers that the push type needs.")
    var envelope = false

    @Option(
        help: ArgumentHelp(
            "The app of the envelope; for an MDM push the whole topic (default: com.example.agent).",
            valueName: "bundle"),
        transform: ArgumentReading.topic)
    var topic: Topic?

    @Option(help: ArgumentHelp("The device token of the envelope (default: none).", valueName: "hex"))
    var token: String?

    @Flag(help: "Print it on one line.")
    var compact = false

    func validate() throws {
        if PayloadSample(type.value, now: 0) == nil {
            let meant = PushType.meant(by: type.value.rawValue).map { "did you mean \($0)?" }
            throw ValidationError(
                "--type: \"\(PlainText.safe(type.value.rawValue))\" is not a push type; "
                    + (meant ?? "it must be one of \(PushType.known.map(\.rawValue).joined(separator: ", "))."))
        }
        guard event == nil || type.value == .liveactivity else {
            throw ValidationError("--event is for --type liveactivity.")
        }
        guard envelope || topic == nil && token == nil else {
            throw ValidationError("--topic and --token are for an envelope; give --envelope, too.")
        }
        if let fault = topicFault { throw ValidationError("--topic: \(PlainText.safe(fault)).") }
        if let token, DeviceToken(token) == nil {
            throw ValidationError("--token: \(DeviceTokenLine.fault(of: token))")
        }
    }

    /// What the validator finds in the headers of the envelope, which comes from the topic. Nil for nothing.
    private var topicFault: String? {
        guard let topic, let sample = PayloadSample(type.value, now: 0) else { return nil }
        var validator = Validator()
        let findings = validator.findings(for: sample.envelope(to: nil, of: topic))
        return findings.first { $0.pointer?.hasPrefix("apns-") == true }?.message
    }

    func run() throws {
        guard let now = PushDate(secondsSince1970: WallClock.secondsSince1970),
            let sample = PayloadSample(type.value, event: event ?? .update, now: now)
        else { throw CommandError("the clock of this machine is wrong; set it") }
        let app = topic ?? PayloadSample.exampleTopic(for: type.value)
        let text =
            envelope
            ? sample.envelope(to: token.flatMap { DeviceToken($0) }, of: app).json.bytes : sample.payload
        Output.standard.write((compact ? text : IndentedJSON.text(text)) + [UInt8(ascii: "\n")])
        Output.standard.note(sample.advice)
    }
}
