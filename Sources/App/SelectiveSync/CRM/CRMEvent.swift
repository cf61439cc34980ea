public import PushDispatch

/// An event of one of the parts of a `CRMSync`, for a log or a metric. It contains no token and no value of a record.
public enum CRMEvent: Hashable, Sendable {
    case push(DispatchEvent)
    case sync(SyncEvent)
    case session(OAuthEvent)
    case server(RESTEvent)
    case registration(RegistrationEvent)
    /// The store is open. The text says what it has lost, if its file was damaged.
    case opened(replacement: String?)
    /// The store or the tokens could not be read, with the type of the error. The next push or start of the app tries again.
    case notOpened(errorType: String)
    /// The push was answered with `failed`, because the store could not be opened. A regular sync follows when it can.
    case pushMissed(EntryPoint)
    /// A step of a log-out failed with an error of this type; the others were done.
    case logOutFailed(errorType: String)
}
