/// The content of a file, if it exists.
package enum FileContent: Hashable, Sendable {
    case absent
    case bytes([UInt8])
    /// The file exists and cannot be read, for this reason.
    case unreadable(String)
}
