import APNSModel
import APNSPayload

/// One run of `apns validate`: reads, checks and reports file after file.
struct ValidateRun {
    private let defaults: EnvelopeDefaults
    private let isJSON: Bool
    private let standardInputName: String?
    private let stop: StopSignal
    private let report: ReportWriter

    private var reader = EnvelopeReader()
    private var validator = Validator()
    private var text = TextReporter()
    /// How much could not be looked at.
    private var failureCount = 0

    /// A payload has at most 5120 bytes; anything above this is no payload file.
    static let maximumFileBytes = 16 * 1024 * 1024

    /// - Parameters:
    ///   - defaults: Topic and push type of what does not name them.
    ///   - standardInputName: What standard input is called in the report.
    init(
        defaults: EnvelopeDefaults, isJSON: Bool, standardInputName: String?, stop: StopSignal, report: ReportWriter
    ) {
        self.defaults = defaults
        self.isJSON = isJSON
        self.standardInputName = standardInputName
        self.stop = stop
        self.report = report
    }

    /// Checks a file, everything in a folder, or standard input.
    ///
    /// - Parameter isDefault: Nobody named it.
    mutating func check(path: String, isDefault: Bool) {
        if path == "-" { return checkFile(path, name: standardInputName ?? InputFile.standardInputName) }
        guard PayloadFolder.isFolder(path) else {
            if isDefault, !System.fileExists(path) {
                return fail("there is no folder \(path) here; name the files and folders to check")
            }
            return checkFile(path, name: path)
        }
        let found = PayloadFolder(path)
        for error in found.errors { fail(error.description) }
        if found.files.isEmpty, found.errors.isEmpty {
            fail("\(path) holds no payloads; its files end with \(PayloadFolder.endings.joined(separator: ", "))")
        }
        for file in found.files where !stop.isStopped { checkFile(file, name: file) }
    }

    /// Prints the count, and puts the report in its place.
    mutating func finish(failOn severity: Severity) throws(CommandError) -> ExitStatus {
        let isStopped = stop.isStopped
        if isStopped { fail("stopped before everything was checked") }
        if !isJSON { report.write(text.closing) }
        if isJSON || report.isFile { report.note(String(text.closing.dropLast())) }
        try report.finish()
        if failureCount > 0 { return .failed }
        let counts = Severity.allCases.filter { $0 >= severity }.map { text.count(of: $0) }
        return counts.contains { $0 > 0 } ? .no : .done
    }

    private mutating func fail(_ message: String) {
        failureCount += 1
        report.note(message)
    }

    private mutating func checkFile(_ path: String, name: String) {
        do throws(FileError) {
            if SourceText.hasLines(name) {
                try checkLines(LineReader(try InputFile(path: path)), name: name)
            } else {
                let bytes = try InputFile.bytes(of: path, limit: ValidateRun.maximumFileBytes, until: stop)
                guard !stop.isStopped else { return }
                guard !BinaryForm.isBinary(bytes) else { throw FileError(name, detail: BinaryForm.advice) }
                check(SourceText(name: name, bytes: bytes))
            }
        } catch {
            fail(error.description)
        }
    }

    private mutating func checkLines(_ lines: LineReader, name: String) throws(FileError) {
        while let line = try nextLineToReport(lines) {
            guard let bytes = line.bytes else {
                fail("\(name):\(line.number): the line has more than \(LineReader.maximumBytes) bytes and was skipped")
                continue
            }
            if line.number == 1, BinaryForm.isBinary(bytes) { throw FileError(name, detail: BinaryForm.advice) }
            guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { continue }
            check(SourceText(name: name, bytes: bytes, firstLine: line.number))
        }
    }

    /// The next line that is not surely clean; the others are only counted.
    private mutating func nextLineToReport(_ lines: LineReader) throws(FileError) -> LineReader.Line? {
        let topic = defaults.topic?.value
        let pushType = defaults.pushType?.rawValue
        while true {
            let line = try lines.next(until: stop) { number, bytes -> LineReader.Line? in
                guard let bytes else { return LineReader.Line(number: number, bytes: nil) }
                if validator.isCleanPayload(bytes, topic: topic, pushType: pushType) { return nil }
                return LineReader.Line(number: number, bytes: Array(bytes))
            }
            guard let line else { return nil }
            if let line { return line }
            text.countClean()
        }
    }

    private mutating func check(_ source: SourceText) {
        var sourced = reader.read(source)
        sourced.envelope.topic = sourced.envelope.topic ?? defaults.topic?.value
        sourced.envelope.pushType = sourced.envelope.pushType ?? defaults.pushType?.rawValue
        let findings = validator.findings(for: sourced.envelope)
        let shown = text.report(findings, in: sourced)
        report.write(isJSON ? JSONReporter().report(findings, in: sourced) : shown)
    }
}
