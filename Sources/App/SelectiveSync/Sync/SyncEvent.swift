import PushDispatch

/// An event for a log or a metric. It contains no value of a record.
public enum SyncEvent: Hashable, Sendable {
    /// A hint named an object that no `SyncObject` describes.
    case unknownObject(String)
    case merged(object: String, MergeCounts)
    case fetchFailed(object: String, FetchError)
    /// The request is tried again after this wait.
    case retrying(object: String, milliseconds: Int64)
    /// Hints did not fit into memory or store, a regular sync that a push requested has not finished, or the server has
    /// refused a fetch with a code that this library does not know. The app should run a regular sync of the object.
    case regularSyncNeeded(object: String)
    /// The store threw an error of this type.
    case storeFailed(object: String, errorType: String)
    /// Hints could not be read from the store or written to it.
    case pendingFailed(errorType: String)
    /// A request of an upload failed.
    case uploadFailed(object: String, FetchError)
    /// An upload ended.
    case uploaded(object: String, UploadReport)
    /// A regular sync of the object started or ended.
    case regularSync(object: String, SyncState)
    /// A regular sync has stored a page and more follow: so many records since its first page, and the number of all, if the
    /// server counts them.
    case received(object: String, records: Int, of: Int?)
}
