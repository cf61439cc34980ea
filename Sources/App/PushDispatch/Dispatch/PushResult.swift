/// The result that the app reports to the system for a push. It influences whether the system wakes the app again.
public enum PushResult: String, Hashable, Sendable, CaseIterable {
    /// Something was added, changed or removed.
    case newData
    case noData
    /// There was something to fetch, and nothing was stored.
    case failed
}
