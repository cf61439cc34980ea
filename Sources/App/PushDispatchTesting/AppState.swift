/// How an app stands on a phone; the words are those of the gateway simulator.
public enum AppState: String, Hashable, Sendable, CaseIterable {
    /// In front, its user looks at it.
    case foreground
    /// Runs, unseen.
    case background
    /// In memory, and does not run.
    case suspended
    /// Ended by the system, which launches it again for a push.
    case terminated
    /// Swept away by the user: the system launches it for nothing until the user opens it.
    case forceQuit = "force-quit"

    /// Whether there is a process.
    public var isInMemory: Bool {
        switch self {
        case .foreground, .background, .suspended: true
        case .terminated, .forceQuit: false
        }
    }
}
