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
    /// A binary file.
    case binary(file: String)
    /// A part of the output that is not about findings: a diff.
    case output([UInt8])
    case note(String)
    case failed(String, file: String?)
    /// A file was checked to its end.
    case finished(file: String)
    /// A file was read.
    case read
}
