/// The user for whom pushes are handled (docs/reference/selective-sync.md 9, rule 9).
public enum PushUser: Hashable, Sendable {
    /// Not known: every push is handled.
    case unknown
    /// Pushes that name another user are ignored; those that name none are handled.
    case user(String)
    /// Logged out: every push is ignored.
    case loggedOut

    /// Whether to handle a push for the user `sent`. Both spellings of a record id are the same user.
    func accepts(_ sent: String?) -> Bool {
        switch self {
        case .unknown: return true
        case .loggedOut: return false
        case .user(let user):
            guard let sent else { return true }
            if let mine = RecordID(user), let theirs = RecordID(sent) { return mine == theirs }
            return user == sent
        }
    }

    /// Whether both are the same user, in either spelling of a record id.
    func isSame(as other: PushUser) -> Bool {
        if case .user(let user) = other, case .user = self { accepts(user) } else { self == other }
    }
}
