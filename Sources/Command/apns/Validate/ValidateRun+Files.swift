import APNSModel
import APNSPayload
import ConfigurationText
import PayloadLint

/// Reads the files, and writes the fixed ones.
extension ValidateRun {
    /// - Parameter isNamed: Whether the user named it. Otherwise it was found in a folder.
    mutating func checkFile(_ path: String, name: String, isNamed: Bool) {
        let answer = resolver.settings(for: name)
        failForConfigurations()
        switch answer {
        case .excluded(let configuration):
            if isNamed { report.note("\(name) is excluded by \(configuration)") }
            return
        case .settings(let number): begin(name, number)
        }
        if path != "-" { readSidecar(of: path) }
        do throws(FileError) {
            let isWhole =
                SourceText.hasLines(name)
                ? try checkLines(path: path, name: name) : try checkWhole(path: path, name: name)
            summary.files += 1
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
            var validator = Validator(rules: settings.rules, contracts: settings.contracts)
            validator.now = request.now
            validators.append(validator)
        }
        let settings = resolver.all[number]
        file = CurrentFile(
            name: name, number: number, settings: settings, topic: settings.topic?.value,
            pushType: settings.pushType?.rawValue, isSilent: request.showsDiff)
        if !file.isSilent { report.write(reporter.begin(file: name, failOn: settings.failOn)) }
    }

    /// - Returns: Whether it was checked to its end.
    private mutating func checkWhole(path: String, name: String) throws(FileError) -> Bool {
        let bytes = try InputFile.bytes(of: path, limit: PayloadFile.maximumBytes, until: stop)
        guard !stop.isStopped else { return false }
        guard !BinaryFile.isBinary(bytes) else { throw FileError(name, detail: BinaryFile.advice) }
        let source = SourceText(name: name, bytes: bytes)
        guard request.looksForFixes else {
            check(source)
            return true
        }
        let (fixed, count) = fixed(source)
        if count > 0, request.showsDiff {
            report.write(UnifiedDiff.between(bytes, fixed.bytes, name: FileAddress.path(name)))
        }
        guard count > 0, request.fixes else {
            check(source)
            return true
        }
        do throws(FileError) {
            let rewriter = try FileRewriter(path)
            rewriter.write(fixed.bytes)
            try rewriter.finish()
        } catch {
            fail(error.description, in: name)
            check(source)
            return true
        }
        summary.fixed += count
        check(fixed)
        return true
    }

    private mutating func checkLines(path: String, name: String) throws(FileError) -> Bool {
        guard !request.looksForFixes else { return try fixLines(path: path, name: name) }
        let lines = LineReader(try InputFile(path: path))
        while let (line, findings) = try nextLineToReport(lines) {
            guard let bytes = line.bytes else {
                failForLength(of: line.number, name: name)
                continue
            }
            if line.number == 1, BinaryFile.isBinary(bytes) { throw FileError(name, detail: BinaryFile.advice) }
            guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { continue }
            check(SourceText(name: name, bytes: bytes, firstLine: line.number), findings: findings)
        }
        return !stop.isStopped
    }

    /// The next line to report: one that is not a payload without findings. Those are only counted, unless the report lists
    /// them. The findings are nil for a line that is not a bare payload.
    private mutating func nextLineToReport(
        _ lines: LineReader
    ) throws(FileError) -> (line: LineReader.Line, findings: [Finding]?)? {
        guard !reporter.listsClean else { return try lines.next(until: stop).map { ($0, nil) } }
        while true {
            let line = try lines.next(until: stop) { number, bytes -> (line: LineReader.Line, findings: [Finding]?)? in
                guard let bytes else { return (LineReader.Line(number: number, bytes: nil), nil) }
                let findings = validators[file.number].findings(
                    forPayload: bytes, topic: file.topic, pushType: file.pushType)
                if let findings, findings.isEmpty { return nil }
                return (LineReader.Line(number: number, bytes: Array(bytes)), findings)
            }
            guard let line else { return nil }
            if let line { return line }
            summary.notifications += 1
        }
    }

    private mutating func fixLines(path: String, name: String) throws(FileError) -> Bool {
        let rewriter = request.fixes ? rewriter(of: path, name: name) : nil
        var diff = UnifiedDiff(name: FileAddress.path(name))
        let lines = RawLineReader(try InputFile(path: path))
        var fixedCount = 0
        while let line = try lines.next(until: stop) {
            if line.number == 1, line.isStart, BinaryFile.isBinary(line.bytes) {
                throw FileError(name, detail: BinaryFile.advice)
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
            let (fixed, count) = fixed(source)
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
            check(rewriter == nil ? source : fixed)
        }
        guard !stop.isStopped else { return false }
        if request.showsDiff { report.write(diff.end()) }
        if let rewriter, fixedCount > 0 {
            try rewriter.finish()
            summary.fixed += fixedCount
        }
        return true
    }

    /// Nil, with a message, where the file cannot be changed. It is still checked.
    private mutating func rewriter(of path: String, name: String) -> FileRewriter? {
        do throws(FileError) {
            return try FileRewriter(path)
        } catch {
            fail(error.description, in: name)
            return nil
        }
    }

    private mutating func failForLength(of line: Int, name: String) {
        fail("\(name):\(line): the line has more than \(LineReader.maximumBytes) bytes and was skipped", in: name)
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
