import APNSModel
import APNSPayload
import ArgumentParser

/// `apns validate`: checks payload files.
struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks payload files, envelopes and streams.",
        discussion: """
            EXAMPLE: apns validate --push-type background payloads/account-update.json

            A PATH is a file, or a folder that is searched for *.json, *.apns, *.ndjson and *.jsonl; - is standard input. A \
            file is a bare payload, a simulator file (.apns), an envelope, or one of these a line (.ndjson, .jsonl). \
            Explain a rule with: apns rules ID

            EXIT STATUS: 0 nothing found that counts; 1 a finding of --fail-on or worse; 2 something could not be read; 64 \
            bad arguments. No environment variable is read but NO_COLOR.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: ArgumentHelp("Files and folders (default: payloads).", valueName: "path"))
    var paths: [String] = []

    @Option(
        help: ArgumentHelp("Push type of what does not name one.", valueName: "type"),
        transform: ArgumentReading.pushType)
    var pushType: PushType?

    @Option(
        help: ArgumentHelp("Topic of what does not name one.", valueName: "bundle"), transform: ArgumentReading.topic)
    var topic: Topic?

    @Option(help: "Form of the report: text or json, an object for each finding.")
    var format = Format.text

    @Option(
        help: ArgumentHelp("The least severity that makes the status 1: error, warning or note.", valueName: "severity")
    )
    var failOn = "error"

    @Option(help: ArgumentHelp("How to call standard input; the ending says what is in it.", valueName: "name"))
    var stdinFilename: String?

    @Option(help: ArgumentHelp("File to write the report to, whole or not at all.", valueName: "path"))
    var output: String?

    func validate() throws {
        guard Severity(rawValue: failOn) != nil else {
            throw ValidationError("--fail-on must be error, warning or note, not \"\(PlainText.safe(failOn))\".")
        }
        guard paths.filter({ $0 == "-" }).count < 2 else {
            throw ValidationError("Standard input (-) can be read only once.")
        }
        guard stdinFilename == nil || paths.contains("-") else {
            throw ValidationError("--stdin-filename needs the path -, which is standard input.")
        }
    }

    func run() throws {
        let stop = StopSignal()
        let signals = Signals { count in
            if count > 1 { System.exit(.failed) }
            stop.stop()
        }
        defer { withExtendedLifetime(signals) {} }
        let report = try ReportWriter(path: output)
        var run = ValidateRun(
            defaults: EnvelopeDefaults(topic: topic, pushType: pushType), isJSON: format == .json,
            standardInputName: stdinFilename, stop: stop, report: report)
        for path in paths.isEmpty ? ["payloads"] : paths where !stop.isStopped {
            run.check(path: path, isDefault: paths.isEmpty)
        }
        try run.finish(failOn: Severity(rawValue: failOn) ?? .error).end()
    }
}
