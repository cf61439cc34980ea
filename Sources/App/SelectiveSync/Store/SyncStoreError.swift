/// Why a store refused.
public enum SyncStoreError: Error, Hashable, Sendable {
    /// The batch was fetched for another user than the one whose store this is now.
    case otherUser
    /// Records with edits that were never sent: upload them first, or say that they may be lost.
    case unsentEdits(Int)
    /// A new record has the key of another one.
    case keyTaken
}

extension SyncStoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .otherUser: "the records were fetched for another user; nothing was stored"
        case .unsentEdits(let count):
            "\(count) records of the former user have edits that were never sent; upload them or discard them"
        case .keyTaken: "a record with this key is there already; take another local key"
        }
    }
}
