import PayloadLint

extension FileContent {
    /// Reads the file at a path.
    static func read(_ path: String, limit: Int = 16 * 1024 * 1024) -> FileContent {
        guard System.fileExists(path) else { return .absent }
        do throws(FileError) {
            return .bytes(try InputFile.bytes(of: path, limit: limit))
        } catch {
            return .unreadable(error.detail)
        }
    }
}
