/// What the preview panel lays over the service's selections.
///
/// Source: docs/reference/personalization.md 16.
public struct PreviewOverrides: Hashable, Sendable {
    /// An audience that is switched on or off.
    public struct Audience: Hashable, Sendable {
        public var isQualified: Bool
        public var experienceIDs: [String]
        /// Whether the person really belonged to it when the override was made.
        public var wasQualified: Bool
    }

    /// A variant that is shown instead of the selected one.
    public struct Variant: Hashable, Sendable {
        public var index: Int
        /// The audience whose override set it; nil if it was set by itself.
        public var audienceID: String?
    }

    public private(set) var audiences: [String: Audience] = [:]
    public private(set) var variants: [String: Variant] = [:]
    /// The experiences of `variants` in the order in which they were first overridden.
    private var order: [String] = []

    public init() {}

    public var isEmpty: Bool { audiences.isEmpty && variants.isEmpty }

    /// Shows the person as in or out of an audience: each of its experiences gets the variant 1 or 0.
    ///
    /// - Parameter wasQualified: Whether the person really belongs to it.
    public mutating func overrideAudience(
        _ id: String, isQualified: Bool, experienceIDs: [String], wasQualified: Bool
    ) {
        resetAudience(id, keeping: Set(experienceIDs))
        audiences[id] = Audience(isQualified: isQualified, experienceIDs: experienceIDs, wasQualified: wasQualified)
        for experience in experienceIDs { set(experience, Variant(index: isQualified ? 1 : 0, audienceID: id)) }
    }

    /// - Parameter index: 0 for the baseline; a negative one counts as 0.
    public mutating func overrideVariant(_ experienceID: String, index: Int) {
        set(experienceID, Variant(index: max(0, index)))
    }

    /// Removes the override and the variants that it has set. A variant that was set by itself since stays.
    public mutating func resetAudience(_ id: String) { resetAudience(id, keeping: []) }

    private mutating func resetAudience(_ id: String, keeping kept: Set<String>) {
        guard let audience = audiences.removeValue(forKey: id) else { return }
        for experience in audience.experienceIDs
        where variants[experience]?.audienceID == id && !kept.contains(experience) {
            resetVariant(experience)
        }
    }

    public mutating func resetVariant(_ experienceID: String) {
        if variants.removeValue(forKey: experienceID) != nil { order.removeAll { $0 == experienceID } }
    }

    public mutating func resetAll() { self = PreviewOverrides() }

    private mutating func set(_ experienceID: String, _ variant: Variant) {
        if variants.updateValue(variant, forKey: experienceID) == nil { order.append(experienceID) }
    }

    /// The selections with the overrides laid over them. An overridden experience that is not selected is added.
    ///
    /// - Parameter real: The service's last selections; nil before its first reply.
    /// - Returns: Nil if there are neither selections nor overrides.
    public func applied(to real: [ExperienceSelection]?) -> [ExperienceSelection]? {
        guard !variants.isEmpty else { return real }
        var selections = real ?? []
        var missing = Set(order)
        for index in selections.indices {
            let id = selections[index].experienceID
            guard let variant = variants[id] else { continue }
            selections[index].variantIndex = variant.index
            selections[index].isPreview = true
            missing.remove(id)
        }
        for id in order where missing.contains(id) {
            guard let variant = variants[id] else { continue }
            var selection = ExperienceSelection(experienceID: id, variantIndex: variant.index)
            selection.isPreview = true
            selections.append(selection)
        }
        return selections
    }
}
