/// What became of the session, for a log or the app's log-in screen. No token is in it.
public enum OAuthEvent: Hashable, Sendable {
    case renewed
    /// The org lives at another address now.
    case moved(host: String)
    /// The server takes the refresh token no more: the user has to log in again. Told once.
    case logInNeeded
    /// The renewal failed, and the next call tries again.
    case renewalFailed(FetchError)
    /// The storage did not take the new tokens; only the name of the error's type is told.
    case notSaved(errorType: String)
}
