import APNSPayload
import ConfigurationText
import PayloadLint

/// One run of `apns validate`: takes the input, has it checked on all cores, and reports in the order of the input.
struct ValidateRun {
    private let request: ValidateRequest
    private let stop: StopSignal
    private let report: ReportWriter
    private(set) var summary = LintSummary()
    /// How many findings of `--fail-on` or worse each file has. Files without any are absent.
    private(set) var failing: [String: Int] = [:]
    private(set) var resolver: SettingsResolver
    private var reporter: any FindingReporter
    private var baseline: BaselineUse
    private let usesBaseline: Bool
    private var file = CurrentFile()
    /// Files that were found in a folder and could not be checked.
    private var unreadCount = 0

    /// The file whose findings are reported.
    private struct CurrentFile {
        var name = ""
        var failOn = Severity.error
        var hasFindings = false
    }

    init(_ request: ValidateRequest, stop: StopSignal, report: ReportWriter) throws(CommandError) {
        self.request = request
        self.stop = stop
        self.report = report
        resolver = SettingsResolver(
            options: request.options, file: request.configuration, currentFolder: System.currentFolder,
            readFile: { FileContent.read($0) })
        reporter = request.reporter
        baseline = try BaselineUse(known: request.baseline, new: request.newBaseline)
        usesBaseline = request.baseline != nil || request.newBaseline != nil
        if !request.showsDiff { report.write(reporter.begin()) }
        for fault in resolver.takeErrors() { fail(fault.description, in: fault.file) }
    }

    /// Checks files, all payload files in folders, and standard input. Without paths it checks the folder `payloads`.
    mutating func check(_ paths: [String]) {
        let (request, stop) = (request, stop)
        var input = ValidateInput(paths, request, resolver, stop: stop)
        // What comes from a pipe is reported as it comes, and files are changed one after another.
        if request.looksForFixes || paths.contains(where: { $0 == "-" || PayloadFolder.isPipeOrDevice($0) }) {
            let checker = FileChecker(request, stop: stop, writes: false)
            while let part = input.next() {
                guard request.showsDiff, case .files(let tasks) = part else {
                    checker.check(part) { apply($0) }
                    continue
                }
                // With a diff no event says where a file begins.
                for task in tasks {
                    begin(task.name, failOn: task.settings.failOn)
                    checker.check(.files([task])) { apply($0) }
                }
            }
        } else {
            let writes = !usesBaseline
            var run = self
            OrderedWork.run(
                threads: OrderedWork.threadCount, worker: { FileChecker(request, stop: stop, writes: writes) },
                next: { input.next() }, perform: { $0.check($1) }, take: { for event in $0 { run.apply(event) } })
            self = run
        }
        resolver = input.resolver
        summary.unchanged += input.unchangedCount
    }

    /// Prints the summary and completes the report.
    mutating func finish() throws -> ExitStatus {
        if stop.isStopped { fail("stopped before everything was checked") }
        if !request.showsDiff { report.write(reporter.end()) }
        for note in try baseline.finish(isWhole: summary.failures == 0) { report.note(note) }
        let isText = request.format == .text && !request.showsDiff
        if isText { report.write(summary.text + "\n") }
        if !isText || report.isFile { report.note(summary.text) }
        try report.finish()
        return status
    }

    /// The exit status by the findings so far.
    private var status: ExitStatus {
        // Such a file beside others is a finding; where there is nothing else, nothing could be checked.
        if summary.failures > 0 || unreadCount > 0 && summary.notifications == 0 { return .failed }
        let hasToChange = request.showsDiff && !request.fixes && summary.fixable > 0
        return summary.failing > 0 || hasToChange ? .no : .done
    }

    private mutating func fail(_ message: String, in file: String? = nil) {
        summary.failures += 1
        report.note(message)
        if !request.showsDiff { report.write(reporter.failure(message, in: file)) }
    }
}

// MARK: - Events

extension ValidateRun {
    private mutating func apply(_ event: ValidateEvent) {
        switch event {
        case .begin(let name, let failOn):
            begin(name, failOn: failOn)
            if !request.showsDiff { report.write(reporter.begin(file: name, failOn: failOn)) }
        case .clean(let count): summary.notifications += count
        case .found(let findings, let source):
            summary.notifications += 1
            emit(findings, in: source)
        case .foundInFile(let findings, let source): emit(findings, in: source)
        case .reported(let text, let numbers):
            add(numbers)
            report.write(text)
        case .suppressed(let count): summary.suppressed += count
        case .fixed(let count): summary.fixed += count
        case .unread(let message):
            unreadCount += 1
            // A diff shows no findings.
            if request.showsDiff { report.note(message) }
        case .output(let bytes): report.write(bytes)
        case .note(let text): report.note(text)
        case .failed(let message, let file): fail(message, in: file)
        case .finished(let name): baseline.finished(name)
        case .read: summary.files += 1
        }
    }

    private mutating func begin(_ name: String, failOn: Severity) {
        if file.name != name { file = CurrentFile(name: name, failOn: failOn) }
    }

    private mutating func emit(_ located: [LocatedFinding], in source: SourceText) {
        let new = baseline.new(of: located, in: source)
        if !new.isEmpty {
            var numbers = LintSummary()
            numbers.add(new, failOn: file.failOn)
            add(numbers)
        }
        summary.known += baseline.isWriting ? 0 : located.count - new.count
        guard !request.showsDiff, !new.isEmpty || reporter.listsClean else { return }
        report.write(reporter.report(new, in: source))
    }

    /// Adds the numbers of findings in the current file.
    private mutating func add(_ numbers: LintSummary) {
        summary.add(numbers)
        if numbers.failing > 0 { failing[file.name, default: 0] += numbers.failing }
        if !file.hasFindings { summary.filesWithFindings += 1 }
        file.hasFindings = true
    }
}
