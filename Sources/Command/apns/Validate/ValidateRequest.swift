import APNSPayload
import PayloadLint

/// The arguments of `apns validate` without the paths.
struct ValidateRequest {
    var options: LintOptions
    var format: ValidateFormat
    /// The only configuration to use; nil for the nearest one of each file.
    var configuration: String?
    var baseline: String?
    var newBaseline: String?
    var fixes: Bool
    var showsDiff: Bool
    var standardInputName: String?
    var output: String?
    /// The files to check; nil for all.
    var changes: ChangedFiles?
    /// Where the pages of the rules are; nil if unknown.
    var links: RuleLinks?
    /// The present, in seconds since 1970-01-01 UTC.
    var now: Int64
    /// How the text form is coloured.
    var style = Style.plain

    /// Writes the findings of the run, or those of one thread.
    var reporter: any FindingReporter {
        // Whoever reads a report elsewhere has no use for a file of this machine.
        let isTerminal = format == .text && style.isColoured
        return format.reporter(style, linkingTo: links ?? (isTerminal ? RulesPageFile.links : nil))
    }

    /// Whether fixes are computed.
    var looksForFixes: Bool { fixes || showsDiff }

    /// Whether a file that was found in a folder is the baseline or the report of this run, and not a payload.
    func writesOrKnows(_ path: String) -> Bool {
        let name = PathText.split(path).name
        let own = [baseline, newBaseline, output].compactMap { $0 }.filter { PathText.split($0).name == name }
        guard !own.isEmpty else { return false }
        let folder = System.currentFolder
        return own.contains { PathText.absolute($0, in: folder) == PathText.absolute(path, in: folder) }
    }
}
