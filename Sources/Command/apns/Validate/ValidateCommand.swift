import APNSModel
import APNSPayload
import ArgumentParser
import PayloadLint
import SystemFiles

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
              apns validate --changed-since origin/main payloads
              make-pushes | apns validate --stdin-filename pushes.ndjson -

            A PATH is a file, or a folder that is searched for *.json, *.apns, *.ndjson and *.jsonl; - is standard input. A \
            file has a bare payload, a simulator payload (.apns), an envelope, or one of these on each line (.ndjson, \
            .jsonl). To explain a rule use: apns rules ID

            The nearest .apns-validate.yaml, in the folder of a file or above, sets the rules, and the push type and topic \
            of files. docs/validate.md describes it, and how to ignore a finding.

            EXIT STATUS: 0 no finding of --fail-on or worse; 1 such a finding, or with --diff something to change; 2 \
            something could not be read or written, or a configuration is wrong; 64 bad arguments. The only environment \
            variable is NO_COLOR.
            """)

    @Argument(help: ArgumentHelp("Files and folders (default: payloads).", valueName: "path"), completion: .file())
    var paths: [String] = []

    @Option(
        help: ArgumentHelp("The push type of notifications that do not name one.", valueName: "type"),
        completion: .pushTypes)
    var pushType: PushTypeArgument?

    @Flag(help: PushTypeArgument.allowanceHelp)
    var allowNewPushTypes = false

    @Option(
        help: ArgumentHelp("The topic of notifications that do not name one.", valueName: "bundle"),
        transform: ArgumentReading.topic)
    var topic: Topic?

    @Option(help: "The format of the report: text, json (an object a line), sarif, junit, github, gitlab or bitbucket.")
    var format = ValidateFormat.text

    @Option(
        help: ArgumentHelp(
            "Use only this configuration; its patterns are relative to the current folder.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp("A file of known findings, which are not reported.", valueName: "file"), completion: .file())
    var baseline: String?

    @Option(
        help: ArgumentHelp("Write all findings to this baseline instead of reporting them.", valueName: "file"),
        completion: .file())
    var writeBaseline: String?

    @Option(
        help: ArgumentHelp(
            """
            Check only files that differ from the last commit that this one and HEAD have in common, untracked ones too, \
            and files whose configuration does. Needs git.
            """, valueName: "commit"))
    var changedSince: String?

    @Option(
        help: ArgumentHelp(
            "The address of a page such as docs/rules.html; findings then have links to their rules.", valueName: "url"),
        transform: ArgumentReading.rulesPage)
    var rulesPage: RuleLinks?

    @Option(
        help: ArgumentHelp(
            "The lowest severity that makes the exit status 1: error, warning or note (default: error).",
            valueName: "severity"), completion: .list(["error", "warning", "note"]))
    var failOn: String?

    @Option(
        help: ArgumentHelp(
            "The present time for rules about times, in Unix seconds or RFC 3339 (default: the clock).",
            valueName: "time"),
        transform: ArgumentReading.time)
    var now: Int64?

    @Flag(help: "Fix findings in the files, where there is only one way to do so.")
    var fix = false

    @Flag(help: "Print what --fix changes as a unified diff, instead of a report.")
    var diff = false

    @Flag(help: "Check changed files again, until Ctrl-C.")
    var watch = false

    @Option(
        help: ArgumentHelp(
            "The name of standard input in reports; its extension determines the kind of file.", valueName: "name"))
    var stdinFilename: String?

    @Option(
        help: ArgumentHelp(
            "The file to write the report to. It is replaced only by a complete report.", valueName: "file"),
        completion: .file())
    var output: String?

    func validate() throws {
        try pushType?.check(allowsNew: allowNewPushTypes)
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
                throw ValidationError("--fix changes files and cannot be used with standard input (-); use --diff.")
            }
            guard !watch else {
                throw ValidationError("--watch watches files and cannot be used with standard input (-).")
            }
        }
        guard baseline == nil || writeBaseline == nil else {
            throw ValidationError(
                "--baseline and --write-baseline: give one of them; the written baseline replaces the known one.")
        }
        guard !diff || (format == .text && writeBaseline == nil) else {
            throw ValidationError(
                "--diff prints a diff instead of a report and cannot be used with --format or --write-baseline.")
        }
        if let changedSince {
            guard !ChangesQuery.isUnusable(changedSince) else {
                throw ValidationError(
                    "--changed-since must be the name of a commit, such as origin/main, not "
                        + "\"\(PlainText.safe(changedSince))\".")
            }
            guard standardInputs == 0, !watch, writeBaseline == nil else {
                throw ValidationError(
                    "--changed-since leaves out files and cannot be used with standard input (-), --watch or "
                        + "--write-baseline.")
            }
        }
        if watch {
            guard format == .text || format == .json, output == nil, writeBaseline == nil, !fix, !diff else {
                throw ValidationError(
                    "--watch reports as text or json on standard output and cannot be used with --output, "
                        + "--write-baseline, --fix or --diff.")
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
            options: LintOptions(
                pushType: pushType?.value, topic: topic, failOn: failOn.flatMap(Severity.init(rawValue:)),
                allowsNewPushTypes: allowNewPushTypes),
            format: format, configuration: config, baseline: baseline, newBaseline: writeBaseline, fixes: fix,
            showsDiff: diff, standardInputName: stdinFilename, output: output,
            changes: try changedSince.map { name throws(CommandError) in try GitChanges.since(name) },
            links: rulesPage, now: now ?? WallClock.secondsSince1970,
            style: output == nil ? Output.standard.results : .plain)
        if watch {
            var watch = ValidateWatch(paths, request, stop: stop)
            return try watch.run().end()
        }
        System.enlargePipe(1)
        var run = try ValidateRun(request, stop: stop, report: ReportWriter(path: output))
        run.check(paths)
        try run.finish().end()
    }
}
