/// Why a store refused a call.
public enum SyncStoreError: Error, Hashable, Sendable {
    /// The call was begun for a user whose records the store does not hold, or no longer: another user has logged in, or
    /// everything was erased.
    case otherUser
    /// This many records have edits that were never sent. Upload them first, or discard them.
    case unsentEdits(Int)
    /// Another record has the key of a new one.
    case keyTaken
    /// No record has this key, or its user has deleted it.
    case noRecord
}

extension SyncStoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .otherUser:
            "the store holds no records of the user of this call: another one has logged in, or everything was erased; nothing was stored"
        case .unsentEdits(let count):
            "\(count) records of the previous user have edits that were never sent; upload them or discard them"
        case .keyTaken: "a record with this key exists already; use another local key"
        case .noRecord: "there is no record with this key, or the user has deleted it"
        }
    }
}
