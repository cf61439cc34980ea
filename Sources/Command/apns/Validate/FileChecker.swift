import APNSModel
import APNSPayload
import ConfigurationText
import PayloadLint

/// Reads and checks files, one after another. Each thread of a run has one.
///
/// What each line changes is not checked for other accesses meanwhile, because only one thread has it.
final class FileChecker {
    private let request: ValidateRequest
    private let stop: StopSignal
    /// Writes findings where each is independent of the others; nil where the run has to write them in order.
    @exclusivity(unchecked) private var reporter: (any FindingReporter)?
    /// Whether notifications without findings are reported as well.
    private let listsClean: Bool
    @exclusivity(unchecked) private var checkers: [NotificationChecker?] = []
    private var number = 0
    private var task: FileTask?
    private var failOn = Severity.error
    /// Whether the file is a binary one, which counts as not read.
    private var isBinary = false
    private var events: [ValidateEvent] = []
    /// Notifications without findings, and findings that were written, since the last event.
    @exclusivity(unchecked) private var cleanCount = 0
    @exclusivity(unchecked) private var reported: [UInt8] = []
    @exclusivity(unchecked) private var numbers = LintSummary()

    /// - Parameter writes: Whether it may write findings itself.
    init(_ request: ValidateRequest, stop: StopSignal, writes: Bool) {
        self.request = request
        self.stop = stop
        let reporter = request.reporter
        listsClean = reporter.listsClean
        self.reporter = writes && request.format.isStateless ? reporter : nil
    }

    /// Checks a part of the input.
    func check(_ part: ValidateInput.Part) -> [ValidateEvent] {
        switch part {
        case .files(let tasks):
            for task in tasks where !stop.isStopped { check(task) { _ in } }
        case .lines(let chunk, let task, let isFirst): check(chunk, of: task, isFirst: isFirst)
        case .events(let earlier): events += earlier
        }
        return takeEvents()
    }

    /// Checks a part of the input, and hands over each event before the next line is read.
    func check(_ part: ValidateInput.Part, _ take: (ValidateEvent) -> Void) {
        if case .files(let tasks) = part {
            for task in tasks where !stop.isStopped {
                check(task) { checker in checker.takeEvents().forEach(take) }
            }
        }
        (part.isFiles ? takeEvents() : check(part)).forEach(take)
    }

    private func takeEvents() -> [ValidateEvent] {
        flush()
        defer { events = [] }
        return events
    }

    private func emit(_ event: ValidateEvent) {
        flush()
        events.append(event)
    }

    private func emit(_ events: [ValidateEvent]) {
        for event in events { emit(event) }
    }

    private func flush() {
        if cleanCount > 0 {
            events.append(.clean(cleanCount))
            cleanCount = 0
        }
        if !reported.isEmpty {
            events.append(.reported(reported, numbers))
            // The next part usually has about as many findings.
            let usual = reported.count + reported.count / 8
            reported = []
            reported.reserveCapacity(usual)
            numbers = LintSummary()
        }
    }

    // MARK: - Files

    /// Checks a whole file, of any kind.
    ///
    /// - Parameter pause: Called after each line.
    private func check(_ task: FileTask, _ pause: (FileChecker) -> Void) {
        begin(task)
        readSidecar()
        do throws(FileError) {
            let isWhole = SourceText.hasLines(task.name) ? try checkLines(pause) : try checkWhole()
            if !isBinary { emit(.read) }
            if isWhole { finish() }
        } catch {
            emit(ValidateEvent.unreadable(task, error))
        }
    }

    /// Checks a part of a file with a notification on each line, and without rules to ignore.
    ///
    /// - Parameter isFirst: Whether it is the first part of the file.
    private func check(_ chunk: LineChunkReader.Chunk, of task: FileTask, isFirst: Bool) {
        begin(task)
        if isFirst {
            guard !BinaryFile.isBinary(chunk.bytes) else { return reportBinary() }
            emit(.read)
        }
        var line = chunk.firstLine
        chunk.bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count, !stop.isStopped {
                let end = LineChunkReader.lineFeed(in: bytes, from: start) ?? bytes.count
                checkLine(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), line)
                start = end + 1
                line += 1
            }
        }
        for number in chunk.longLines { failForLength(of: number) }
    }

    private func begin(_ task: FileTask) {
        self.task = task
        failOn = task.settings.failOn
        isBinary = false
        number = task.number
        while checkers.count <= number { checkers.append(nil) }
        if checkers[number] == nil { checkers[number] = NotificationChecker(task.settings, now: request.now) }
        checkers[number]?.sidecar = nil
        if !request.showsDiff { emit(.begin(file: task.name, failOn: task.settings.failOn)) }
    }

    private func finish() {
        guard let task else { return }
        reportUnusedSidecar()
        emit(.finished(file: task.name))
    }

    private func fail(_ message: String) { emit(.failed(message, file: task?.name)) }

    private func failForLength(of line: Int) {
        guard let task else { return }
        fail("\(task.name):\(line): the line has more than \(LineReader.maximumBytes) bytes and was skipped")
    }

    private func reportBinary() {
        isBinary = true
        if let task { emit(ValidateEvent.binary(task)) }
    }

    // MARK: - Notifications

    private func report(_ result: NotificationChecker.Result, _ checked: SourceText) {
        let source = result.source ?? checked
        if result.suppressed > 0 { emit(.suppressed(result.suppressed)) }
        guard !result.findings.isEmpty || listsClean else {
            cleanCount += 1
            return
        }
        guard reporter != nil else { return emit(.found(result.findings, source)) }
        cleanCount += 1
        numbers.add(result.findings, failOn: failOn)
        reporter?.append(result.findings, in: source, to: &reported)
    }

    private func check(_ source: SourceText) {
        guard let result = checkers[number]?.check(source) else { return }
        report(result, source)
    }

    private func checkLine(_ line: UnsafeRawBufferPointer, _ lineNumber: Int) {
        let line = line.last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
        // What is behind a byte order mark is read in the general way, as --fix reads it.
        let isMarked = line.first == 0xEF && ByteOrderMark.length(of: Array(line)) > 0
        let findings = isMarked ? nil : quickFindings(line)
        if let findings, findings.isEmpty, !listsClean {
            cleanCount += 1
            return
        }
        guard let name = task?.name, !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else {
            return
        }
        let source = SourceText(name: name, bytes: Array(line), firstLine: lineNumber)
        guard !isMarked else { return check(source) }
        guard let result = checkers[number]?.check(source, findings) else { return }
        report(result, source)
    }

    /// The findings of a line; nil where it has to be read in the general way.
    private func quickFindings(_ line: UnsafeRawBufferPointer) -> [Finding]? {
        checkers.indices.contains(number) ? checkers[number]?.quickFindings(line) : nil
    }

    private func checkWhole() throws(FileError) -> Bool {
        guard let task else { return false }
        let bytes = try InputFile.bytes(of: task.path, limit: PayloadFile.maximumBytes, until: stop)
        guard !stop.isStopped else { return false }
        guard !BinaryFile.isBinary(bytes) else {
            reportBinary()
            return false
        }
        let source = SourceText(name: task.name, bytes: bytes)
        guard request.looksForFixes else {
            check(source)
            return true
        }
        let (fixed, count) = fixed(source)
        if count > 0, request.showsDiff {
            emit(.output(UnifiedDiff.between(bytes, fixed.bytes, name: FileAddress.path(task.name))))
        }
        guard count > 0, request.fixes else {
            check(source)
            return true
        }
        do throws(FileError) {
            let rewriter = try FileRewriter(task.path)
            rewriter.write(fixed.bytes)
            try rewriter.finish()
        } catch {
            fail(error.description)
            check(source)
            return true
        }
        emit(.fixed(count))
        check(fixed)
        return true
    }

    private func fixed(_ source: SourceText) -> (source: SourceText, count: Int) {
        // Suppressions count as used where they ignore a finding of the text before or after the fixes.
        checkers[number]?.fixed(source) ?? (source, 0)
    }

    /// Reads lines as they come, from a pipe too.
    private func checkLines(_ pause: (FileChecker) -> Void) throws(FileError) -> Bool {
        guard let task else { return false }
        guard !request.looksForFixes else { return try fixLines(pause) }
        let lines = LineReader(try InputFile(path: task.path))
        while let isBinary = try lines.next(
            until: stop,
            { number, bytes -> Bool in
                guard let bytes else {
                    failForLength(of: number)
                    return false
                }
                guard number > 1 || !BinaryFile.isBinary(Array(bytes.prefix(BinaryFile.examinedBytes))) else {
                    return true
                }
                checkLine(bytes, number)
                return false
            })
        {
            guard !isBinary else {
                reportBinary()
                return false
            }
            if !events.isEmpty { pause(self) }
        }
        return !stop.isStopped
    }

    private func fixLines(_ pause: (FileChecker) -> Void) throws(FileError) -> Bool {
        guard let task else { return false }
        let lines = RawLineReader(try InputFile(path: task.path))
        let rewriter = request.fixes ? rewriter(of: task.path) : nil
        var diff = UnifiedDiff(name: FileAddress.path(task.name))
        var fixedCount = 0
        while let line = try lines.next(until: stop) {
            if line.number == 1, line.isStart, BinaryFile.isBinary(line.bytes) {
                reportBinary()
                return false
            }
            guard line.isWhole else {
                rewriter?.write(line.bytes)
                // A diff shows whole lines, so one that is too long can only end the hunk.
                if line.isStart { failForLength(of: line.number) }
                continue
            }
            let bytes = line.content
            guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else {
                rewriter?.write(line.bytes)
                if request.showsDiff { emit(.output(diff.same(line.bytes))) }
                continue
            }
            let source = SourceText(name: task.name, bytes: bytes, firstLine: line.number)
            let (fixed, count) = fixed(source)
            fixedCount += count
            let fixedLine = count > 0 ? fixed.bytes + line.bytes[bytes.count...] : line.bytes
            rewriter?.write(fixedLine)
            if request.showsDiff {
                if count > 0 {
                    diff.removed(line.bytes)
                    diff.added(fixedLine)
                } else {
                    emit(.output(diff.same(line.bytes)))
                }
            }
            check(rewriter == nil ? source : fixed)
            pause(self)
        }
        guard !stop.isStopped else { return false }
        if request.showsDiff { emit(.output(diff.end())) }
        if let rewriter, fixedCount > 0 {
            try rewriter.finish()
            emit(.fixed(fixedCount))
        }
        return true
    }

    /// Nil, with a message, where the file cannot be changed. It is still checked.
    private func rewriter(of path: String) -> FileRewriter? {
        do throws(FileError) {
            return try FileRewriter(path)
        } catch {
            fail(error.description)
            return nil
        }
    }

    // MARK: - Rules to ignore

    private func readSidecar() {
        guard let task, task.path != "-", task.hasSidecar != false else { return }
        switch FileContent.read(task.sidecarPath) {
        case .absent: break
        case .unreadable(let reason):
            emit(.failed("\(task.sidecarPath) cannot be read: \(reason)", file: task.sidecarPath))
        case .bytes(let bytes):
            let (suppression, faults) = SidecarReader.read(bytes, name: task.sidecarPath)
            checkers[number]?.sidecar = suppression
            for fault in faults { emit(.failed(fault.description, file: task.sidecarPath)) }
        }
    }

    private func reportUnusedSidecar() {
        guard let task, let sidecar = checkers[number]?.sidecar,
            case .bytes(let bytes) = FileContent.read(task.sidecarPath)
        else { return }
        let source = SourceText(name: task.sidecarPath, bytes: bytes)
        let located = sidecar.findings(in: source, settings: task.settings)
        if !located.isEmpty { emit(.foundInFile(located, source)) }
    }
}
