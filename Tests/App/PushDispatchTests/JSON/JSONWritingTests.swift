import PushDispatch
import Testing

struct JSONWritingTests {
    private func text(_ value: JSONValue) -> String { String(decoding: value.compactBytes, as: UTF8.self) }

    @Test func `a value is written as it was read`() throws {
        let text = #"{"a":[1,-2.5,true,false,null],"b":"\"\\\n\u0001é😀","z":{}}"#
        #expect(self.text(try JSONReader.read(Array(text.utf8), limits: .push)) == text)
    }

    @Test(
        arguments: [
            ("\u{0}\u{1f}", #""\u0000\u001f""#), ("\n\r\t", #""\n\r\t""#), (#"\""#, #""\\\"""#),
            ("/\u{7f}", "\"/\u{7f}\""),
        ] as [(String, String)])
    func `control characters, quotes and backslashes are escaped`(string: String, json: String) {
        #expect(text(.string(string)) == json)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that is not finite is written as null`(number: Double) {
        #expect(text([.number(number)]) == "[null]")
    }

    @Test func `values that a device cannot distinguish have the same canonical bytes`() {
        #expect(([true, false, .number(1)] as JSONValue).canonicalBytes == ([1, 0, 1] as JSONValue).canonicalBytes)
        #expect(([.number(1.5)] as JSONValue).canonicalBytes != ([1] as JSONValue).canonicalBytes)
        #expect(([true] as JSONValue).compactBytes != ([1] as JSONValue).compactBytes)
    }

    @Test func `an object writer writes the same as a value, whichever keys the objects have`() {
        let objects: [[String: JSONValue]] = [
            ["b": 1, "a": "x"], ["a": [true], "b": .null], ["a": 1], ["a": 1, "c": 2], [:], ["é": 1, "z": 2, "\"": 3],
        ]
        var writer = JSONObjectWriter()
        var bytes: [UInt8] = [1, 2, 3]
        for object in objects {
            writer.write(object, to: &bytes)
            #expect(bytes == JSONValue.object(object).compactBytes)
        }
    }

    @Test func `members are appended in the given order`() {
        var bytes: [UInt8] = []
        JSONValue.appendObject([("z", 1), ("a", "b")], to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"z":1,"a":"b"}"#)
    }

    @Test func `strings are ordered by their bytes`() {
        let strings = ["", "a", "ab", "b", "é", "😀", "Z"]
        for one in strings {
            for other in strings {
                #expect(one.precedesByBytes(other) == Array(one.utf8).lexicographicallyPrecedes(Array(other.utf8)))
            }
        }
    }
}
