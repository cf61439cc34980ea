/// What was found where a file may be.
package enum FileContent: Hashable, Sendable {
    case absent
    case bytes([UInt8])
    /// It is there, and cannot be read for this reason.
    case unreadable(String)
}
