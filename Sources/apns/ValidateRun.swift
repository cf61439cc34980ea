import APNSModel
import APNSPayload
import PayloadLint

/// One run of `apns validate`: reads, checks and reports file after file.
struct ValidateRun {
    let request: ValidateRequest
    let stop: StopSignal
    let report: ReportWriter

    private(set) var summary = LintSummary()
    /// How much could not be looked at or done.
    private(set) var failureCount = 0
    /// How many findings each file has that count; only those that have some.
    private(set) var failing: [String: Int] = [:]

    var resolver: SettingsResolver
    private var reader = EnvelopeReader()
    /// One for each of the resolver's settings.
    private var validators: [Validator] = []
    private var reporter: any FindingReporter
    private var baseline: BaselineUse
    private var file = FileInHand()

    /// What is known about the file that is being checked.
    private struct FileInHand {
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

    private mutating func failForConfigurations() {
        for fault in resolver.takeFaults() { fail(fault.description, in: fault.file) }
    }
}

// MARK: - Files

extension ValidateRun {
    /// - Parameter isNamed: Somebody named it, rather than that it was found in a folder.
    mutating func checkFile(_ path: String, name: String, isNamed: Bool) {
        let answer = resolver.settings(for: name)
        failForConfigurations()
        switch answer {
        case .excluded(let configuration):
            if isNamed { report.note("\(name) is left out by exclude in \(configuration)") }
            return
        case .settings(let number): begin(name, number)
        }
        if path != "-" { readSidecar(of: path) }
        do throws(FileError) {
            let isWhole =
                SourceText.hasLines(name)
                ? try checkLines(path: path, name: name) : try checkWhole(path: path, name: name)
            guard isWhole else { return }
            reportUnusedSidecar(of: path)
            baseline.finished(name)
        } catch {
            fail(error.description, in: name)
        }
    }

    private mutating func begin(_ name: String, _ number: Int) {
        while validators.count < resolver.all.count {
            let settings = resolver.all[validators.count]
            validators.append(Validator(rules: settings.rules, contracts: settings.contracts))
        }
        let settings = resolver.all[number]
        file = FileInHand(
            name: name, number: number, settings: settings, topic: settings.topic?.value,
            pushType: settings.pushType?.rawValue, isSilent: request.showsDiff)
        if !file.isSilent { report.write(reporter.begin(file: name, failOn: settings.failOn)) }
        summary.files += 1
    }

    /// - Returns: Whether it was looked at to its end.
    private mutating func checkWhole(path: String, name: String) throws(FileError) -> Bool {
        let bytes = try InputFile.bytes(of: path, limit: PayloadFile.maximumBytes, until: stop)
        guard !stop.isStopped else { return false }
        guard !BinaryForm.isBinary(bytes) else { throw FileError(name, detail: BinaryForm.advice) }
        let source = SourceText(name: name, bytes: bytes)
        guard request.looksForFixes else {
            check(source)
            return true
        }
        let (fixed, count) = mended(source)
        if count > 0, request.showsDiff {
            report.write(UnifiedDiff.between(bytes, fixed.bytes, name: FileAddress.path(name)))
        }
        guard count > 0, request.fixes else {
            check(source)
            return true
        }
        let rewriter = try FileRewriter(path)
        rewriter.write(fixed.bytes)
        try rewriter.finish()
        summary.fixed += count
        check(fixed)
        return true
    }

    private mutating func checkLines(path: String, name: String) throws(FileError) -> Bool {
        guard !request.looksForFixes else { return try mendLines(path: path, name: name) }
        let lines = LineReader(try InputFile(path: path))
        while let line = try nextLineToReport(lines) {
            guard let bytes = line.bytes else {
                failForLength(of: line.number, name: name)
                continue
            }
            if line.number == 1, BinaryForm.isBinary(bytes) { throw FileError(name, detail: BinaryForm.advice) }
            guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { continue }
            check(SourceText(name: name, bytes: bytes, firstLine: line.number))
        }
        return !stop.isStopped
    }

    /// The next line that is not surely clean; the others are only counted, unless the report lists them.
    private mutating func nextLineToReport(_ lines: LineReader) throws(FileError) -> LineReader.Line? {
        guard !reporter.listsClean else { return try lines.next(until: stop) }
        while true {
            let line = try lines.next(until: stop) { number, bytes -> LineReader.Line? in
                guard let bytes else { return LineReader.Line(number: number, bytes: nil) }
                let isClean = validators[file.number].isCleanPayload(bytes, topic: file.topic, pushType: file.pushType)
                return isClean ? nil : LineReader.Line(number: number, bytes: Array(bytes))
            }
            guard let line else { return nil }
            if let line { return line }
            summary.notifications += 1
        }
    }

    private mutating func mendLines(path: String, name: String) throws(FileError) -> Bool {
        let rewriter = request.fixes ? try FileRewriter(path) : nil
        var diff = UnifiedDiff(name: FileAddress.path(name))
        let lines = RawLineReader(try InputFile(path: path))
        var fixedCount = 0
        while let line = try lines.next(until: stop) {
            if line.number == 1, line.isStart, BinaryForm.isBinary(line.bytes) {
                throw FileError(name, detail: BinaryForm.advice)
            }
            guard line.isWhole else {
                rewriter?.write(line.bytes)
                // A diff shows whole lines, so one that is too long can only end the hunk.
                if line.isStart { failForLength(of: line.number, name: name) }
                continue
            }
            let bytes = line.content
            guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else {
                rewriter?.write(line.bytes)
                if request.showsDiff { report.write(diff.same(line.bytes)) }
                continue
            }
            let source = SourceText(name: name, bytes: bytes, firstLine: line.number)
            let (fixed, count) = mended(source)
            fixedCount += count
            let fixedLine = count > 0 ? fixed.bytes + line.bytes[bytes.count...] : line.bytes
            rewriter?.write(fixedLine)
            if request.showsDiff {
                if count > 0 {
                    diff.removed(line.bytes)
                    diff.added(fixedLine)
                } else {
                    report.write(diff.same(line.bytes))
                }
            }
            check(request.fixes ? fixed : source)
        }
        guard !stop.isStopped else { return false }
        if request.showsDiff { report.write(diff.end()) }
        if let rewriter, fixedCount > 0 {
            try rewriter.finish()
            summary.fixed += fixedCount
        }
        return true
    }

    private mutating func failForLength(of line: Int, name: String) {
        fail("\(name):\(line): the line has more than \(LineReader.maximumBytes) bytes and was skipped", in: name)
    }
}

// MARK: - Notifications

extension ValidateRun {
    private mutating func check(_ source: SourceText) {
        summary.notifications += 1
        let located = look(at: source)
        guard !located.isEmpty || reporter.listsClean else { return }
        emit(located, in: source)
    }

    private mutating func emit(_ located: [LocatedFinding], in source: SourceText) {
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
    private mutating func look(at source: SourceText) -> [LocatedFinding] {
        var sourced = reader.read(source)
        if sourced.envelope.topic == nil { sourced.envelope.topic = file.topic }
        if sourced.envelope.pushType == nil { sourced.envelope.pushType = file.pushType }
        var findings = validators[file.number].findings(for: sourced.envelope)
        let mayIgnore = sourced.envelope.kind == .envelope && Suppression.mayStand(in: source.bytes)
        guard !findings.isEmpty || mayIgnore else { return [] }

        var suppression = mayIgnore ? Suppression(ofEnvelope: source.bytes) : nil
        if suppression != nil || file.sidecar != nil {
            let count = findings.count
            findings.removeAll { finding in
                suppression?.ignores(finding.rule) == true || file.sidecar?.ignores(finding.rule) == true
            }
            summary.suppressed += count - findings.count
        }
        var located = LocatedFinding.locate(findings, in: sourced)
        if let suppression, let settings = file.settings {
            located += suppression.findings(in: source, settings: settings)
        }
        return located
    }

    /// The text with its fixes made, and how many findings that mended.
    private mutating func mended(_ source: SourceText) -> (source: SourceText, count: Int) {
        let suppressed = summary.suppressed
        defer { summary.suppressed = suppressed }
        var mended = source
        var count = 0
        for _ in 0..<Fixer.maximumRounds {
            let result = Fixer.apply(look(at: mended), to: mended.bytes)
            guard result.count > 0, result.bytes != mended.bytes else { break }
            mended.bytes = result.bytes
            count += result.count
        }
        return (mended, count)
    }

    private mutating func readSidecar(of path: String) {
        let name = path + Suppression.sidecarEnding
        switch FileContent.read(name) {
        case .absent: break
        case .unreadable(let reason): fail("\(name) cannot be read: \(reason)", in: name)
        case .bytes(let bytes):
            let (suppression, faults) = SidecarReader.read(bytes, name: name)
            file.sidecar = suppression
            for fault in faults { fail(fault.description, in: name) }
        }
    }

    private mutating func reportUnusedSidecar(of path: String) {
        guard let sidecar = file.sidecar, let settings = file.settings else { return }
        let name = path + Suppression.sidecarEnding
        guard case .bytes(let bytes) = FileContent.read(name) else { return }
        let source = SourceText(name: name, bytes: bytes)
        let located = sidecar.findings(in: source, settings: settings)
        if !located.isEmpty { emit(located, in: source) }
    }
}
