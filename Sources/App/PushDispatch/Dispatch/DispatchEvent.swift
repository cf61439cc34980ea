/// What a dispatcher did, for a log or a metric.
///
/// No text of the payload is in it but the type's name, cut short. Record ids are, whole: they name a row only to those
/// who may read it, and a shortened one helps nobody to find the fault.
public enum DispatchEvent: Hashable, Sendable {
    case received(type: String, entryPoint: EntryPoint)
    case issue(PushIssue)
    case ignored(PushIgnoreCause)
    /// The same push by another entry point, handled a moment ago.
    case duplicateDropped(EntryPoint)
    /// The same push while its first is still being handled; it gets the first's result.
    case duplicateJoined(EntryPoint)
    /// The same payload after the request went out; it is fetched once more.
    case fetchAgain(EntryPoint)
    case started(object: String, records: [RecordID])
    /// The handler of a type that names no records.
    case startedMessage(type: String)
    /// The handler threw; only the name of the error's type is told.
    case handlerFailed(errorType: String)
    case handlerStopped(StopCause)
    /// A stopped handler returned after all; its report was not used.
    case handlerLate
    case kept(object: String, records: [RecordID])
    /// The pending store threw; these records wait for the next regular sync.
    case notKept(object: String, records: [RecordID], errorType: String)
    /// The pending store had not answered at the deadline, and the result went out without it.
    case storeLate
    case finished(PushResult, milliseconds: Int64)

    public enum StopCause: String, Hashable, Sendable {
        case timeRanOut, cancelled
        /// Its user logged out.
        case otherUser
        /// The push came in with no time left to start.
        case tooLate
        /// `DispatchPolicy.maximumHandlers` or `maximumWaiting` is reached.
        case tooMany
    }
}
