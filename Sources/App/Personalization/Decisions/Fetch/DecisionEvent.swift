/// What a decision client does, for a log. It contains no name of a point and no value of a context or a reply.
public enum DecisionEvent: Hashable, Sendable {
    /// A request is sent.
    case requested(points: Int)
    /// A reply came and was kept.
    case answered(points: Int, decisions: Int, isLate: Bool)
    /// Something of a reply was left out.
    case issue(String)
    /// A request failed.
    case failed(DecisionError)
    /// A reply came for a person who no longer uses the app, or has opted out. It was neither shown nor kept.
    case discarded
    /// The service is not asked for this time.
    case paused(milliseconds: Int64)
    /// Replies were removed, because their user logged out or opted out.
    case erased(replies: Int)
    /// The kept replies could not be read and were set aside under this path, or could not even be moved: nil.
    case cacheDamaged(movedTo: String?)
    /// The kept replies cannot be read or written now. The cache works in memory meanwhile.
    case storeFailed(DecisionStoreError)
}
