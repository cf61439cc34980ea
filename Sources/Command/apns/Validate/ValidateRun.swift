import APNSPayload
import ConfigurationText
import PayloadLint

/// One run of `apns validate`: reads, checks and reports each file.
struct ValidateRun {
    let request: ValidateRequest
    let stop: StopSignal
    let report: ReportWriter

    var summary = LintSummary()
    /// How many findings of `--fail-on` or worse each file has. Files without any are absent.
    private(set) var failing: [String: Int] = [:]

    var resolver: SettingsResolver
    private var reader = EnvelopeReader()
    /// One for each of the settings in `resolver.all`.
    var validators: [Validator] = []
    var reporter: any FindingReporter
    var baseline: BaselineUse
    var file = CurrentFile()

    /// The file that is being checked.
    struct CurrentFile {
        var name = ""
        /// The index of its settings.
        var number = 0
        var settings: LintSettings?
        var topic: String?
        var pushType: String?
        var sidecar: Suppression?
        var hasFindings = false
        /// Whether nothing is reported about it, because a diff is printed.
        var isSilent = false
    }

    init(_ request: ValidateRequest, stop: StopSignal, report: ReportWriter) throws(CommandError) {
        self.request = request
        self.stop = stop
        self.report = report
        resolver = SettingsResolver(
            options: request.options, file: request.configuration, currentFolder: System.currentFolder,
            readFile: { FileContent.read($0) })
        reporter = request.format.reporter
        baseline = try BaselineUse(known: request.baseline, new: request.newBaseline)
        if !request.showsDiff { report.write(reporter.begin()) }
        failForConfigurations()
    }

    /// Checks files, all payload files in folders, and standard input. Without paths it checks the folder `payloads`.
    mutating func check(_ paths: [String]) {
        for path in paths.isEmpty ? ["payloads"] : paths where !stop.isStopped {
            check(path: path, isDefault: paths.isEmpty)
        }
    }

    private mutating func check(path: String, isDefault: Bool) {
        if path == "-" {
            return checkFile(path, name: request.standardInputName ?? InputFile.standardInputName, isNamed: true)
        }
        guard PayloadFolder.isFolder(path) else {
            if isDefault, !System.fileExists(path) {
                return fail("there is no folder \(path) here; name the files and folders to check")
            }
            return checkFile(path, name: path, isNamed: true)
        }
        let found = PayloadFolder(path)
        for error in found.errors { fail(error.description) }
        if found.files.isEmpty, found.errors.isEmpty {
            fail("\(path) has no payload files, which end with \(PayloadFolder.endings.joined(separator: ", "))")
        }
        for path in found.files where !stop.isStopped && !request.writesOrKnows(path) {
            checkFile(path, name: path, isNamed: false)
        }
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
    var status: ExitStatus {
        if summary.failures > 0 { return .failed }
        let hasToChange = request.showsDiff && !request.fixes && summary.fixable > 0
        return summary.failing > 0 || hasToChange ? .no : .done
    }

    mutating func fail(_ message: String, in file: String? = nil) {
        summary.failures += 1
        report.note(message)
        if !request.showsDiff { report.write(reporter.failure(message, in: file)) }
    }

    mutating func failForConfigurations() {
        for fault in resolver.takeErrors() { fail(fault.description, in: fault.file) }
    }
}

// MARK: - Notifications

extension ValidateRun {
    mutating func check(_ source: SourceText) { check(source, findings: findings(ofPayload: source)) }

    /// - Parameter findings: Those of a bare payload; nil for any other kind of content, which is parsed here.
    mutating func check(_ source: SourceText, findings: [Finding]?) {
        summary.notifications += 1
        let located = unignoredFindings(in: source, findings)
        guard !located.isEmpty || reporter.listsClean else { return }
        emit(located, in: source)
    }

    mutating func emit(_ located: [LocatedFinding], in source: SourceText) {
        let new = baseline.new(of: located, in: source)
        if !new.isEmpty {
            let before = summary.failing
            summary.add(new, failOn: file.settings?.failOn ?? .error)
            if summary.failing > before { failing[file.name, default: 0] += summary.failing - before }
            if !file.hasFindings { summary.filesWithFindings += 1 }
            file.hasFindings = true
        }
        summary.known += baseline.isWriting ? 0 : located.count - new.count
        guard !file.isSilent, !new.isEmpty || reporter.listsClean else { return }
        report.write(reporter.report(new, in: source))
    }

    /// The findings of a notification, without the ignored ones.
    private mutating func unignoredFindings(in source: SourceText, _ findings: [Finding]?) -> [LocatedFinding] {
        if let findings { return locate(findings, inPayload: source) }
        var sourced = reader.read(source)
        if sourced.envelope.topic == nil { sourced.envelope.topic = file.topic }
        if sourced.envelope.pushType == nil { sourced.envelope.pushType = file.pushType }
        var findings = validators[file.number].findings(for: sourced.envelope)
        let mayIgnore = sourced.envelope.kind == .envelope && Suppression.mayOccur(in: source.bytes)
        guard !findings.isEmpty || mayIgnore else { return [] }

        var suppression = mayIgnore ? Suppression(ofEnvelope: source.bytes) : nil
        removeFindings(&findings, ignoredBy: &suppression)
        var located = LocatedFinding.locate(findings, in: sourced)
        if let suppression, let settings = file.settings {
            located += suppression.findings(in: source, settings: settings)
        }
        return located
    }

    /// The findings of a bare payload, or of invalid JSON; nil for any other kind of content.
    private mutating func findings(ofPayload source: SourceText) -> [Finding]? {
        guard !source.isSimulatorFile else { return nil }
        return source.bytes.withUnsafeBytes { bytes in
            validators[file.number].findings(forPayload: bytes, topic: file.topic, pushType: file.pushType)
        }
    }

    private mutating func locate(_ findings: [Finding], inPayload source: SourceText) -> [LocatedFinding] {
        guard !findings.isEmpty else { return [] }
        var findings = findings
        var suppression: Suppression?
        removeFindings(&findings, ignoredBy: &suppression)
        return LocatedFinding.locate(findings, inPayload: source)
    }

    private mutating func removeFindings(_ findings: inout [Finding], ignoredBy suppression: inout Suppression?) {
        guard suppression != nil || file.sidecar != nil else { return }
        let count = findings.count
        findings.removeAll { finding in
            suppression?.ignores(finding.rule) == true || file.sidecar?.ignores(finding.rule) == true
        }
        summary.suppressed += count - findings.count
    }

    /// The source after all fixes, and how many findings were fixed.
    mutating func fixed(_ source: SourceText) -> (source: SourceText, count: Int) {
        let suppressed = summary.suppressed
        defer { summary.suppressed = suppressed }
        var fixed = source
        var count = 0
        for _ in 0..<Fixer.maximumRounds {
            let located = unignoredFindings(in: fixed, findings(ofPayload: fixed))
            // Only valid JSON has fixes, so a fix must have broken it.
            if count > 0, located.contains(where: { $0.finding.rule == Rule.payloadJSON.id }) { return (source, 0) }
            let result = Fixer.apply(located, to: fixed.bytes)
            guard result.count > 0, result.bytes != fixed.bytes else { break }
            fixed.bytes = result.bytes
            count += result.count
        }
        return (fixed, count)
    }
}
