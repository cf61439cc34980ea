/// What a dispatcher did, for a log or a metric.
///
/// From the payload it holds only the type's name, shortened, and record ids. An id identifies a record only for those
/// who may read it.
public enum DispatchEvent: Hashable, Sendable {
    case received(type: String, entryPoint: EntryPoint)
    case issue(PushIssue)
    case ignored(PushIgnoreCause)
    /// The same push was handled a moment ago, by another entry point.
    case duplicateDropped(EntryPoint)
    /// The same push is being handled. Both get the same result.
    case duplicateJoined(EntryPoint)
    /// The same payload arrived after the request was sent, so the handler runs once more.
    case fetchAgain(EntryPoint)
    case started(object: String, records: [RecordID])
    /// The handler of a type that names no records was started.
    case startedMessage(type: String)
    /// The handler threw an error of this type.
    case handlerFailed(errorType: String)
    case handlerStopped(StopCause)
    /// A stopped handler returned. Its report counts if it was stopped when its time ran out and the deadline is not
    /// reached.
    case handlerLate
    case kept(object: String, records: [RecordID])
    /// The pending store threw. Only the next regular sync will fetch these records.
    case notKept(object: String, records: [RecordID], errorType: String)
    /// The pending store had not answered at the deadline, and the result was reported without it.
    case storeLate
    case finished(PushResult, milliseconds: Int64)

    public enum StopCause: String, Hashable, Sendable {
        case timeRanOut, cancelled
        /// The user of the push is not logged in any more.
        case otherUser
        /// The push arrived with no time left to start.
        case tooLate
        /// `DispatchPolicy.maximumHandlers` or `maximumWaiting` is reached.
        case tooMany
    }
}
