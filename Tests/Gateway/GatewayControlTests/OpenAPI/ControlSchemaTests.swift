import APNSPayload
import Testing

@testable import GatewayControl

struct ControlSchemaTests {
    @Test func `a request has no further members, and null means absent`() {
        let wanted: PayloadValue = [
            "type": "object", "properties": ["a": ["type": "string"], "b": ["type": ["integer", "null"]]],
            "required": ["a"], "additionalProperties": false,
        ]
        #expect(ControlSchema.request(["a": .string, "b": .integer], required: ["a"]).json == wanted)
    }

    @Test func `an answer may have further members, and names those that are always there`() {
        let wanted: PayloadValue = [
            "type": "object", "properties": ["a": ["type": "string"], "b": ["type": "boolean"]], "required": ["a"],
        ]
        #expect(ControlSchema.object(["a": .string, "b": .boolean], optional: ["b"]).json == wanted)
    }

    @Test func `a schema without a plain type allows null as an alternative`() {
        let words: PayloadValue = ["anyOf": [["type": "string", "enum": ["x", "y"]], ["type": "null"]]]
        #expect(ControlSchema.words(["x", "y"]).orNull.json == words)
        let named: PayloadValue = ["anyOf": [["$ref": "#/components/schemas/Device"], ["type": "null"]]]
        #expect(ControlSchema.named("Device").orNull.json == named)
    }

    @Test func `bounds are minimum and maximum of the values`() {
        let list: PayloadValue = ["type": "array", "items": ["type": "string"], "minItems": 1, "maxItems": 2]
        #expect(ControlSchema.array(.string, from: 1, to: 2).json == list)
        let number: PayloadValue = ["type": "integer", "minimum": 1, "maximum": 9]
        #expect(ControlSchema.integer(1...9).json == number)
        let text: PayloadValue = ["type": "string", "minLength": 1, "maxLength": 9]
        #expect(ControlSchema.string(from: 1, to: 9).json == text)
    }
}
