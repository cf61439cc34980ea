import APNSPayload
import PayloadLint

/// How a run uses a baseline: it reads one, writes one, or has none.
struct BaselineUse {
    private var baseline: Baseline?
    private var writer = BaselineWriter()
    private let output: ReportWriter?
    private let path: String
    /// The folder that file names in the baseline are relative to; an absolute path.
    private let folder: String
    private let currentFolder = System.currentFolder

    private static let maximumObsoleteShown = 20

    init(known: String?, new: String?) throws(CommandError) {
        path = known ?? new ?? ""
        folder = PathText.folder(of: PathText.absolute(path, in: System.currentFolder))
        output = try new.map { path throws(CommandError) in try ReportWriter(path: path) }
        output?.write(writer.begin())
        guard let known else { return }
        switch FileContent.read(known, limit: Baseline.maximumBytes) {
        case .absent:
            throw CommandError("there is no baseline \(known); make it with: apns validate --write-baseline \(known)")
        case .unreadable(let reason): throw CommandError("\(known) cannot be read: \(reason)")
        case .bytes(let bytes):
            do throws(Baseline.FormatError) {
                baseline = try Baseline(bytes, name: known)
            } catch {
                throw CommandError(error.description)
            }
        }
    }

    var isWriting: Bool { output != nil }

    /// The findings that are not in the baseline; none while a baseline is written.
    mutating func new(of findings: [LocatedFinding], in source: SourceText) -> [LocatedFinding] {
        guard !findings.isEmpty, baseline != nil || output != nil else { return findings }
        let file = name(of: source.name)
        if let output {
            for finding in findings { output.write(writer.entry(for: finding, in: source, file: file)) }
            return []
        }
        var new: [LocatedFinding] = []
        for finding in findings {
            let isKnown = baseline?.covers(finding, in: source, file: file) ?? false
            if !isKnown { new.append(finding) }
        }
        return new
    }

    /// Records that a file was checked to its end.
    mutating func finished(_ file: String) {
        guard baseline != nil else { return }
        let name = name(of: file)
        baseline?.finished(name)
    }

    /// Completes a new baseline.
    ///
    /// - Parameter isWhole: Whether everything could be checked. Otherwise a new baseline is discarded.
    /// - Returns: Sentences for people.
    func finish(isWhole: Bool) throws -> [String] {
        if let output {
            guard isWhole else { return ["\(path) was not written, because not everything could be checked"] }
            output.write(writer.end())
            try output.finish()
            return [
                "wrote \(LintSummary.counted(writer.count, "finding")) into \(path); use it with --baseline \(path)"
            ]
        }
        guard var baseline else { return [] }
        for file in baseline.unfinishedFiles where !System.fileExists(PathText.absolute(file, in: folder)) {
            baseline.finished(file)
        }
        let gone = baseline.obsolete
        guard !gone.isEmpty else { return [] }
        var notes = gone.prefix(BaselineUse.maximumObsoleteShown).map { entry in
            PlainText.safe("no longer occurs: \(entry.file): \(entry.message) [\(entry.rule)]")
        }
        let more = gone.count > notes.count ? " (the first \(notes.count) are listed)" : ""
        let verb = gone.count == 1 ? "occurs" : "occur"
        notes.append(
            "\(LintSummary.counted(gone.count, "finding")) of \(path) no longer \(verb)\(more); renew it with "
                + "--write-baseline \(path)")
        return notes
    }

    private func name(of file: String) -> String {
        PathText.relative(PathText.absolute(file, in: currentFolder), to: folder)
    }
}
