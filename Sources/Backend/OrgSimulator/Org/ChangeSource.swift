/// The source of a change, as far as triggers depend on it.
package enum ChangeSource: Hashable, Sendable {
    /// A user's change in a browser.
    case browser
    /// An app's change over REST, in a session of this log-in; nil for a session without a log-in.
    case session(grant: String?)
    /// A flow that runs as the user: it changes `SystemModstamp` only and leaves the last modifier unchanged.
    case automaticProcess
}
