import APNSPayload

/// The files of a git repository that differ from a commit, deleted ones too.
package struct ChangedFiles: Hashable, Sendable {
    /// The folder of the work tree; an absolute path.
    package let top: String
    /// Absolute paths. A folder is a submodule, or a repository that git does not know.
    private var paths: Set<String> = []

    /// - Parameters:
    ///   - top: An absolute path.
    ///   - listings: What git printed with `-z`: paths relative to `top`, each ended by a NUL.
    package init(top: String, listings: [[UInt8]]) {
        self.top = top
        for listing in listings {
            for name in listing.split(separator: 0) {
                paths.insert(PathText.absolute(String(decoding: name, as: UTF8.self), in: top))
            }
        }
    }

    /// Whether an absolute path is in the work tree.
    package func cover(_ path: String) -> Bool { path == top || top == "/" || path.hasPrefix(top + "/") }

    /// Whether a payload file is to be checked: where itself, the rules to ignore beside it or its configuration has
    /// changed.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - configurations: The files of its configuration; absolute paths.
    package func concern(_ path: String, configurations: [String]) -> Bool {
        guard !paths.isEmpty else { return false }
        if paths.contains(path) || paths.contains(path + Suppression.sidecarEnding) { return true }
        if configurations.contains(where: { paths.contains($0) }) { return true }
        var folder = PathText.folder(of: path)
        while cover(folder) {
            // A configuration that is gone is no longer one of `configurations`.
            if paths.contains(folder) || paths.contains(PathText.absolute(Configuration.fileName, in: folder)) {
                return true
            }
            guard folder != "/" else { break }
            folder = PathText.folder(of: folder)
        }
        return false
    }

    /// Whether something changed at an absolute path or below it, such as the deletion of its files.
    package func haveAny(atOrBelow path: String) -> Bool {
        paths.contains(path) || paths.contains { $0.hasPrefix(path + "/") }
    }
}
