@testable import ConfigurationText
import PayloadJSON
import Testing

struct YAMLNodeTests {
    private func node(_ text: String) throws -> YAMLNode {
        try #require(try YAMLText.read(Array(text.utf8), name: "a.yaml"))
    }

    @Test func `each kind of value has its members, elements or string`() throws {
        let root = try node("b: [1, x]\na: word\n")
        #expect(root.isMapping && !root.isSequence && root.text == nil && root.sequence == nil)
        #expect(root.mapping?.map(\.key.text) == ["b", "a"])
        let list = try #require(root["b"])
        #expect(list.isSequence && !list.isMapping && list.mapping == nil && list.text == nil && list["x"] == nil)
        #expect(list.sequence?.map(\.text) == ["1", "x"])
        let word = try #require(root["a"])
        #expect(word.text == "word" && !word.isMapping && !word.isSequence && word.mapping == nil)
        #expect(root["c"] == nil)
    }

    @Test func `a value knows its line and column, counted from 1`() throws {
        let root = try node("a: 1\n\nbé:\n  - x\n  - y\n")
        let y = try #require(root["bé"]?.sequence?.last)
        #expect(y.mark?.line == 5 && y.mark?.column == 5)
        let key = root.mapping?.last?.key.mark
        #expect(key?.line == 3 && key?.column == 1)
    }

    @Test(arguments: [
        ("null", true), ("~", true), ("Null", true), ("NULL", true), ("''", false), ("\"null\"", false),
        ("nULL", false),
        ("0", false), ("[]", false),
    ])
    func `only a plain null is nothing`(text: String, isNothing: Bool) throws {
        #expect(try node("a: \(text)")["a"]?.isNothing == isNothing)
        #expect(try node("a:")["a"]?.isNothing == true)
    }

    @Test(arguments: [("word", true), ("1", true), ("\"word\"", false), ("'word'", false), ("|\n  word", false)])
    func `a scalar without quotes is plain`(text: String, isPlain: Bool) throws {
        #expect(try node("a: \(text)")["a"]?.isPlain == isPlain)
    }

    @Test func `a message shows a value shortly`() throws {
        let root = try node("a: word\nb: [1]\nc: {x: 1}\nd:\ne: \(String(repeating: "x", count: 100))")
        #expect(["a", "b", "c", "d"].map { root[$0]?.shown } == ["\"word\"", "a list", "a mapping", "nothing"])
        #expect(root["e"]?.shown == "\"\(String(repeating: "x", count: 60))… (100 characters)\"")
    }

    /// What a value is, as text.
    private func picture(_ node: YAMLNode) -> String {
        let place = node.mark.map { "\($0.line):\($0.column)" } ?? "-"
        let inner =
            node.mapping?.map { "\(picture($0.key)) = \(picture($0.value))" } ?? node.sequence?.map(picture)
            ?? [node.text ?? "-"]
        return "\(place) \(node.shown) \(node.isMapping) \(node.isSequence) \(node.isPlain) \(node.isNothing) \(inner)"
    }

    @Test(arguments: [
        #"{"a": [1, -2.5e3, true, null, "null", "", "two words"], "b": {"c": {}, "d": []}}"#,
        "[\n  {\"é\": \"ä\\n\\u00e4\", \"x\": 1},\n  {\"ü\": false}\n]", "\"text\"", "7",
    ])
    func `a value of a JSON document is the same as the YAML`(text: String) throws {
        let json = YAMLNode(try JSONDocument(Array(text.utf8)))
        let yaml = try node(text)
        #expect(picture(json) == picture(yaml))
        #expect(json["b"]?["c"]?.isMapping == yaml["b"]?["c"]?.isMapping)
        #expect(json["none"] == nil)
    }

    @Test func `in a long line of JSON the column counts bytes`() throws {
        let text = #"["é", "\#(String(repeating: "x", count: 70_000))", 1]"#
        let last = YAMLNode(try JSONDocument(Array(text.utf8))).sequence?.last
        #expect(last?.mark?.line == 1 && last?.mark?.column == text.utf8.count - 1)
    }

    @Test func `anchors that stand for a huge tree take no memory until they are read`() throws {
        // Each level has the level before nine times: 9 to the power of 20 values.
        let levels = (1..<20).map { level in
            "l\(level): &l\(level) [" + (0..<9).map { _ in "*l\(level - 1)" }.joined(separator: ",") + "]"
        }
        let root = try node("l0: &l0 [x]\n" + levels.joined(separator: "\n"))
        #expect(root["l19"]?.sequence?.first?.sequence?.count == 9)
    }
}
