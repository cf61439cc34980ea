import PushDispatch

/// What a selective sync did, for a log or a metric. No value of a record is in it.
public enum SyncEvent: Hashable, Sendable {
    /// A hint names an object that no `SyncObject` describes.
    case unknownObject(String)
    case merged(object: String, MergeCounts)
    case fetchFailed(object: String, FetchError)
    /// The record store threw; only the name of the error's type is told.
    case storeFailed(object: String, errorType: String)
    /// The pending store could not be read, or not be written after a merge.
    case pendingFailed(errorType: String)
}
