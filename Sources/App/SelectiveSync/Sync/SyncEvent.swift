import PushDispatch

/// What a sync did, for a log or a metric. No value of a record is in it.
public enum SyncEvent: Hashable, Sendable {
    /// A hint names an object that no `SyncObject` describes.
    case unknownObject(String)
    case merged(object: String, MergeCounts)
    case fetchFailed(object: String, FetchError)
    /// The same records are asked for again after this wait.
    case retrying(object: String, milliseconds: Int64)
    /// More hints than there is room for, or a regular sync that a push asked for did not come to its end: the app should
    /// run one of the object.
    case regularSyncNeeded(object: String)
    /// The store threw; only the name of the error's type is told.
    case storeFailed(object: String, errorType: String)
    /// The pending hints could not be read or written.
    case pendingFailed(errorType: String)
    /// An upload brought no answer.
    case uploadFailed(object: String, FetchError)
    /// An upload ended so.
    case uploaded(object: String, UploadReport)
    /// A regular sync of the object stands so.
    case regularSync(object: String, SyncState)
}
