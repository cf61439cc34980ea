import APNSModel
import APNSPayload
import ArgumentParser
import PayloadGuide
import PayloadJSON
import PayloadLint
import SystemFiles

/// `apns payload explain`: what APNs and a device do with a notification.
struct PayloadExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says in sentences what APNs and the device do with a notification.",
        discussion: """
            FILE is a payload, an envelope, an .apns file, or .ndjson or .jsonl with one of them on each line. The sentences are \
            about the app in the foreground, in the background, suspended and force-quit, and about low power mode and \
            background refresh off. What the validator finds is listed at the end.

            EXAMPLES
              apns payload explain push.json --push-type background
              apns payload new --type voip | apns payload explain - --push-type voip
              apns payload explain envelopes.ndjson --json

            EXIT STATUS: 0 explained; 1 explained, and there is an error-level finding; 2 the file cannot be read, or it or one \
            of its lines is not JSON; 64 bad arguments. No environment variable but NO_COLOR is read.
            """)

    @Argument(
        help: ArgumentHelp("The file; - reads standard input.", valueName: "file"),
        completion: .file(extensions: ["json", "apns", "ndjson", "jsonl"]))
    var file: String

    @Option(
        help: ArgumentHelp("The push type, where no header names it.", valueName: "type"), completion: .pushTypes)
    var pushType: PushTypeArgument?

    @Flag(help: "Print one JSON object for each notification.")
    var json = false

    /// The most that is read. A payload has at most 5120 bytes, and a file of lines many of them.
    private static let maximumBytes = 64 << 20

    func validate() throws { try pushType?.check() }

    func run() throws {
        let name = file == "-" ? InputFile.standardInputName : file
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: file, limit: PayloadExplainCommand.maximumBytes)
        }
        let source = SourceText(name: name, bytes: bytes)
        var status = ExitStatus.done
        var text = ExplanationText(style: Output.standard.results, width: System.terminalWidth(1))
        var reader = NotificationExplainer(pushType: pushType?.value, now: WallClock.secondsSince1970)
        let mark = ByteOrderMark.finding(of: LintRule.byteOrderMark)
        for var part in source.isLines ? source.lines : [source] {
            let hasMark = ByteOrderMark.remove(from: &part) > 0
            var explained: NotificationExplainer.Explained
            do throws(JSONSyntaxError) {
                explained = try reader.explain(part)
            } catch {
                if hasMark { Output.standard.note(PlainText.safe(PlacedMessage.text(part, at: 0, mark.description))) }
                let message = PlainText.safe(
                    PlacedMessage.text(part, at: error.offset, "not JSON: \(error.description)"))
                guard source.isLines else { throw CommandError(message) }
                Output.standard.note(message)
                status = .failed
                continue
            }
            if hasMark { explained.findings.insert(mark, at: 0) }
            if explained.hasError, status == .done { status = .no }
            if json {
                Output.standard.result(explained.json(file: name, line: part.firstLine))
            } else {
                Output.standard.write(text.text(of: explained, in: part))
            }
        }
        if source.isLines, source.lines.isEmpty { throw CommandError("\(name) has no lines with a notification") }
        try Output.standard.finish()
        try status.end()
    }
}
