/// What a person sees of a decision, with the ids that engagement must carry.
public struct EngagementContent: Hashable, Sendable {
    /// An item of the catalog.
    public struct Item: Hashable, Sendable {
        public var type: String
        public var id: String

        public init(type: String = "Product", id: String) {
            self.type = type
            self.id = id
        }
    }

    public var personalizationID: String
    /// The id of an item of the reply; the decision's own id for fixed content.
    public var contentID: String
    /// Nil for content that is not about an item.
    public var item: Item?

    public init(personalizationID: String, contentID: String, item: Item? = nil) {
        self.personalizationID = personalizationID
        self.contentID = contentID
        self.item = item
    }

    /// Fixed content, which uses the decision's own id.
    public init(fixed personalizationID: String) {
        self.init(personalizationID: personalizationID, contentID: personalizationID)
    }
}

extension EngagementContent {
    /// The event that tells the service about it.
    ///
    /// - Throws: `missingID`: without its ids an event belongs to no decision.
    func event(
        _ action: EngagementAction, _ naming: NamingProfile, _ attributes: [String: AttributeValue] = [:]
    ) throws(PersonalizationError) -> AppEvent {
        try EngagementContent.check(personalizationID, "personalizationId", action)
        if action != .dismiss { try EngagementContent.check(contentID, "personalizationContentId", action) }
        let names = naming.names(action, hasItem: item != nil)
        var event = AppEvent(type: names.type, interaction: names.interaction)
        if naming.sendsItem(item != nil) {
            guard let item else {
                throw PersonalizationError(
                    .missingID,
                    "the \(action) has no item, which the naming profile \"product\" needs; give the content an item or use "
                        + "the profile \"reference\"")
            }
            try EngagementContent.check(item.type, "type of the item", action)
            try EngagementContent.check(item.id, "id of the item", action)
            event.add("type", item.type)
            event.add("id", item.id)
        }
        event.add("personalizationId", personalizationID)
        if !contentID.isEmpty { event.add("personalizationContentId", contentID) }
        try event.addAttributes(attributes, prefix: event.type == "catalog" ? "attribute" : "")
        return event
    }

    private static func check(
        _ id: String, _ name: String, _ action: EngagementAction
    ) throws(PersonalizationError) {
        guard !id.isEmpty else {
            throw PersonalizationError(
                .missingID,
                "the \(action) has no \(name), without which it belongs to no decision; take it from the reply")
        }
        try AppEvent.check(id, name)
    }
}
