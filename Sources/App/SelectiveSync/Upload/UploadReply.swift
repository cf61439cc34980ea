public import PushDispatch

/// The server's answer to an upload.
public enum UploadReply: Hashable, Sendable {
    /// - Parameters:
    ///   - id: The id of a new record; nil for a change.
    ///   - date: The modification date, if the server returns it.
    case done(id: RecordID?, ServerDate?)
    /// 404: the record no longer exists.
    case notFound
    /// 412: the record has changed, so the condition of the call is not met.
    case changed
    /// No answer: the whole pass fails.
    case network
    /// An error that concerns all records, such as an expired session or a server that is down: the whole pass fails.
    case unavailable(FetchError)
    /// Any other error: its code or a short sentence.
    case refused(String)
}
