extension TestPhone {
    /// The state of an app on a device. The raw values are those of the gateway simulator.
    public enum AppState: String, Hashable, Sendable, CaseIterable {
        /// On screen.
        case foreground
        /// Running, not on screen.
        case background
        /// In memory, not running.
        case suspended
        /// Ended by the system, which launches it again for a push.
        case terminated
        /// Closed by the user: the system does not launch it again before the user opens it.
        case forceQuit = "force-quit"

        /// Whether there is a process.
        public var isInMemory: Bool {
            switch self {
            case .foreground, .background, .suspended: true
            case .terminated, .forceQuit: false
            }
        }
    }
}
