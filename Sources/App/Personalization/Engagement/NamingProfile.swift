/// What engagement with a decision is called on the wire (docs/reference/personalization.md 4.3).
public enum NamingProfile: String, Hashable, Sendable, CaseIterable {
    /// As the service's reference says: ``product`` for content about an item, else ``other``.
    case reference
    /// `catalog` events with type and id of an item, which the content must have.
    case product
    /// `userEngagement` events without an item.
    case other
    /// The names of a how-to guide: `engagement` with `View Product Recommendation`.
    case guide
}

/// What a person did with content of a decision.
public enum EngagementAction: String, Hashable, Sendable, CaseIterable {
    /// It came on the screen.
    case impression
    /// It was tapped.
    case click
    /// It was waved away.
    case dismiss
}

extension NamingProfile {
    /// The type of the event and the name of the interaction.
    func names(_ action: EngagementAction, hasItem: Bool) -> (type: String, interaction: String) {
        switch self {
        case .reference: (hasItem ? NamingProfile.product : .other).names(action, hasItem: hasItem)
        case .product:
            switch action {
            case .impression: ("catalog", "catalog-object-view-start")
            case .click: ("catalog", "catalog-object-click")
            case .dismiss: ("catalog", "catalog-object-dismiss")
            }
        case .other:
            switch action {
            case .impression: ("userEngagement", "personalization-view")
            case .click: ("userEngagement", "personalization-click")
            case .dismiss: ("userEngagement", "personalization-dismiss")
            }
        case .guide:
            switch action {
            case .impression: ("engagement", "View Product Recommendation")
            case .click: ("engagement", "Click Product Recommendation")
            case .dismiss: ("engagement", "Dismiss Product Recommendation")
            }
        }
    }

    func sendsItem(_ hasItem: Bool) -> Bool { self == .product || self == .reference && hasItem }
}
