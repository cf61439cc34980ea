import ConfigurationText
import PayloadJSON
import Testing

struct YAMLReaderTests {
    var reader = YAMLReader(file: "a.yaml")

    private func node(_ text: String) throws -> YAMLNode {
        try #require(try YAMLText.read(Array(text.utf8), name: "a.yaml"))
    }

    private var errors: [String] { reader.errors.map(\.description) }

    @Test mutating func `members have their keys with the path`() throws {
        let members = reader.members(of: try node("a: 1\nb: 2\n"), "top")
        #expect(members.map(\.name) == ["a", "b"] && members.map(\.key) == ["top.a", "top.b"])
        #expect(reader.members(of: try node("a: 1"), nil).map(\.key) == ["a"])
        #expect(errors.isEmpty)
    }

    @Test mutating func `an unknown key is reported with the nearest known one, and the rest is read`() throws {
        let members = reader.members(of: try node("prt: 1\nzzz: 2\nhost: 3"), nil, known: ["port", "host"])
        #expect(members.map(\.name) == ["host"])
        #expect(
            errors == [
                "a.yaml:1:1: prt: there is no such key; did you mean port?",
                "a.yaml:2:1: zzz: there is no such key; expected port, host",
            ])
    }

    @Test mutating func `a key that occurs twice in JSON is reported`() throws {
        let json = YAMLNode(try JSONDocument(Array(#"{"port":1,"host":2,"port":3}"#.utf8)))
        let members = reader.members(of: json, nil, known: ["port", "host"])
        #expect(members.map(\.node.text) == ["1", "2"])
        #expect(errors == ["a.yaml:1:20: port: this key occurs twice; keep one of them"])
    }

    @Test mutating func `errors beyond the maximum are counted`() throws {
        reader = YAMLReader(file: "a.yaml", maximumErrors: 2)
        _ = reader.members(of: try node("{a: 1, b: 2, c: 3, port: x}"), nil, known: ["port"])
        _ = reader.boolean(try node("x"), "port")
        reader.report("wrong", line: 1, column: 1, nil)
        #expect(errors.count == 2 && reader.omitted == 3)
    }

    @Test mutating func `a value of another kind is reported`() throws {
        #expect(reader.members(of: try node("[1]"), nil).isEmpty)
        #expect(reader.members(of: try node("[1]: 2"), nil).isEmpty)
        #expect(reader.string(try node("[1]"), "k") == nil)
        #expect(reader.string(try node("~"), "k") == nil)
        #expect(reader.strings(try node("{a: 1}"), "k").isEmpty)
        #expect(reader.list(try node("x"), "k").isEmpty)
        #expect(
            errors == [
                "a.yaml:1:1: a list is given where a mapping of keys to values is expected",
                "a.yaml:1:1: a list is given where a key is expected",
                "a.yaml:1:1: k: a list is given where a string is expected",
                "a.yaml:1:1: k: \"~\" is given where a string is expected",
                "a.yaml:1:1: k: a mapping is given where a list of strings is expected",
                "a.yaml:1:1: k: \"x\" is given where a list is expected",
            ])
    }

    @Test mutating func `a list of strings may be one string`() throws {
        #expect(reader.strings(try node("x"), "k").map(\.text) == ["x"])
        let strings = reader.strings(try node("[x, [y], z]"), "k")
        #expect(strings.map(\.text) == ["x", "z"] && strings.map(\.key) == ["k[0]", "k[2]"])
        #expect(errors == ["a.yaml:1:5: k[1]: a list is given where a string is expected"])
        #expect(reader.list(try node("[x, [y]]"), "k").map(\.key) == ["k[0]", "k[1]"])
    }

    @Test(arguments: [
        ("true", true), ("Yes", true), ("ON", true), ("false", false), ("no", false), ("off", false), ("maybe", nil),
        ("1", nil), ("[true]", nil),
    ])
    func `a boolean has the words of YAML`(text: String, value: Bool?) throws {
        var reader = YAMLReader(file: "a.yaml")
        #expect(reader.boolean(try node(text), "k") == value)
        #expect(reader.errors.count == (value == nil ? 1 : 0))
    }

    @Test mutating func `numbers have their bounds`() throws {
        #expect(reader.count(try node("0"), "k") == 0)
        #expect(reader.count(try node("-1"), "k") == nil)
        #expect(reader.number(try node("5"), "k", in: 1...5) == 5)
        #expect(reader.number(try node("6"), "k", in: 1...5) == nil)
        #expect(reader.number(try node("1.0"), "k", in: 1...Int64.max) == nil)
        #expect(
            errors == [
                "a.yaml:1:1: k: \"-1\" is given where a number from 0 is expected",
                "a.yaml:1:1: k: \"6\" is given where a whole number from 1 to 5 is expected",
                "a.yaml:1:1: k: \"1.0\" is given where a whole number from 1 on is expected",
            ])
    }

    @Test mutating func `a word is one of several`() throws {
        let words = [("error", 1), ("warning", 2)]
        #expect(reader.word(try node("warning"), "k", words) == 2)
        #expect(reader.word(try node("waning"), "k", words) == nil)
        #expect(reader.word(try node("zebra"), "k", words) == nil)
        #expect(
            errors == [
                "a.yaml:1:1: k: \"waning\" is none of error, warning; did you mean warning?",
                "a.yaml:1:1: k: \"zebra\" is none of error, warning",
            ])
    }
}
