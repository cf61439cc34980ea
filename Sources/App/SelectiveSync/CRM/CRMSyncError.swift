/// Why a `CRMSync` refused a call. The call has changed nothing.
public enum CRMSyncError: Error, Hashable, Sendable {
    /// The store cannot be opened now. Before the first unlock after a restart that passes; otherwise the text says what is
    /// wrong.
    case locked(String)
    case loggedOut
    /// A log-in or log-out is under way.
    case changingUser
    /// The user who made the edit is no longer logged in.
    case otherUser
}

extension CRMSyncError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .locked(let problem): "the store cannot be opened now; try again after the device is unlocked: \(problem)"
        case .loggedOut: "nobody is logged in"
        case .changingUser: "the user is being changed; try again when that has ended"
        case .otherUser: "the user has changed since the edit was made; it was not stored"
        }
    }
}
