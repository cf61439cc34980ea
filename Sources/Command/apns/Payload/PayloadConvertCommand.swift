import APNSModel
import APNSPayload
import ArgumentParser
import PayloadGuide
import PayloadJSON
import PayloadLint
import SystemFiles

/// `apns payload convert`: envelopes from bodies of other push services.
struct PayloadConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts bodies of Firebase HTTP v1 and of Expo to envelopes.",
        discussion: """
            FILE has one body, an array of bodies as Expo takes it, or, as .ndjson or .jsonl, one on each line. Each envelope is a \
            line on stdout, which apns send --batch and apns validate read. What is lost, changed or added is said on stderr, with \
            its place. A registration token of Firebase or Expo is not a device token and is lost: give the device token with \
            apns send --token, or add it to the envelope.

            EXAMPLES
              apns payload convert firebase.json --topic com.example.agent > push.ndjson
              apns payload convert expo.json | apns validate --stdin-filename push.ndjson -
              apns send --batch push.ndjson --gateway local --token TOKEN

            EXIT STATUS: 0 converted, even if something was lost; 1 converted, and an envelope has an error-level finding; 2 a file \
            or a body cannot be read; 64 bad arguments. No environment variable is read.
            """)

    @Argument(
        help: ArgumentHelp("The file; - reads standard input.", valueName: "file"),
        completion: .file(extensions: ["json", "ndjson", "jsonl"]))
    var file: String

    @Option(
        help: "The service: firebase or expo (default: recognized).",
        completion: .list(BodyFormat.allCases.map(\.rawValue)), transform: ArgumentReading.choice)
    var from: BodyFormat?

    @Option(
        help: ArgumentHelp(
            "The app of bodies without a header apns-topic; the suffix of the push type is added (default: none).",
            valueName: "bundle"),
        transform: ArgumentReading.topic)
    var topic: Topic?

    /// The most that is read.
    private static let maximumBytes = 64 << 20

    func run() throws {
        let name = file == "-" ? InputFile.standardInputName : file
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: file, limit: PayloadConvertCommand.maximumBytes)
        }
        let source = SourceText(name: name, bytes: bytes)
        let converter = BodyConverter(format: from, app: topic, now: WallClock.secondsSince1970)
        var validator = Validator()
        validator.now = converter.now
        var status = ExitStatus.done
        for var part in source.isLines ? source.lines : [source] {
            if ByteOrderMark.remove(from: &part) > 0 {
                let text = "lost: the body: the byte order mark before it, which no JSON reader has to accept"
                Output.standard.note(PlainText.safe(PlacedMessage.text(part, at: 0, text)))
            }
            let conversion: BodyConversion
            do throws(BodyConversionError) {
                conversion = try converter.convert(part.bytes)
            } catch {
                Output.standard.note(PlainText.safe(PlacedMessage.text(part, at: error.offset, error.description)))
                status = .failed
                continue
            }
            for note in conversion.notes {
                let text = "\(note.kind.rawValue): \(note.pointer.isEmpty ? "the body" : note.pointer): \(note.text)"
                Output.standard.note(PlainText.safe(PlacedMessage.text(part, at: note.offset, text)))
            }
            for failure in conversion.failures {
                Output.standard.note(PlainText.safe(PlacedMessage.text(part, at: failure.offset, failure.description)))
                status = .failed
            }
            for envelope in conversion.envelopes {
                Output.standard.write(envelope.json.bytes + [UInt8(ascii: "\n")])
                guard let finding = validator.firstError(for: envelope) else { continue }
                let text = "error: \(finding.message) [\(finding.rule)]; apns validate shows the place in the envelope"
                Output.standard.note(PlainText.safe(PlacedMessage.text(part, at: 0, text)))
                if status == .done { status = .no }
            }
        }
        if source.isLines, source.lines.isEmpty { throw CommandError("\(name) has no lines with a body") }
        try Output.standard.finish()
        try status.end()
    }
}
