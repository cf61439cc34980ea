import APNSModel

/// The schema of the value of one key, made from its entry in the table.
struct KeySchema {
    private let row: PayloadKey
    private let isInLiveActivity: Bool

    init(_ row: PayloadKey, _ pushType: PushType? = nil) {
        self.row = row
        isInLiveActivity = pushType == .liveactivity
    }

    /// The purpose of the key, since when it exists, and why it is deprecated.
    var description: String {
        [row.meaning, row.since.map { "Since \($0)." }, row.deprecation].compactMap { $0 }.joined(separator: " ")
    }

    var schema: [String: PayloadValue] {
        var schema = value
        schema["description"] = .string(description)
        schema["examples"] = .array(row.examples)
        if row.deprecation != nil { schema["deprecated"] = true }
        return schema
    }

    private var types: PayloadKey.Types { isInLiveActivity ? row.typesInLiveActivity ?? row.types : row.types }

    private var value: [String: PayloadValue] {
        let forms = forms
        guard forms.count != 1 else { return forms[0] }
        return ["anyOf": .array(forms.map { .object($0) })]
    }

    /// A schema for each type of value that the key may have.
    private var forms: [[String: PayloadValue]] {
        var forms: [[String: PayloadValue]] = []
        if types.contains(.string) { forms.append(string) }
        if types.contains(.integer) { forms.append(number("integer")) }
        if types.contains(.number) { forms.append(number("number")) }
        if types.contains(.one) { forms.append(["const": 1]) }
        if types.contains(.true) { forms.append(["const": true]) }
        if types.contains(.strings) { forms.append(["type": "array", "items": ["type": "string"]]) }
        if types.contains(.object) { forms.append(object) }
        if types.contains(.null) { forms.append(["type": "null"]) }
        return forms
    }

    private var string: [String: PayloadValue] {
        var schema: [String: PayloadValue] = ["type": "string"]
        if !row.values.isEmpty { schema["enum"] = .array(row.values.map { .string($0) }) }
        if row.form == .base64 {
            schema["contentEncoding"] = "base64"
            schema["pattern"] = .string(EnvelopeShape.base64)
        }
        return schema
    }

    private func number(_ type: String) -> [String: PayloadValue] {
        var schema: [String: PayloadValue] = ["type": .string(type)]
        if row.form == .unixSeconds {
            schema["minimum"] = 0
            schema["maximum"] = .integer(PushDate.maximum)
        }
        if let range = row.range, !(isInLiveActivity && row.unboundedIn.contains(.liveactivity)) {
            schema["minimum"] = KeySchema.bound(range.lowerBound)
            schema["maximum"] = KeySchema.bound(range.upperBound)
        }
        return schema
    }

    private static func bound(_ number: Double) -> PayloadValue? {
        Int64(exactly: number).map { .integer($0) } ?? FiniteNumber(number).map { .number($0) }
    }

    /// An object with known keys, or any object.
    private var object: [String: PayloadValue] {
        switch (row.key, isInLiveActivity) {
        case (.alert, false): ["$ref": "#/$defs/alert"]
        case (.alert, true): ["$ref": "#/$defs/alert-liveactivity"]
        case (.sound, _): ["$ref": "#/$defs/sound"]
        case (.alertTitle, _): ["$ref": "#/$defs/title-liveactivity"]
        case (.alertBody, _): ["$ref": "#/$defs/body-liveactivity"]
        default: ["type": "object"]
        }
    }
}
