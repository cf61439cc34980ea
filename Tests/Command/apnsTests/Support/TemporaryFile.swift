import Foundation

/// Runs `body` with a file that has this content, and removes it.
func withTemporaryFile<Result>(_ text: String, _ body: (_ path: String) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("file")
        try Data(text.utf8).write(to: file)
        return try body(file.path)
    }
}

/// Runs `body` with an empty folder, and removes it.
func withTemporaryFolder<Result>(_ body: (_ folder: URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
