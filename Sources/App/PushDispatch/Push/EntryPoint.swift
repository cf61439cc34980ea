/// Which of the system's callbacks brought the push. One push can come in by several of them (docs/reference/selective-sync.md 8.1).
public enum EntryPoint: String, Hashable, Sendable, CaseIterable {
    /// The fetch callback, `didReceiveRemoteNotification(fetchCompletionHandler:)`, whatever state the app is in.
    case background
    /// `willPresent`: a visible push while the app is in front.
    case foreground
    /// `didReceive`: the user acted on a visible push.
    case tap
}
