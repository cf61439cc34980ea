import PushDispatch

/// An event for the profile service or the analytics service, without what is added when it happens.
///
/// Source: docs/reference/personalization.md 10.1.
struct OptimizationEvent: Hashable, Sendable {
    /// The type on the wire, which consent is checked by.
    var type: String
    /// The call and its arguments, for the report of a blocked one.
    var method: String
    var members: [String: JSONValue]
    /// The screen or the page, for the context.
    var place: (key: String, value: JSONValue)? {
        switch type {
        case "screen": ("screen", ["name": members["name"] ?? ""])
        case "page": ("page", members["properties"] ?? [:])
        default: nil
        }
    }

    static func identify(_ userID: String, _ traits: [String: JSONValue]) -> OptimizationEvent {
        OptimizationEvent(
            type: "identify", method: "identify", members: ["userId": .string(userID), "traits": .object(traits)])
    }

    static func screen(_ name: String, _ properties: [String: JSONValue]) -> OptimizationEvent {
        var properties = properties
        properties["name"] = .string(name)
        return OptimizationEvent(
            type: "screen", method: "screen", members: ["name": .string(name), "properties": .object(properties)])
    }

    static func page(_ properties: [String: JSONValue]) -> OptimizationEvent {
        OptimizationEvent(type: "page", method: "page", members: ["properties": .object(properties)])
    }

    static func track(_ event: String, _ properties: [String: JSONValue]) -> OptimizationEvent {
        OptimizationEvent(
            type: "track", method: "track", members: ["event": .string(event), "properties": .object(properties)])
    }

    static func view(_ payload: ViewPayload) -> OptimizationEvent {
        var members = component(payload.entry)
        members["viewId"] = .string(payload.viewID)
        members["viewDurationMs"] = .integer(payload.viewDurationMilliseconds)
        return OptimizationEvent(type: "component", method: "trackView", members: members)
    }

    static func click(_ payload: ClickPayload) -> OptimizationEvent {
        OptimizationEvent(type: "component_click", method: "trackClick", members: component(payload.entry))
    }

    private static func component(_ entry: TrackedEntry) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "componentType": "Entry", "componentId": .string(entry.componentID),
            "variantIndex": .integer(Int64(entry.variantIndex)),
        ]
        if let id = entry.experienceID { members["experienceId"] = .string(id) }
        return members
    }
}
