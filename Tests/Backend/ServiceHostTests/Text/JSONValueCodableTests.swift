import Foundation
import PushDispatch
import ServiceHost
import Testing

struct JSONValueCodableTests {
    @Test(arguments: [
        JSONValue.null, true, false, 0, -1, .integer(.max), .integer(.min), 2.5, "", "é\u{0}", [], [:],
        ["a": [1, "1", true, .null, ["b": 0.5]]],
    ])
    func `a value is decoded as it was encoded`(value: JSONValue) throws {
        // In an array, because a lone scalar is not a document for every encoder.
        let bytes = try JSONEncoder().encode([value])
        #expect(try JSONDecoder().decode([JSONValue].self, from: bytes) == [value])
    }

    @Test func `the least size of members is not above that of their text`() {
        let members: [String: JSONValue] = ["a": "text", "list": [1, "two"], "object": ["b": "\"\\\u{1}"]]
        let text = JSONValue.object(members).compactBytes
        #expect(JSONValue.leastBytes(of: members) <= text.count + 12)
        #expect(JSONValue.leastBytes(of: ["a": .string(String(repeating: "x", count: 1_000))]) > 1_000)
    }
}
