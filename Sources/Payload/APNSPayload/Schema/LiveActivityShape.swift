import APNSModel

/// The schema of `aps` in a Live Activity, which depends on its event.
///
/// Source: docs/reference/apns.md 6.6.
enum LiveActivityShape {
    /// The keys that an event requires, and the keys that only this event has.
    private static let events: [(name: String, required: [KnownKey], own: [KnownKey])] = [
        (
            "start", [.contentState, .attributesType, .attributes, .alert],
            [.attributesType, .attributes, .inputPushToken, .inputPushChannel]
        ),
        ("update", [.contentState], []),
        ("end", [], [.dismissalDate]),
    ]

    static var aps: [String: PayloadValue] {
        let rows = PayloadKey.all(in: .aps).filter { $0.pushTypes.contains(.liveactivity) }
        var schema = AppShape.object(rows, of: .liveactivity, requiring: [.timestamp, .event])
        var conditions: [PayloadValue] = events.map { event in
            let others = events.filter { $0.name != event.name }.flatMap(\.own).filter { !event.own.contains($0) }
            var then: [String: PayloadValue] = [
                "properties": .object(Dictionary(uniqueKeysWithValues: others.map { ($0.name, false) }))
            ]
            if !event.required.isEmpty { then["required"] = .array(event.required.map { .string($0.name) }) }
            return [
                "if": ["properties": .object([KnownKey.event.name: ["const": .string(event.name)]])],
                "then": .object(then),
            ]
        }
        if case .array(let exclusions)? = schema["allOf"] { conditions += exclusions }
        schema["allOf"] = .array(conditions)
        return schema
    }
}
