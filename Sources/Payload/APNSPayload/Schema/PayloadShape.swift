import APNSModel

/// The schema of the payloads of one push type, or of payloads of unknown push type.
struct PayloadShape: Hashable {
    /// Nil if unknown.
    let pushType: PushType?

    static let anyPushType = PayloadShape(pushType: nil)
    static let all = [anyPushType] + PushType.known.map { PayloadShape(pushType: $0) }

    /// The name of its definition.
    var name: String { pushType.map { "payload-\($0)" } ?? "payload" }

    /// The keys that each push type requires, because nothing happens without them.
    private static let required: [PushType: [KnownKey]] = [
        .alert: [.aps], .background: [.aps, .contentAvailable], .liveactivity: [.aps],
        .controls: [.aps, .contentChanged], .widgets: [.aps, .contentChanged],
        .fileprovider: [.containerIdentifier], .mdm: [.mdm],
    ]

    private static func apsExamples(_ pushType: PushType?) -> [PayloadValue] {
        switch pushType {
        case .background: [["content-available": 1]]
        case .liveactivity:
            [["timestamp": 1_798_761_600, "event": "update", "content-state": ["gate": "B12", "minutes": 25]]]
        case .controls, .widgets: [["content-changed": true]]
        case .complication, .location, .pushtotalk, .voip, .fileprovider: [[:]]
        default: KnownKey.aps.row.examples
        }
    }

    func required(in container: PayloadKey.Container) -> [KnownKey] {
        (pushType.flatMap { PayloadShape.required[$0] } ?? []).filter { $0.row.container == container }
    }

    var schema: [String: PayloadValue] {
        var schema: [String: PayloadValue] = [
            "title": .string(pushType.map { "Payload of push type \($0)" } ?? "Payload of a push notification"),
            "type": "object",
            "properties": .object(properties),
            "patternProperties": ["^(?!aps$)[Aa][Pp][Ss]$": false],
        ]
        let required = required(in: .root)
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        if pushType == .mdm { schema["additionalProperties"] = false }
        return schema
    }

    /// In another push type, a key of the root can be the app's own, so its type is checked only for its own push type.
    private var properties: [String: PayloadValue] {
        var properties: [String: PayloadValue] = [:]
        for row in PayloadKey.all(in: .root) where row.evidence != .hintContract && has(row) {
            let isBound = pushType != nil || row.key == .simulatorTargetBundle
            properties[row.name] =
                isBound
                ? .object(KeySchema(row).schema)
                : ["description": .string(KeySchema(row).description), "examples": .array(row.examples)]
        }
        if properties["aps"] != nil {
            properties["aps"] = [
                "$ref": .string("#/$defs/\(apsName)"), "description": .string(KeySchema(KnownKey.aps.row).description),
                "examples": .array(PayloadShape.apsExamples(pushType)),
            ]
        }
        return properties
    }

    private func has(_ row: PayloadKey) -> Bool { pushType.map { row.pushTypes.contains(PushTypes(of: $0)) } ?? true }

    /// The name of the definition of its `aps`.
    private var apsName: String {
        switch pushType {
        case nil: "aps"
        case .complication, .location, .pushtotalk, .voip, .fileprovider, .mdm: "aps-free"
        case let pushType?: "aps-\(pushType)"
        }
    }

    /// The definitions of these shapes, and those that they refer to.
    static func definitions(of shapes: [PayloadShape]) -> [String: PayloadValue] {
        var definitions: [String: PayloadValue] = [
            "aps-liveactivity": .object(LiveActivityShape.aps),
            "alert": .object(AppShape.alert(for: .alert)),
            "alert-liveactivity": .object(AppShape.alert(for: .liveactivity)),
            "sound": .object(AppShape.object(PayloadKey.all(in: .sound))),
            "title-liveactivity": .object(AppShape.object(PayloadKey.all(in: .titleText), requiring: [.titleLocKey])),
            "body-liveactivity": .object(AppShape.object(PayloadKey.all(in: .bodyText), requiring: [.bodyLocKey])),
        ]
        for shape in shapes {
            definitions[shape.apsName] = shape.aps
            if shape != .anyPushType || shapes.count > 1 { definitions[shape.name] = .object(shape.schema) }
        }
        return definitions
    }

    private var aps: PayloadValue {
        switch pushType {
        case nil:
            [
                "if": ["type": "object", "required": [.string(KnownKey.event.name)]],
                "then": ["$ref": "#/$defs/aps-liveactivity"],
                "else": .object(AppShape.aps(PayloadKey.all(in: .aps), requiring: [])),
            ]
        case .liveactivity: .object(LiveActivityShape.aps)
        case .complication, .location, .pushtotalk, .voip, .fileprovider, .mdm: ["type": "object"]
        case let pushType?:
            .object(
                AppShape.aps(
                    PayloadKey.all(in: .aps).filter { $0.pushTypes.contains(PushTypes(of: pushType)) },
                    requiring: required(in: .aps), showing: pushType == .alert))
        }
    }
}
