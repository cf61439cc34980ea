import APNSPayload
import PayloadLint

/// What a part of the input gave, in its order: what `FileChecker` finds and `ValidateRun` reports.
enum ValidateEvent {
    /// A file begins, or its next part.
    case begin(file: String, failOn: Severity)
    /// So many notifications without anything to report.
    case clean(Int)
    /// The findings about one notification; none for a report that lists all notifications.
    case found([LocatedFinding], SourceText)
    /// Findings about the file and not about a notification.
    case foundInFile([LocatedFinding], SourceText)
    /// Findings that are part of a report already, and their numbers.
    case reported([UInt8], LintSummary)
    case suppressed(Int)
    /// Findings that were fixed.
    case fixed(Int)
    /// A file that was found in a folder and cannot be checked. The sentence says why.
    case unread(String)
    /// A part of the output that is not about findings: a diff.
    case output([UInt8])
    case note(String)
    case failed(String, file: String?)
    /// A file was checked to its end.
    case finished(file: String)
    /// A file was read.
    case read
}

extension ValidateEvent {
    /// What comes of a binary file. One that was found in a folder is a finding; one that the user named cannot be checked as
    /// wanted.
    static func binary(_ task: FileTask) -> [ValidateEvent] {
        let error = FileError(task.name, detail: BinaryFile.advice)
        guard !task.isNamed else { return [.failed(error.description, file: task.name)] }
        return notChecked(task, error, LintRule.binaryFile, BinaryFile.advice)
    }

    /// What comes of a file that cannot be read or written: a finding where it was found in a folder and cannot be read.
    static func unreadable(_ task: FileTask, _ error: FileError) -> [ValidateEvent] {
        guard !task.isNamed, error.attempt == .read else { return [.failed(error.description, file: task.name)] }
        let reason = error.isAbsent ? "the file, or the target of a link, does not exist" : error.detail
        return notChecked(task, error, LintRule.unreadableFile, "it cannot be read: \(reason)")
    }

    private static func notChecked(
        _ task: FileTask, _ error: FileError, _ rule: Rule, _ message: String
    ) -> [ValidateEvent] {
        var events: [ValidateEvent] = [.unread(error.description)]
        guard let rule = task.settings.lintRule(rule) else { return events }
        let source = SourceText(name: task.name, bytes: [])
        let finding = Finding(of: rule, message, at: .payload)
        events.append(.foundInFile([LocatedFinding(finding, at: 0..<0, in: source)], source))
        return events
    }
}
