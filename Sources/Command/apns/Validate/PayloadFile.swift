/// How large payload files may be.
enum PayloadFile {
    /// A payload has at most 5120 bytes; anything above this is no payload file.
    static let maximumBytes = 16 * 1024 * 1024
}
