extension AppEvent {
    /// Types that the library makes itself, so that an app's own event cannot have them.
    private static let knownTypes: Set<String> = [
        "identity", "contactPointEmail", "contactPointPhone", "contactPointAddress", "partyIdentification", "catalog",
        "cart", "cartItem", "order", "orderItem", "appEvents", "consentLog", "userEngagement", "engagement",
    ]

    /// An event of the app's own kind.
    ///
    /// - Parameter type: The developer name of the event in the data platform's schema.
    public static func custom(
        _ type: String, attributes: [String: AttributeValue] = [:]
    ) throws(PersonalizationError) -> AppEvent {
        try check(type, "the type of an event")
        guard !knownTypes.contains(type) else {
            throw .invalid("the event type \(type) has a meaning for the service; use the call for it, or another name")
        }
        var event = AppEvent(type: type)
        try event.addAttributes(attributes)
        return event
    }

    /// A person looked at an object of the catalog, or did something else with it.
    public static func catalog(
        _ interaction: CatalogInteraction = .view, type: String = "Product", id: String,
        attributes: [String: AttributeValue] = [:]
    ) throws(PersonalizationError) -> AppEvent {
        try check(type, "the type of a catalog object")
        try check(id, "the id of a catalog object")
        try check(interaction.rawValue, "the name of a catalog interaction")
        var event = AppEvent(type: "catalog", interaction: interaction.rawValue)
        event.add("type", type)
        event.add("id", id)
        try event.addAttributes(attributes, prefix: "attribute")
        return event
    }

    // Behaviour (docs/reference/personalization.md 4.2). The values of `behaviorType` are those of the vendor's schema.

    enum Behavior: Hashable, Sendable {
        case launch, firstLaunch, background
        case versionChange(from: String)
        case screen(String)

        var name: String {
            switch self {
            case .launch: "AppLaunch"
            case .firstLaunch: "AppFirstLaunch"
            case .background: "AppBackgrounded"
            case .versionChange: "AppUpdate"
            case .screen: "ScreenView"
            }
        }
    }

    static func behavior(_ behavior: Behavior, of app: AppDescription) -> AppEvent {
        var event = AppEvent(type: "appEvents")
        event.add("behaviorType", behavior.name)
        event.add("appName", app.name)
        event.add("appVersion", app.version)
        switch behavior {
        case .versionChange(let previous): event.add("previousAppVersion", previous)
        case .screen(let name): event.add("screenName", name)
        case .launch, .firstLaunch, .background: break
        }
        return event
    }
}

/// What a person did with an object of the catalog.
public struct CatalogInteraction: Hashable, Sendable {
    public let rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let view = CatalogInteraction("View Catalog Object")
    public static let viewDetail = CatalogInteraction("View Catalog Object Detail")
    public static let quickView = CatalogInteraction("Quick View Catalog Object")
    public static let favorite = CatalogInteraction("Favorite Catalog Object")
    public static let share = CatalogInteraction("Share Catalog Object")
    public static let review = CatalogInteraction("Review Catalog Object")
    public static let comment = CatalogInteraction("Comment Catalog Object")
}
