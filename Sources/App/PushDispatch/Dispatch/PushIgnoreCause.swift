/// Why a push is ignored. The result is `noData`.
public enum PushIgnoreCause: String, Hashable, Sendable {
    /// `type` is missing or not a string, or the payload cannot be read.
    case missingType
    case unknownType
    /// The key with the record ids is missing or has the wrong type.
    case missingKey
    /// The type names no records, or the list has no valid id.
    case noRecords
    /// The custom reader of the type threw an error.
    case unreadable
    /// The user of the push is not logged in.
    case otherUser
}
