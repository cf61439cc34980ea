import APNSPayload

/// A JSON Schema of the OpenAPI document.
struct ControlSchema: Sendable {
    private(set) var members: [String: PayloadValue]

    var json: PayloadValue { .object(members) }

    private init(_ members: [String: PayloadValue]) { self.members = members }

    static func named(_ name: String) -> ControlSchema {
        ControlSchema(["$ref": .string("#/components/schemas/\(name)")])
    }

    static let any = ControlSchema([:])
    static let boolean = ControlSchema(["type": "boolean"])
    static let string = ControlSchema(["type": "string"])
    /// RFC 3339.
    static let time = ControlSchema(["type": "string", "format": "date-time"])

    static func string(pattern: String) -> ControlSchema {
        ControlSchema(["type": "string", "pattern": .string(pattern)])
    }

    static func string(from minimum: Int, to maximum: Int) -> ControlSchema {
        ControlSchema([
            "type": "string", "minLength": .integer(Int64(minimum)), "maxLength": .integer(Int64(maximum)),
        ])
    }

    static func words(_ words: [String]) -> ControlSchema {
        ControlSchema(["type": "string", "enum": .array(words.map { .string($0) })])
    }

    static func words<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> ControlSchema {
        words(Word.allCases.map(\.rawValue))
    }

    static func constant(_ value: PayloadValue) -> ControlSchema { ControlSchema(["const": value]) }

    static let integer = ControlSchema(["type": "integer"])

    static func integer(_ range: ClosedRange<Int64>) -> ControlSchema {
        ControlSchema([
            "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
        ])
    }

    static func integer(from minimum: Int64) -> ControlSchema {
        ControlSchema(["type": "integer", "minimum": .integer(minimum)])
    }

    static let number = ControlSchema(["type": "number"])

    static func number(_ minimum: Int64, _ maximum: Int64) -> ControlSchema {
        ControlSchema(["type": "number", "minimum": .integer(minimum), "maximum": .integer(maximum)])
    }

    static func array(_ element: ControlSchema, from minimum: Int = 0, to maximum: Int? = nil) -> ControlSchema {
        var members: [String: PayloadValue] = ["type": "array", "items": element.json]
        if minimum > 0 { members["minItems"] = .integer(Int64(minimum)) }
        if let maximum { members["maxItems"] = .integer(Int64(maximum)) }
        return ControlSchema(members)
    }

    static func anyOf(_ schemas: [ControlSchema]) -> ControlSchema {
        ControlSchema(["anyOf": .array(schemas.map(\.json))])
    }

    /// An object in an answer: it may have further members.
    static func object(_ properties: KeyValuePairs<String, ControlSchema>, optional: Set<String> = []) -> ControlSchema
    {
        var schema = object(properties)
        schema.members["required"] = .array(properties.map(\.key).filter { !optional.contains($0) }.map { .string($0) })
        return schema
    }

    /// An object in a request: it has no further members, and null means absent.
    static func request(
        _ properties: KeyValuePairs<String, ControlSchema>, required: [String] = [], atLeast minimum: Int = 0
    ) -> ControlSchema {
        var schema = object(properties)
        var members: [String: PayloadValue] = [:]
        for (name, property) in properties {
            members[name] = (required.contains(name) ? property : property.orNull).json
        }
        schema.members["properties"] = .object(members)
        schema.members["additionalProperties"] = false
        if !required.isEmpty { schema.members["required"] = .array(required.map { .string($0) }) }
        if minimum > 0 { schema.members["minProperties"] = .integer(Int64(minimum)) }
        return schema
    }

    /// A request with one member, which it must have.
    static func only(_ key: String, _ schema: ControlSchema) -> ControlSchema {
        .request([key: schema], required: [key])
    }

    /// As `request`, for names that are known only at run time.
    static func open(_ properties: [(String, ControlSchema)]) -> ControlSchema {
        var members: [String: PayloadValue] = [:]
        for (name, schema) in properties { members[name] = schema.orNull.json }
        return ControlSchema(["type": "object", "properties": .object(members), "additionalProperties": false])
    }

    private static func object(_ properties: KeyValuePairs<String, ControlSchema>) -> ControlSchema {
        var members: [String: PayloadValue] = [:]
        for (name, schema) in properties { members[name] = schema.json }
        return ControlSchema(["type": "object", "properties": .object(members)])
    }

    /// The value or null.
    var orNull: ControlSchema {
        if case .string(let type)? = members["type"], members["enum"] == nil {
            var schema = self
            schema.members["type"] = .array([.string(type), "null"])
            return schema
        }
        return .anyOf([self, ControlSchema(["type": "null"])])
    }

    func described(_ text: String) -> ControlSchema {
        var schema = self
        schema.members["description"] = .string(text)
        return schema
    }

    func example(_ value: PayloadValue) -> ControlSchema {
        var schema = self
        schema.members["examples"] = .array([value])
        return schema
    }
}
