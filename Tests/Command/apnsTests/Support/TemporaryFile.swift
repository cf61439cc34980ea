import Foundation
import TestSupport

/// Runs `body` with a file that has this content, and removes it.
func withTemporaryFile<Result>(_ text: String, _ body: (_ path: String) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("file")
        try Data(text.utf8).write(to: file)
        return try body(file.path)
    }
}
