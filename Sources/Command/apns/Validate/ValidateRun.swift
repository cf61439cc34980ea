import APNSPayload
import ConfigurationText
import PayloadLint

/// One run of `apns validate`: reads, checks and reports file after file.
struct ValidateRun {
    let request: ValidateRequest
    let stop: StopSignal
    let report: ReportWriter

    var summary = LintSummary()
    /// How much could not be looked at or done.
    private(set) var failureCount = 0
    /// How many findings each file has that count; only those that have some.
    private(set) var failing: [String: Int] = [:]

    var resolver: SettingsResolver
    private var reader = EnvelopeReader()
    /// One for each of the resolver's settings.
    var validators: [Validator] = []
    var reporter: any FindingReporter
    var baseline: BaselineUse
    var file = FileInHand()

    /// What is known about the file that is being checked.
    struct FileInHand {
        var name = ""
        /// The number of its settings.
        var number = 0
        var settings: LintSettings?
        var topic: String?
        var pushType: String?
        var sidecar: Suppression?
        var hasFindings = false
        /// Nothing is written about it, because a diff is.
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

    /// Checks files, everything in folders, and standard input; the folder `payloads` where nothing is named.
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
            fail("\(path) holds no payloads; its files end with \(PayloadFolder.endings.joined(separator: ", "))")
        }
        for path in found.files where !stop.isStopped && !request.writesOrKnows(path) {
            checkFile(path, name: path, isNamed: false)
        }
    }

    /// Prints the count, and puts the report in its place.
    mutating func finish() throws -> ExitStatus {
        if stop.isStopped { fail("stopped before everything was checked") }
        if !request.showsDiff { report.write(reporter.end()) }
        for note in try baseline.finish(isWhole: failureCount == 0) { report.note(note) }
        let isText = request.format == .text && !request.showsDiff
        if isText { report.write(summary.text + "\n") }
        if !isText || report.isFile { report.note(summary.text) }
        try report.finish()
        return status
    }

    /// What the findings so far make of it.
    var status: ExitStatus {
        if failureCount > 0 { return .failed }
        let hasToChange = request.showsDiff && !request.fixes && summary.fixable > 0
        return summary.failing > 0 || hasToChange ? .no : .done
    }

    mutating func fail(_ message: String, in file: String? = nil) {
        failureCount += 1
        report.note(message)
        if !request.showsDiff { report.write(reporter.failure(message, in: file)) }
    }

    mutating func failForConfigurations() {
        for fault in resolver.takeFaults() { fail(fault.description, in: fault.file) }
    }
}

// MARK: - Notifications

extension ValidateRun {
    mutating func check(_ source: SourceText) { check(source, findings: findings(ofPayload: source)) }

    /// - Parameter findings: Those of a bare payload; nil for a text that has to be taken apart first.
    mutating func check(_ source: SourceText, findings: [Finding]?) {
        summary.notifications += 1
        let located = look(at: source, findings: findings)
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

    /// The findings of a notification that nobody asked to have ignored.
    private mutating func look(at source: SourceText, findings: [Finding]?) -> [LocatedFinding] {
        if let findings { return locate(findings, inPayload: source) }
        var sourced = reader.read(source)
        if sourced.envelope.topic == nil { sourced.envelope.topic = file.topic }
        if sourced.envelope.pushType == nil { sourced.envelope.pushType = file.pushType }
        var findings = validators[file.number].findings(for: sourced.envelope)
        let mayIgnore = sourced.envelope.kind == .envelope && Suppression.mayStand(in: source.bytes)
        guard !findings.isEmpty || mayIgnore else { return [] }

        var suppression = mayIgnore ? Suppression(ofEnvelope: source.bytes) : nil
        leaveOut(&findings, ignoredBy: &suppression)
        var located = LocatedFinding.locate(findings, in: sourced)
        if let suppression, let settings = file.settings {
            located += suppression.findings(in: source, settings: settings)
        }
        return located
    }

    /// The findings of a text that is a payload by itself, or no JSON; nil for every other.
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
        leaveOut(&findings, ignoredBy: &suppression)
        return LocatedFinding.locate(findings, inPayload: source)
    }

    private mutating func leaveOut(_ findings: inout [Finding], ignoredBy suppression: inout Suppression?) {
        guard suppression != nil || file.sidecar != nil else { return }
        let count = findings.count
        findings.removeAll { finding in
            suppression?.ignores(finding.rule) == true || file.sidecar?.ignores(finding.rule) == true
        }
        summary.suppressed += count - findings.count
    }

    /// The text with its fixes made, and how many findings that mended.
    mutating func mended(_ source: SourceText) -> (source: SourceText, count: Int) {
        let suppressed = summary.suppressed
        defer { summary.suppressed = suppressed }
        var mended = source
        var count = 0
        for _ in 0..<Fixer.maximumRounds {
            let located = look(at: mended, findings: findings(ofPayload: mended))
            // Only JSON has fixes, so this is a text that a fix has broken.
            if count > 0, located.contains(where: { $0.finding.rule == Rule.payloadJSON.id }) { return (source, 0) }
            let result = Fixer.apply(located, to: mended.bytes)
            guard result.count > 0, result.bytes != mended.bytes else { break }
            mended.bytes = result.bytes
            count += result.count
        }
        return (mended, count)
    }
}
