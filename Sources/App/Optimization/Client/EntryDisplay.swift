/// What decides how entries are shown.
public struct EntryDisplay: Hashable, Sendable {
    public var isInitialized = false
    /// With the overrides of the preview panel; nil before the first reply.
    public var selections: [ExperienceSelection]?
    public var conditions = SelectionLock.Conditions()

    public init() {}
}
