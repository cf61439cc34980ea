import APNSPayload
import ArgumentParser
import ExperienceLint
import PayloadLint

/// One run of `apns optimization check`: reads, checks and reports each file.
struct OptimizationCheckRun {
    private let format: ValidateFormat
    private let failOn: Severity
    private let report: ReportWriter
    private var reporter: any FindingReporter
    private var summary = LintSummary()
    private var experiences = 0

    init(format: ValidateFormat, failOn: Severity, report: ReportWriter) {
        self.format = format
        self.failOn = failOn
        self.report = report
        let inner: any FindingReporter =
            switch format {
            case .sarif: SARIFReporter(rules: ExperienceRule.all, version: APNSCommand.configuration.version)
            case .bitbucket: BitbucketReporter(rules: ExperienceRule.all, folder: System.currentFolder)
            default: format.reporter
            }
        reporter = EntryReporter(inner: inner)
        report.write(reporter.begin())
    }

    mutating func check(_ path: String) {
        guard path != "-", PayloadFolder.isFolder(path) else { return checkFile(path) }
        let found = PayloadFolder(path)
        for error in found.errors { fail(error.description) }
        let files = found.files.filter { $0.lowercased().hasSuffix(".json") }
        if files.isEmpty, found.errors.isEmpty { fail("\(path) has no files that end with .json") }
        for file in files { checkFile(file) }
    }

    private mutating func checkFile(_ path: String) {
        let name = path == "-" ? InputFile.standardInputName : path
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.bytes(of: path, limit: ExperienceLinter.maximumBytes)
        } catch {
            return fail(error.description, in: name)
        }
        report.write(reporter.begin(file: name, failOn: failOn))
        let result = ExperienceLinter.check(bytes)
        let source = SourceText(name: name, bytes: bytes)
        let located = LocatedFinding.locate(result.findings, inPayload: source)
        summary.files += 1
        experiences += result.experiences
        summary.add(located, failOn: failOn)
        if !located.isEmpty { summary.filesWithFindings += 1 }
        guard !located.isEmpty || reporter.listsClean else { return }
        report.write(reporter.report(located, in: source))
    }

    private mutating func fail(_ message: String, in file: String? = nil) {
        summary.failures += 1
        report.note(message)
        report.write(reporter.failure(message, in: file))
    }

    /// Prints the summary and completes the report.
    mutating func finish() throws -> ExitStatus {
        report.write(reporter.end())
        if format == .text { report.write(text + "\n") }
        if format != .text || report.isFile { report.note(text) }
        try report.finish()
        guard summary.failures == 0 else { return .failed }
        return summary.failing > 0 ? .no : .done
    }

    /// It never says that there are no findings where nothing was checked because of a failure.
    private var text: String {
        let failed = LintSummary.counted(summary.failures, "failure")
        guard summary.files > 0 else { return "nothing was checked: \(failed)" }
        let found = Severity.allCases.filter { summary.count(of: $0) > 0 }.map { severity in
            LintSummary.counted(summary.count(of: severity), severity.rawValue)
        }
        var text = LintSummary.counted(experiences, "experience") + " in " + LintSummary.counted(summary.files, "file")
        text += " checked: "
        text +=
            found.isEmpty
            ? "no findings"
            : found.joined(separator: ", ") + " in \(LintSummary.counted(summary.filesWithFindings, "file"))"
        return summary.failures > 0 ? "\(text); \(failed)" : text
    }
}

/// A reporter of the validator under the name of this tool.
private struct EntryReporter: FindingReporter {
    var inner: any FindingReporter

    var listsClean: Bool { inner.listsClean }

    private func named(_ text: String) -> String { text.replacing("apns validate", with: "apns optimization check") }

    mutating func begin() -> String { named(inner.begin()) }
    mutating func begin(file: String, failOn: Severity) -> String { inner.begin(file: file, failOn: failOn) }
    mutating func report(_ findings: [LocatedFinding], in source: SourceText) -> String {
        inner.report(findings, in: source)
    }
    mutating func failure(_ message: String, in file: String?) -> String {
        file == nil ? named(inner.failure(message, in: nil)) : inner.failure(message, in: file)
    }
    mutating func end() -> String { inner.end() }
}
