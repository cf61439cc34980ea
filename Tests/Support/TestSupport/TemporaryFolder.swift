package import Foundation

/// Runs `body` with an empty folder, and removes it.
package func withTemporaryFolder<Result>(_ body: (_ folder: URL) throws -> Result) throws -> Result {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// The same for a `body` that waits.
package func withTemporaryFolder<Result>(_ body: (_ folder: URL) async throws -> Result) async throws -> Result {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

private func makeTemporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}
