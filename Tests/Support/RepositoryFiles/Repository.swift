public import Foundation

/// The files of this repository that tests read: pages, samples and scripts.
public enum Repository {
    /// The folder of the manifest. The sanitizer's package reaches the sources through symbolic links, so these are
    /// resolved first.
    public static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
            precondition(folder.path != "/", "no Package.swift above \(#filePath)")
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// The file or folder at `path`, which is relative to the root.
    public static func url(_ path: String) -> URL { root.appendingPathComponent(path).standardizedFileURL }

    /// The UTF-8 text of the file at `path`, which is relative to the root.
    public static func text(_ path: String) throws -> String {
        try String(contentsOf: url(path), encoding: .utf8)
    }
}
