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
    /// Any other refusal: its code, and what the server says about it.
    case refused(String)
    /// An error inside the server: its code, and what the server says about it. It is not known whether the server made the
    /// change, and the pass goes on with the other records.
    case unknown(String)
}
