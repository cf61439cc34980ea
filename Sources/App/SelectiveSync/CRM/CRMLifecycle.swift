/// Who uses a `CRMSync`, and whether it can work. No I/O.
package struct CRMLifecycle: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// The store is not open: it was not tried, or it failed, as it does before the first unlock after a restart.
        case locked
        case opening
        case loggedOut
        case ready(String)
        /// The server accepts the refresh token no longer; the user is still the owner of the store.
        case expired(String)
        /// A log-in or log-out is under way.
        case changing(from: Former)
    }

    /// The state before a change of users, to return to if it is refused.
    package enum Former: Hashable, Sendable {
        case loggedOut
        case ready(String)
        case expired(String)
    }

    package enum OnOpen: Hashable, Sendable {
        case start
        /// Another call is opening it.
        case wait
        case isOpen
    }

    package enum OnChange: Hashable, Sendable {
        case begin
        /// Edits of the former user are being stored; the change begins with the last `editEnded()`.
        case waitForEdits
        /// The store is not open, or another change is under way.
        case refused
    }

    package enum OnEdit: Hashable, Sendable {
        case begin
        case refused(CRMSyncError)
    }

    package private(set) var state = State.locked
    /// Edits that are being stored.
    private var edits = 0
    /// Counts the changes of users that were not refused. An edit names the number of its user's log-in.
    package private(set) var logIn = 0
    /// Whether something happened that only a regular sync finds: a push while the store was not open, hints that were
    /// dropped, a damaged file.
    package private(set) var isSyncDue = false

    package init() {}

    /// The user who is logged in, also while the session has expired.
    package var user: String? {
        switch state {
        case .ready(let user), .expired(let user): user
        case .locked, .opening, .loggedOut, .changing: nil
        }
    }

    package var isOpen: Bool {
        switch state {
        case .locked, .opening: false
        case .loggedOut, .ready, .expired, .changing: true
        }
    }

    package var isChanging: Bool {
        if case .changing = state { true } else { false }
    }
}

// The store.
extension CRMLifecycle {
    package mutating func open() -> OnOpen {
        switch state {
        case .locked:
            state = .opening
            return .start
        case .opening: return .wait
        case .loggedOut, .ready, .expired, .changing: return .isOpen
        }
    }

    /// - Parameter user: Who was logged in when the process ended; nil if nobody was.
    package mutating func opened(_ user: String?) {
        if state == .opening { state = user.map { .ready($0) } ?? .loggedOut }
    }

    package mutating func openingFailed() {
        if state == .opening { state = .locked }
    }
}

// The user.
extension CRMLifecycle {
    /// A log-in or log-out begins. From now on no edit and no sync starts.
    package mutating func beginChange() -> OnChange {
        switch state {
        case .locked, .opening, .changing: return .refused
        case .loggedOut: state = .changing(from: .loggedOut)
        case .ready(let user): state = .changing(from: .ready(user))
        case .expired(let user): state = .changing(from: .expired(user))
        }
        return edits == 0 ? .begin : .waitForEdits
    }

    /// - Parameter user: Nil after a log-out.
    package mutating func changed(to user: String?) {
        guard isChanging else { return }
        state = user.map { .ready($0) } ?? .loggedOut
        logIn += 1
    }

    /// The change was refused before anything was changed.
    package mutating func changeRefused() {
        guard case .changing(let former) = state else { return }
        switch former {
        case .loggedOut: state = .loggedOut
        case .ready(let user): state = .ready(user)
        case .expired(let user): state = .expired(user)
        }
    }

    /// The server refuses the refresh token. During a change it is that of the former user, whose tokens are replaced only at
    /// its end.
    package mutating func sessionExpired() {
        switch state {
        case .ready(let user): state = .expired(user)
        case .changing(from: .ready(let user)): state = .changing(from: .expired(user))
        case .locked, .opening, .loggedOut, .expired, .changing: break
        }
    }

    /// The session was renewed, by this process or with tokens that another one has stored. An expired one works again.
    package mutating func sessionRenewed() {
        switch state {
        case .expired(let user): state = .ready(user)
        case .changing(from: .expired(let user)): state = .changing(from: .ready(user))
        case .locked, .opening, .loggedOut, .ready, .changing: break
        }
    }
}

// Work.
extension CRMLifecycle {
    /// - Parameter logIn: The number of the log-in when the user saved.
    package mutating func beginEdit(of logIn: Int) -> OnEdit {
        switch state {
        case .ready, .expired:
            guard logIn == self.logIn else { return .refused(.otherUser) }
            edits += 1
            return .begin
        case .loggedOut: return .refused(.loggedOut)
        case .changing: return .refused(.changingUser)
        case .locked, .opening: return .refused(.locked("it is not open"))
        }
    }

    /// - Returns: Whether a change of users that waits can begin.
    package mutating func editEnded() -> Bool {
        edits -= 1
        return edits == 0 && isChanging
    }

    package mutating func syncIsDue() { isSyncDue = true }

    /// A regular sync of every object begins.
    package mutating func syncBegins() { isSyncDue = false }
}
