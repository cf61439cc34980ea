import APNSModel

/// The schemas of the objects in app notifications: the known keys, and no others.
enum AppShape {
    /// - Parameter showing: Whether an alert, badge or sound is required.
    static func aps(
        _ rows: [PayloadKey], requiring required: [KnownKey], showing: Bool = false
    ) -> [String: PayloadValue] {
        var schema = object(rows, requiring: required)
        guard showing else { return schema }
        schema["anyOf"] = .array(
            [KnownKey.alert, .badge, .sound].map { ["required": [.string($0.name)]] })
        return schema
    }

    static func alert(for pushType: PushType) -> [String: PayloadValue] {
        object(PayloadKey.all(in: .alert).filter { $0.pushTypes.contains(PushTypes(of: pushType)) }, of: pushType)
    }

    /// An object with these keys, including which of them need another key or exclude each other.
    static func object(
        _ rows: [PayloadKey], of pushType: PushType? = nil, requiring required: [KnownKey] = []
    ) -> [String: PayloadValue] {
        let keys = Set(rows.map(\.key))
        var properties: [String: PayloadValue] = [:]
        var needs: [String: PayloadValue] = [:]
        var exclusions: [PayloadValue] = []
        for row in rows {
            properties[row.name] = .object(KeySchema(row, pushType).schema)
            if let other = row.needs, keys.contains(other) { needs[row.name] = [.string(other.name)] }
            if let other = row.excludes, row.key.rawValue < other.rawValue, keys.contains(other) {
                exclusions.append(["not": ["required": [.string(row.name), .string(other.name)]]])
            }
        }
        var schema: [String: PayloadValue] = [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        if !needs.isEmpty { schema["dependentRequired"] = .object(needs) }
        if !exclusions.isEmpty { schema["allOf"] = .array(exclusions) }
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        return schema
    }
}
