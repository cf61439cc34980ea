import ConfigurationText
import PayloadJSON
import Testing

struct PlacedJSONYAMLTests {
    private func json(_ text: String, maximumBytes: Int = 1 << 20) throws -> PlacedJSON? {
        PlacedJSON(
            try #require(try YAMLText.read(Array(text.utf8), name: "a.yaml")), maximumBytes: maximumBytes)
    }

    @Test(arguments: [
        ("a: 1", #"{"a":1}"#), ("[1, -2.5e3, 01, 1., .5, +1, 0x1]", #"[1,-2.5e3,"01","1.",".5","+1","0x1"]"#),
        ("[true, false, True, yes, null, ~, Null]", #"[true,false,"True","yes",null,null,null]"#),
        (#"["true", '1', "", word]"#, #"["true","1","","word"]"#), ("a:", #"{"a":null}"#),
        ("{a: {b: [], c: {}}}", #"{"a":{"b":[],"c":{}}}"#), (#"["\"\\\n"]"#, #"["\"\\\n"]"#),
        ("1: x", #"{"1":"x"}"#),
    ])
    func `a value is written as JSON`(yaml: String, expected: String) throws {
        let json = try #require(try json(yaml))
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
        #expect(throws: Never.self) { try JSONDocument(json.bytes) }
    }

    @Test func `each value and key has its place in the file`() throws {
        let placed = try #require(try json("match:\n  topic: x\neffect: {delay: 40}\n"))
        let document = try JSONDocument(placed.bytes)
        let effect = try #require(document.member("effect", of: .root))
        let delay = try #require(document.member("delay", of: effect))
        #expect(placed.place(of: document.range(of: delay).lowerBound) == (3, 17))
        #expect(placed.place(of: document.range(of: document.key(of: delay)).lowerBound) == (3, 10))
        #expect(placed.place(of: 0) == (1, 1))
    }

    @Test func `anchors that make a huge tree are refused`() throws {
        let levels = (1..<20).map { level in
            "l\(level): &l\(level) [" + (0..<9).map { _ in "*l\(level - 1)" }.joined(separator: ",") + "]"
        }
        #expect(try json("l0: &l0 [x]\n" + levels.joined(separator: "\n"))?.bytes == nil)
        #expect(try json("[1, 2, 3]", maximumBytes: 2)?.bytes == nil)
        #expect(try json("[1, 2, 3]", maximumBytes: 7)?.bytes != nil)
    }

    @Test func `anchors that nest too deep are refused`() throws {
        func nested(_ levels: Int) -> String {
            (1...levels).map { "- &a\($0) [*a\($0 - 1)]" }.reduce("- &a0 [x]") { $0 + "\n" + $1 }
        }
        #expect(try json(nested(50))?.bytes != nil)
        #expect(try json(nested(150))?.bytes == nil)
    }
}
