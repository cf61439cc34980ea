/// The state of a `CRMSync`, for a screen.
public struct CRMStatus: Hashable, Sendable {
    public enum Phase: Hashable, Sendable {
        /// The store is not open yet, or cannot be opened: the device was not unlocked since its start, or ``CRMStatus/problem``
        /// says what is wrong.
        case locked
        case opening
        case ready(user: String)
        /// A log-in or log-out is under way.
        case changingUser
        case loggedOut
        /// The user has to log in again. Records and edits stay, and edits can be made.
        case sessionExpired(user: String)
    }

    public var phase: Phase
    /// Why the store could not be opened.
    public var problem: String?
    /// When the regular sync that brought every object up to date began, by the device's clock; nil before the first.
    public var lastSync: ServerDate?
    /// What waits in the store.
    public var waiting: StoreCounts
    public var network: SyncNetwork
    /// How far the running sync is, 0 to 100; nil if none runs.
    public var progress: Int?

    public var isOffline: Bool { network == .offline }
    public var isSyncing: Bool { progress != nil }
    public var isSessionExpired: Bool {
        if case .sessionExpired = phase { true } else { false }
    }
    /// The user who is logged in, also while the session has expired.
    public var user: String? {
        switch phase {
        case .ready(let user), .sessionExpired(let user): user
        case .locked, .opening, .changingUser, .loggedOut: nil
        }
    }
}
