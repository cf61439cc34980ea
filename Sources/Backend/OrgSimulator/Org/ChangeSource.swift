/// The source of a change, as far as triggers depend on it. Each change runs as a user, whoever makes it.
package enum ChangeSource: Hashable, Sendable {
    /// A user's change in a browser.
    case browser
    /// An app's change over REST, in a session of this log-in; nil for a session without a log-in.
    case session(grant: String?)
    /// A flow that runs as the user: it changes `SystemModstamp` only and leaves the last modifier unchanged.
    case automaticProcess
    /// An AI agent that works for the user: the last modifier is the user.
    case agent
    /// Another system that writes in the user's name.
    case integration
    /// A load of many records by an import tool.
    case bulkLoad

    /// The names of the sources, as in `sources` of a trigger.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case browser
        case app
        case flow
        case agent
        case integration
        case bulkLoad = "bulk-load"

        /// The sources that stand for what a person did. A trigger fires for these unless it says otherwise.
        package static let ofPeople: Set<Kind> = [.browser, .app, .flow]
    }

    package var kind: Kind {
        switch self {
        case .browser: .browser
        case .session: .app
        case .automaticProcess: .flow
        case .agent: .agent
        case .integration: .integration
        case .bulkLoad: .bulkLoad
        }
    }

    /// The source of a change over the control API; nil for `app`, whose changes come over REST.
    package init?(_ kind: Kind) {
        switch kind {
        case .browser: self = .browser
        case .app: return nil
        case .flow: self = .automaticProcess
        case .agent: self = .agent
        case .integration: self = .integration
        case .bulkLoad: self = .bulkLoad
        }
    }
}
