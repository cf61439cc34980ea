/// Why a push gives nothing to fetch. All of these are reported to the system as `noData`.
public enum PushIgnoreCause: String, Hashable, Sendable {
    /// No `type`, or not a string; also a payload that cannot be read.
    case missingType
    case unknownType
    /// The key with the ids is missing or of the wrong kind.
    case missingKey
    /// A type that names no records, an empty list, or a list without one valid id.
    case noRecords
    /// The type's own reader refused it.
    case unreadable
    /// For a user who is not, or no longer, the one logged in.
    case otherUser
}
