import APNSModel

/// The schema of an envelope: the headers, and the payload of its push type.
///
/// Source: docs/reference/apns.md 2.2 to 2.4.
enum EnvelopeShape {
    /// Base64 of RFC 4648, section 4.
    static let base64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$"
    private static let uuid = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"

    static var schema: [String: PayloadValue] {
        var properties = headers
        properties["payload"] = ["type": "object", "description": "The payload, which is sent in compact form."]
        properties["payload-base64"] = [
            "type": "string", "pattern": .string(base64), "description": "The payload, which is sent byte for byte.",
        ]
        for (name, examples) in examples {
            guard case .object(var schema)? = properties[name] else { continue }
            schema["examples"] = .array(examples)
            properties[name] = .object(schema)
        }
        return [
            "title": "Envelope of a push notification",
            "description": "One notification with its headers, named as in the HTTP request.",
            "type": "object",
            "anyOf": hasPayload,
            "properties": .object(properties),
            // Other keys are allowed and not sent, but a key that begins with "apns-" was meant to be a header.
            "patternProperties": .object([misspeltKeys: false]),
            "allOf": .array(pushTypes + [payloadWithoutPushType, broadcast]),
        ]
    }

    private static let examples: [String: [PayloadValue]] = [
        "token": [.string(String(repeating: "0123456789abcdef", count: 4))],
        "apns-topic": ["com.example.app", "com.example.app.push-type.liveactivity", "com.example.app.voip"],
        "apns-push-type": ["alert", "background"],
        "apns-priority": [10, 5],
        "apns-expiration": [0, 1_798_761_600],
        "apns-collapse-id": ["order-4711"],
        "apns-id": ["8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162"],
        "apns-request-id": ["8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162"],
        "apns-channel-id": ["dHN0LXNyY2gtY2hubA=="],
        "payload": [["aps": ["alert": ["title": "Order 4711", "body": "Ready for pick-up"]]]],
        "payload-base64": ["eyJhcHMiOnsiYWxlcnQiOiJIaSJ9fQ=="],
    ]

    /// The condition for an object to be an envelope.
    static let hasPayload: PayloadValue = [["required": ["payload"]], ["required": ["payload-base64"]]]

    private static var misspeltKeys: String {
        let known = headers.keys.filter { $0.hasPrefix("apns-") }.sorted() + ["apns-validate"]
        return "^(?!(\(known.joined(separator: "|")))$)[Aa][Pp][Nn][Ss][-_]"
    }

    private static var headers: [String: PayloadValue] {
        [
            "token": [
                "description": "The device token, in hexadecimal digits.", "type": "string",
                "pattern": "^([0-9A-Fa-f]{2})+$",
            ],
            "apns-topic": [
                "description": "The bundle id of the app, with a suffix for some push types.", "type": "string",
                "pattern": "^[A-Za-z0-9._-]{1,255}$",
            ],
            "apns-push-type": [
                "description": "What the push is for.", "enum": .array(PushType.known.map { .string($0.rawValue) }),
            ],
            "apns-priority": [
                "description": "10 at once, 5 with regard to power, 1 without waking the device; 10 if absent.",
                "enum": oneOf([1, 5, 10]),
            ],
            "apns-expiration": [
                "description": "Whole seconds since 1970, or 0 for one attempt; stored up to 30 days if absent.",
                "anyOf": [
                    ["type": "integer", "minimum": 0, "maximum": .integer(PushDate.maximum)],
                    ["type": "string", "pattern": "^[0-9]{1,11}$"],
                ],
            ],
            "apns-collapse-id": [
                "description": "Notifications with the same collapse id replace each other; at most 64 bytes.",
                "type": "string", "minLength": 1, "maxLength": .integer(Int64(CollapseID.maximumBytes)),
                "not": ["pattern": "[\\u0000-\\u001f\\u007f]|^ | $"],
            ],
            "apns-id": ["description": "A UUID in the form 8-4-4-4-12.", "type": "string", "pattern": .string(uuid)],
            "apns-request-id": [
                "description": "The id of a send to a channel, a UUID.", "type": "string", "pattern": .string(uuid),
            ],
            "apns-channel-id": [
                "description": "The channel of a broadcast, which has no device token.", "type": "string",
                "contentEncoding": "base64", "pattern": .string(base64),
            ],
        ]
    }

    /// One of these numbers, as a number or as a string.
    private static func oneOf(_ numbers: [Int64]) -> PayloadValue {
        .array(numbers.map { .integer($0) } + numbers.map { .string(String($0)) })
    }

    /// The conditions of each push type on topic, priority and payload.
    private static var pushTypes: [PayloadValue] {
        PushType.facts.map { facts in
            var properties: [String: PayloadValue] = [
                "payload": ["$ref": .string("#/$defs/\(PayloadShape(pushType: facts.type).name)")],
                "apns-topic": ["pattern": .string(topicPattern(facts))],
            ]
            var required: [PayloadValue] = []
            if facts.type == .background {
                properties["apns-priority"] = ["enum": oneOf([5])]
                required.append("apns-priority")
            }
            var then: [String: PayloadValue] = ["properties": .object(properties)]
            if !required.isEmpty { then["required"] = .array(required) }
            return [
                "if": [
                    "required": ["apns-push-type"],
                    "properties": ["apns-push-type": ["const": .string(facts.type.rawValue)]],
                ],
                "then": .object(then),
            ]
        }
    }

    private static func topicPattern(_ facts: PushType.Facts) -> String {
        func escaped(_ text: String) -> String { text.map { $0 == "." ? "\\." : String($0) }.joined() }
        if !facts.topicSuffix.isEmpty { return escaped(facts.topicSuffix) + "$" }
        if facts.type == .mdm { return "^com\\.apple\\.mgmt\\.External\\." }
        return "^(?!.*(\(Topic.suffixes.map(escaped).joined(separator: "|")))$)"
    }

    private static let payloadWithoutPushType: PayloadValue = [
        "if": ["not": ["required": ["apns-push-type"]]],
        "then": ["properties": ["payload": ["$ref": .string("#/$defs/\(PayloadShape.anyPushType.name)")]]],
    ]

    /// A broadcast is a Live Activity, and not its start.
    private static let broadcast: PayloadValue = [
        "if": ["required": ["apns-channel-id"]],
        "then": [
            "required": ["apns-push-type", "apns-priority", "apns-expiration"],
            "properties": [
                "token": false,
                "apns-push-type": ["const": .string(PushType.liveactivity.rawValue)],
                "payload": ["properties": ["aps": ["properties": ["event": ["enum": ["update", "end"]]]]]],
            ],
        ],
    ]
}
