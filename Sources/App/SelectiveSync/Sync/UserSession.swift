/// The time from one log-in to the next. Work that starts in one session must not end in another.
struct UserSession: Hashable, Sendable {
    enum LogIn: Hashable, Sendable {
        /// Nobody has logged in or out yet in this process: a push can start the process before the app logs its user in.
        case unknown
        case user(String)
        case loggedOut
    }

    /// May change from `unknown` to `user` within a session, so it does not count when two sessions are compared.
    fileprivate(set) var logIn = LogIn.unknown
    fileprivate var number = 0

    var user: String? {
        if case .user(let user) = logIn { user } else { nil }
    }

    static func == (left: UserSession, right: UserSession) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Whose session it is, and whether that changes at the moment.
struct UserSessions: Sendable {
    private(set) var current = UserSession()
    /// How often all waiting work was dropped because the user changed.
    private(set) var resets = 0
    /// Log-ins and log-outs that the store is working on.
    private var changes = 0

    var isChanging: Bool { changes > 0 }

    var isLoggedOut: Bool { current.logIn == .loggedOut }

    /// Whether a regular sync or an upload may send requests. Not while the user changes: the server's session and the
    /// store may be of different users then.
    var allowsRequests: Bool { !isChanging && !isLoggedOut }

    func isCurrent(_ session: UserSession) -> Bool { session == current }

    mutating func beginChange() { changes += 1 }

    mutating func endChange() { changes -= 1 }

    /// Ends the session of all work that has started so far.
    mutating func endCurrent() { current.number += 1 }

    mutating func reset() {
        endCurrent()
        resets += 1
    }

    mutating func loggedIn(_ user: String) { current.logIn = .user(user) }

    mutating func loggedOut() { current.logIn = .loggedOut }
}
