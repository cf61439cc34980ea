import PayloadLint

/// What `apns validate` was asked for, beside the paths.
struct ValidateRequest {
    var options: LintOptions
    var format: ValidateFormat
    /// The only configuration that counts; nil for the nearest of each file.
    var configuration: String?
    var baseline: String?
    var newBaseline: String?
    var fixes: Bool
    var showsDiff: Bool
    var standardInputName: String?
    var output: String?
    /// The present, in seconds since 1970.
    var now: Int64

    /// Whether the files that are reported on are read with their fixes in mind.
    var looksForFixes: Bool { fixes || showsDiff }

    /// Whether a file that was found in a folder is no payload, but one that this run reads or writes for itself.
    func writesOrKnows(_ path: String) -> Bool {
        let name = PathText.cut(path).name
        let own = [baseline, newBaseline, output].compactMap { $0 }.filter { PathText.cut($0).name == name }
        guard !own.isEmpty else { return false }
        let folder = System.currentFolder
        return own.contains { PathText.absolute($0, in: folder) == PathText.absolute(path, in: folder) }
    }
}
