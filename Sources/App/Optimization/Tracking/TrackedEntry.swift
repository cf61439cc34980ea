/// What events about an entry carry, from the entry as it is shown.
public struct TrackedEntry: Hashable, Sendable {
    /// The id of the **baseline**, also where a variant is shown.
    public var componentID: String
    /// Nil for a baseline without an experience.
    public var experienceID: String?
    /// 0 for the baseline.
    public var variantIndex: Int
    public var isSticky: Bool

    public init(componentID: String, experienceID: String? = nil, variantIndex: Int = 0, isSticky: Bool = false) {
        self.componentID = componentID
        self.experienceID = experienceID
        self.variantIndex = variantIndex
        self.isSticky = isSticky
    }

    /// - Returns: Nil for a baseline without an id, about which nothing can be reported, and for what the preview panel has
    ///   chosen: the person has not got that variant.
    public init?(baseline: ContentEntry, _ resolution: EntryResolution) {
        guard let id = baseline.id, resolution.selection?.isPreview != true else { return nil }
        self.init(
            componentID: id, experienceID: resolution.selection?.experienceID,
            variantIndex: resolution.selection?.variantIndex ?? 0, isSticky: resolution.selection?.isSticky ?? false)
    }
}

/// An event of a view.
public struct ViewPayload: Hashable, Sendable {
    public var entry: TrackedEntry
    /// A UUID, the same for all events of one view.
    public var viewID: String
    public var viewDurationMilliseconds: Int64

    public init(_ entry: TrackedEntry, viewID: String, viewDurationMilliseconds: Int64) {
        self.entry = entry
        self.viewID = viewID
        self.viewDurationMilliseconds = viewDurationMilliseconds
    }
}

/// A tap on an entry.
public struct ClickPayload: Hashable, Sendable {
    public var entry: TrackedEntry

    public init(_ entry: TrackedEntry) { self.entry = entry }
}
