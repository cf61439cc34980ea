import ConfigurationText
import Testing

struct YAMLTextTests {
    private func error(_ text: String) -> ConfigurationError? {
        #expect(throws: ConfigurationError.self) { try YAMLText.read(Array(text.utf8), name: "a.yaml") }
    }

    @Test(arguments: ["", "\n\n", "# only a comment\n"])
    func `an empty document has no value`(text: String) throws {
        #expect(try YAMLText.read(Array(text.utf8), name: "a.yaml") == nil)
    }

    @Test func `an error has its place`() throws {
        let broken = try #require(error("a: 1\nb: [1,\n"))
        #expect(broken.file == "a.yaml" && broken.line == 3)
        #expect(broken.message.hasPrefix("it is not YAML: "))
        let repeated = try #require(error("x: 1\na: 1\na: 2\n"))
        #expect(repeated.line == 3 && repeated.column == 1)
        #expect(repeated.message == "a key occurs twice here: a; keep one of them")
    }

    @Test(
        arguments: [
            ("x:\n- b: 1\n  c: 2\n\n# b: 3\n  b: 4\n- b: 5\n", 6, 3), ("a: |\n  a: 1\nab: 2\na : 3\n", 4, 1),
            ("a:\n  b: 1\n  b: 2\n", 3, 3), ("a b: 1\na c: 2\na b: 3\n", 3, 1),
            ("x: {a: 1, a: 2}\na: 1\n", 1, 5), ("\"a\": 1\na: 2\n", 1, 1),
            ("x:\n  {a: 1, a: 2}\ny:\n   a: 1\n", 2, 4),
        ])
    func `a key that occurs twice is named at its second place, where that has a line`(
        text: String, line: Int, column: Int
    ) throws {
        let repeated = try #require(error(text))
        #expect(repeated.line == line && repeated.column == column, "\(repeated)")
    }

    @Test func `a byte order mark is no part of the text`() throws {
        let node = try YAMLText.read(Array("\u{FEFF}a: 1\nb: 2\n".utf8), name: "a.yaml")
        #expect(node?.mapping?.count == 2)
        let repeated = try #require(error("\u{FEFF}a: 1\na: 2\n"))
        #expect(repeated.line == 2 && repeated.column == 1)
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        let error = #expect(throws: ConfigurationError.self) { try YAMLText.read([0x61, 0xFF], name: "a.yaml") }
        #expect(error?.description == "a.yaml: it is not UTF-8; save it as UTF-8")
    }

    @Test func `a long document is refused before it is parsed`() {
        let longest = [UInt8](repeating: UInt8(ascii: "#"), count: YAMLText.maximumBytes)
        #expect(throws: Never.self) { try YAMLText.read(longest, name: "a.yaml") }
        #expect(throws: ConfigurationError.self) { try YAMLText.read(longest + longest.prefix(1), name: "a.yaml") }
    }

    @Test func `deep nesting is refused before it is parsed`() throws {
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(try YAMLText.read(Array(nested(90).utf8), name: "a.yaml") != nil)
        #expect(error(nested(101))?.message == "it nests deeper than 100 levels")
        let indented = (0..<150).map { String(repeating: "  ", count: $0) + "a:\n" }.joined()
        #expect(error(indented)?.message == "it nests deeper than 100 levels")
        let dashes = String(repeating: "- ", count: 20_000) + "a"
        #expect(error(dashes)?.message == "it nests deeper than 100 levels")
    }
}
