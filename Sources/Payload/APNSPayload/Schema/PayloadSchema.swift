import APNSModel

/// JSON Schemas (2020-12) of payloads and envelopes, made from the same tables as the rules.
///
/// An editor uses them to complete keys and to mark errors. They accept what is documented, so they reject values that
/// a device probably accepts as well, and unknown keys of `aps`. Only the validator can check sizes, repeated keys,
/// placeholders in a localized text, and dates that contradict each other.
public enum PayloadSchema: String, Hashable, Sendable, CaseIterable {
    /// A bare payload, or a file for `simctl push`.
    case payload
    /// A notification with its headers.
    case envelope
    /// A file that may be either; it refers to the files of the other two schemas in its folder.
    case file

    /// The schema with two spaces of indentation and sorted keys, ending with a line end.
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

    /// An envelope has `payload` or `payload-base64` and no `aps`, as in `EnvelopeReader`.
    private static let either: [String: PayloadValue] = [
        "title": "Push notification",
        "description":
            "A bare payload, or an envelope: an object with the key payload or payload-base64, and without the key aps.",
        "if": ["anyOf": EnvelopeShape.hasPayload, "not": ["required": ["aps"]]],
        "then": ["$ref": "envelope.schema.json"],
        "else": ["$ref": "payload.schema.json"],
    ]
}
