public import PushDispatch

/// The decision about a conflict.
public enum ConflictResolution: Hashable, Sendable {
    /// The user's version: it is sent, and a record that the server has deleted is created again.
    case mine
    /// The server's version. Edits of other fields stay; a record that the server has deleted is removed.
    case theirs
    /// These values for the fields in conflict. Fields that are not named stay in conflict. A record that one side has
    /// deleted stays, with these values.
    case fields([String: JSONValue])
}

/// What happens to conflicts at the moment at which they are found.
public enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
    /// They are kept for the app to resolve.
    case keep
    case mine
    case theirs

    var resolution: ConflictResolution? {
        switch self {
        case .keep: nil
        case .mine: .mine
        case .theirs: .theirs
        }
    }
}
