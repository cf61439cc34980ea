/// An event of the session, for a log or the app's log-in screen. It contains no token.
public enum OAuthEvent: Hashable, Sendable {
    case renewed
    /// The org has moved to another host.
    case moved(host: String)
    /// The session cannot be renewed, because the server no longer accepts the refresh token or the app, or there is no refresh
    /// token: the user has to log in again. Reported once.
    case logInNeeded
    /// The renewal failed. The next call tries again.
    case renewalFailed(FetchError)
    /// The storage could not save the new tokens and threw an error of this type.
    case notSaved(errorType: String)
}
