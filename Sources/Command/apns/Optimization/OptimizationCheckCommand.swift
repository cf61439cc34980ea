import APNSPayload
import ArgumentParser
import ExperienceLint

/// `apns optimization check`: checks experience entries.
struct OptimizationCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks experience entries: shares, variants, audiences, locales.",
        discussion: """
            EXAMPLES:
              apns optimization check entries.json
              apns optimization check --format sarif --output entries.sarif entries/
              curl -H "Authorization: Bearer $TOKEN" \\
                'https://HOST/spaces/SPACE/environments/master/entries?include=10' \\
                | apns optimization check -

            A PATH is a file, or a folder that is searched for *.json; - is standard input. A file has a delivery reply, an \
            array of entries or one entry; links may be replaced by their entries. docs/optimization.md lists the rules.

            EXIT STATUS: 0 no finding of --fail-on or worse; 1 such a finding; 2 something could not be read or written; 64 \
            bad arguments.
            """)

    @Argument(help: ArgumentHelp("Files and folders.", valueName: "path"), completion: .file())
    var paths: [String]
    @Option(help: "The format of the report: text, json (an object a line), sarif, junit, github, gitlab or bitbucket.")
    var format = ValidateFormat.text
    @Option(
        help: ArgumentHelp(
            "The lowest severity that makes the exit status 1: error, warning or note.", valueName: "severity"),
        completion: .list(["error", "warning", "note"]))
    var failOn = "error"
    @Option(
        help: ArgumentHelp(
            "The file to write the report to. It is replaced only by a complete report.", valueName: "file"),
        completion: .file())
    var output: String?

    func validate() throws {
        guard Severity(rawValue: failOn) != nil else {
            throw ValidationError("--fail-on must be error, warning or note, not \"\(PlainText.safe(failOn))\".")
        }
        guard !paths.contains("") else { throw ValidationError("A PATH is empty; name a file or a folder.") }
        guard paths.filter({ $0 == "-" }).count < 2 else {
            throw ValidationError("Standard input (-) can be read only once.")
        }
    }

    func run() throws {
        var run = OptimizationCheckRun(
            format: format, failOn: Severity(rawValue: failOn) ?? .error, report: try ReportWriter(path: output))
        for path in paths { run.check(path) }
        try run.finish().end()
    }
}
