/// The system callback that delivered a push. One push can arrive by several of them (docs/reference/selective-sync.md
/// 8.1).
public enum EntryPoint: String, Hashable, Sendable, CaseIterable {
    /// The fetch callback, `didReceiveRemoteNotification(fetchCompletionHandler:)`, in every state of the app.
    case background
    /// `willPresent`: a visible push while the app is on screen.
    case foreground
    /// `didReceive`: the user acted on a visible push.
    case tap
}
