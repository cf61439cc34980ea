import APNSModel

/// The shape of payloads and envelopes as JSON Schema 2020-12, made from the tables that the rules are made from.
///
/// With it an editor completes keys and marks what is wrong. It takes what is documented, so it also marks what a device
/// merely tolerates, and an unknown key of `aps`. What no schema can say is left to the validator: bytes, repeated keys,
/// places in a localised text, dates that contradict each other.
public enum PayloadSchema: String, Hashable, Sendable, CaseIterable {
    /// A bare payload, or a file for `simctl push`.
    case payload
    /// A notification with its headers.
    case envelope
    /// A file that may be either; it refers to the files of the other two in its folder.
    case file

    /// The schema with two spaces of indentation and keys in the order of their bytes, ending with a line end.
    public var text: String { value.indented() + "\n" }

    var value: PayloadValue {
        var schema: [String: PayloadValue] =
            switch self {
            case .payload: PayloadShape.anyPushType.schema
            case .envelope: EnvelopeShape.schema
            case .file: PayloadSchema.either
            }
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["$comment"] = "Generated from the tables of the validator; tools/generate writes it."
        switch self {
        case .payload: schema["$defs"] = .object(PayloadShape.definitions(of: [.anyPushType]))
        case .envelope: schema["$defs"] = .object(PayloadShape.definitions(of: PayloadShape.all))
        case .file: break
        }
        return .object(schema)
    }

    /// An envelope is known as the reader knows it: by `payload` or `payload-base64`, and by having no `aps`.
    private static let either: [String: PayloadValue] = [
        "title": "Push notification",
        "description":
            "A bare payload, or an envelope: an object with the key payload or payload-base64, and without the key aps.",
        "if": ["anyOf": EnvelopeShape.hasPayload, "not": ["required": ["aps"]]],
        "then": ["$ref": "envelope.schema.json"],
        "else": ["$ref": "payload.schema.json"],
    ]
}
