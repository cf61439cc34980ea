/// How a change came into the org, as far as triggers ask.
package enum ChangeSource: Hashable, Sendable {
    /// By hand, in a browser.
    case browser
    /// By an app over REST, in a session of this grant; nil for a session that never logged in.
    case session(grant: String?)
    /// By a flow that runs as the user: moves `SystemModstamp` alone, and leaves the last modifier as it was.
    case automaticProcess
}
