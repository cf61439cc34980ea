/// Whether an entry follows each change of the selections, or keeps those that it was first shown with.
///
/// The first generation's code let the entry's own "locked" win over an open preview panel. This follows its text, where the
/// panel wins (docs/reference/personalization.md 8 and 15).
public struct SelectionLock: Hashable, Sendable {
    /// What decides besides the entry.
    public struct Conditions: Hashable, Sendable {
        public var isPanelOpen: Bool
        /// The setting of the whole app.
        public var isLive: Bool

        public init(isPanelOpen: Bool = false, isLive: Bool = false) {
            self.isPanelOpen = isPanelOpen
            self.isLive = isLive
        }
    }

    /// The entry's own setting: true for live, false for locked, nil for the app's.
    public var isLive: Bool?
    private var kept: [ExperienceSelection]?
    private var wasPanelOpen = false

    public init(isLive: Bool? = nil) { self.isLive = isLive }

    public func isLive(_ conditions: Conditions) -> Bool {
        conditions.isPanelOpen || isLive ?? conditions.isLive
    }

    /// The selections that the entry shows now. Call it after each change of selections, conditions or setting.
    ///
    /// A live entry that becomes locked keeps what it shows at that moment.
    ///
    /// - Parameter current: With the overrides of the panel; nil before the first reply.
    public mutating func selections(
        _ current: [ExperienceSelection]?, _ conditions: Conditions
    ) -> [ExperienceSelection]? {
        defer { wasPanelOpen = conditions.isPanelOpen }
        if isLive(conditions) {
            kept = current ?? kept
            return current
        }
        // The panel has just been closed: this moment is the new fixed state.
        if wasPanelOpen, let current { kept = current }
        if kept == nil { kept = current }
        return kept
    }
}
