/// Limits of payload files.
enum PayloadFile {
    /// The largest file that is read. A payload has at most 5120 bytes.
    static let maximumBytes = 16 * 1024 * 1024
}
