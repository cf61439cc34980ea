/// The state of a sync (docs/reference/selective-sync.md 7.3).
public enum SyncState: String, Hashable, Sendable, Codable, CaseIterable {
    case new, running, stopped, done, failed
}
