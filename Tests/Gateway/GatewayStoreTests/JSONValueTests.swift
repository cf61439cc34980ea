import Foundation
import Testing

@testable import GatewayStore

struct JSONValueTests {
    private static func value(_ json: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    }

    @Test(
        arguments: [
            "null", "true", "\"a\"", "1", "-9223372036854775808", "18446744073709551615", "1.5",
            #"[1,"a",[],{}]"#, #"{"a":{"b":[null,false]}}"#,
        ])
    func `a value is written as it was read`(json: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(Self.value(json)), as: UTF8.self) == json)
    }

    @Test(
        arguments: [
            (#"{"a":1,"b":{"c":2}}"#, #"{"b":{"d":3}}"#, #"{"a":1,"b":{"c":2,"d":3}}"#),
            (#"{"a":[1,2]}"#, #"{"a":[3]}"#, #"{"a":[3]}"#),
            (#"{"a":1}"#, "2", "2"),
        ])
    func `an overlay adds members and replaces values`(json: String, other: String, expected: String) throws {
        #expect(try Self.value(json).overlaid(with: Self.value(other)) == Self.value(expected))
    }

    @Test(
        arguments: [
            (#"{"a":1,"b":{"c":2,"d":3}}"#, #"{"a":1,"b":{"c":2,"d":4}}"#, #"{"b":{"d":3}}"#),
            (#"{"a":1,"b":2}"#, #"{"a":1}"#, #"{"b":2}"#),
            (#"{"a":1}"#, #"{"a":1}"#, "{}"),
            (#"{"a":{"c":2,"d":3}}"#, #"{"a":{"c":2,"d":4}}"#, #"{"a":{"c":2,"d":3}}"#),
        ])
    func `a difference laid over the other value gives the first one`(json: String, other: String, expected: String)
        throws
    {
        let difference = try Self.value(json).difference(from: Self.value(other), groups: ["b"])
        #expect(try difference == Self.value(expected))
        #expect(try Self.value(other).overlaid(with: difference) == Self.value(json))
    }

    @Test func `a difference has null for what only the other value has`() throws {
        let (value, other) = try (Self.value(#"{"b":{"d":1}}"#), Self.value(#"{"a":{"c":2},"b":{"c":2,"d":1}}"#))
        let difference = value.difference(from: other, groups: ["b"])
        #expect(try difference == Self.value(#"{"a":null,"b":{"c":null}}"#))
        #expect(try other.overlaid(with: difference) == Self.value(#"{"a":null,"b":{"c":null,"d":1}}"#))
    }
}
