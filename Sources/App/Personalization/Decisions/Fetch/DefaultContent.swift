public import PushDispatch

/// What the app shows at a point while there is no decision, from the service or from the cache.
public struct DefaultContent: Hashable, Sendable {
    public var attributes: [String: JSONValue]
    public var items: [[String: JSONValue]]

    public init(attributes: [String: JSONValue] = [:], items: [[String: JSONValue]] = []) {
        self.attributes = attributes
        self.items = items
    }

    /// The content as a decision without ids.
    func decision(for point: String) -> Decision {
        Decision(
            point: point, attributes: DecisionFields(attributes),
            items: items.map { DecisionItem(fields: DecisionFields($0)) })
    }
}
