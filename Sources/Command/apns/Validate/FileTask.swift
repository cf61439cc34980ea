import PayloadLint

/// A file to check.
struct FileTask {
    var path: String
    /// The name in reports.
    var name: String
    /// Whether the user named it. Otherwise it was found in a folder.
    var isNamed: Bool
    /// Whether there is a file beside it with the rules to ignore; nil if nobody has looked.
    var hasSidecar: Bool?
    /// The number of its settings in the resolver.
    var number: Int
    var settings: LintSettings

    /// The name of the file beside it.
    var sidecarPath: String { path + Suppression.sidecarEnding }
}
