import APNSModel
import APNSPayload
import ArgumentParser
import PayloadLint

/// `apns validate`: checks payload files.
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Checks payload files, envelopes and streams.",
        discussion: """
            EXAMPLES:
              apns validate
              apns validate --push-type background payloads/account-update.json
              apns validate --format sarif --output apns.sarif payloads
              apns validate --write-baseline baseline.json payloads
              apns validate --baseline baseline.json --fail-on warning payloads
              apns validate --diff payloads; apns validate --fix payloads
              make-pushes | apns validate --stdin-filename pushes.ndjson -

            A PATH is a file, or a folder that is searched for *.json, *.apns, *.ndjson and *.jsonl; - is standard input. A \
            file is a bare payload, a simulator file (.apns), an envelope, or one of these a line (.ndjson, .jsonl). \
            Explain a rule with: apns rules ID

            The nearest .apns-validate.yaml, in the folder of a file or above, says which rules count, and what push type \
            and topic files have. docs/validate.md describes it, and how to ignore a finding.

            EXIT STATUS: 0 nothing found that counts; 1 a finding of --fail-on or worse, or with --diff something to \
            change; 2 something could not be read or written, or a configuration is wrong; 64 bad arguments. No \
            environment variable is read but NO_COLOR.
            """)

    @Argument(help: ArgumentHelp("Files and folders (default: payloads).", valueName: "path"))
    var paths: [String] = []

    @Option(
        help: ArgumentHelp("Push type of what does not name one.", valueName: "type"),
        transform: ArgumentReading.pushType)
    var pushType: PushType?

    @Option(
        help: ArgumentHelp("Topic of what does not name one.", valueName: "bundle"), transform: ArgumentReading.topic)
    var topic: Topic?

    @Option(help: "Form of the report: text, json (an object a line), sarif, junit, github or gitlab.")
    var format = ValidateFormat.text

    @Option(
        help: ArgumentHelp("The only configuration that counts; its patterns count from here.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("File with findings that are known and not reported.", valueName: "file"))
    var baseline: String?

    @Option(help: ArgumentHelp("Write all findings into this baseline instead of reporting them.", valueName: "file"))
    var writeBaseline: String?

    @Option(
        help: ArgumentHelp(
            "The least severity that makes the status 1: error, warning or note (default: error).",
            valueName: "severity"))
    var failOn: String?

    @Option(
        help: ArgumentHelp(
            "The present, for rules about times: Unix seconds or RFC 3339 (default: the clock).", valueName: "time"),
        transform: ArgumentReading.time)
    var now: Int64?

    @Flag(help: "Mend what can be mended without asking, in the files themselves.")
    var fix = false

    @Flag(help: "Print what --fix changes as a unified diff, instead of a report.")
    var diff = false

    @Flag(help: "Check again whatever changes, until Ctrl-C.")
    var watch = false

    @Option(help: ArgumentHelp("How to call standard input; the ending says what is in it.", valueName: "name"))
    var stdinFilename: String?

    @Option(help: ArgumentHelp("File to write the report to, whole or not at all.", valueName: "file"))
    var output: String?

    func validate() throws {
        if let failOn, Severity(rawValue: failOn) == nil {
            throw ValidationError("--fail-on must be error, warning or note, not \"\(PlainText.safe(failOn))\".")
        }
        guard !paths.contains("") else { throw ValidationError("A PATH is empty; name a file or a folder.") }
        let standardInputs = paths.filter { $0 == "-" }.count
        guard standardInputs < 2 else { throw ValidationError("Standard input (-) can be read only once.") }
        guard stdinFilename == nil || standardInputs == 1 else {
            throw ValidationError("--stdin-filename needs the path -, which is standard input.")
        }
        if standardInputs == 1 {
            guard !fix else {
                throw ValidationError("--fix changes files, so it cannot go with standard input (-); use --diff.")
            }
            guard !watch else {
                throw ValidationError("--watch watches files, so it cannot go with standard input (-).")
            }
        }
        guard baseline == nil || writeBaseline == nil else {
            throw ValidationError("--baseline and --write-baseline: give one; what is written replaces what was known.")
        }
        guard !diff || (format == .text && writeBaseline == nil) else {
            throw ValidationError(
                "--diff prints a diff and no report, so it goes without --format and --write-baseline.")
        }
        if watch {
            guard format == .text || format == .json, output == nil, writeBaseline == nil, !fix, !diff else {
                throw ValidationError(
                    "--watch reports as text or json on standard output; it goes without --output, --write-baseline, --fix "
                        + "and --diff.")
            }
        }
    }

    func run() throws {
        let stop = StopSignal()
        let signals = Signals { count in
            if count > 1 { System.exit(.failed) }
            stop.stop()
        }
        defer { withExtendedLifetime(signals) {} }
        let request = ValidateRequest(
            options: LintOptions(pushType: pushType, topic: topic, failOn: failOn.flatMap(Severity.init(rawValue:))),
            format: format, configuration: config, baseline: baseline, newBaseline: writeBaseline, fixes: fix,
            showsDiff: diff, standardInputName: stdinFilename, output: output, now: now ?? System.wallClock)
        if watch {
            var watch = ValidateWatch(paths, request, stop: stop)
            return try watch.run().end()
        }
        var run = try ValidateRun(request, stop: stop, report: ReportWriter(path: output))
        run.check(paths)
        try run.finish().end()
    }
}
