import PayloadJSON
import Testing

struct JSONDocumentTests {
    private func document(_ text: String) throws -> JSONDocument { try JSONDocument(Array(text.utf8)) }

    @Test func `1, 1.0, true and "1" are four kinds`() throws {
        let document = try document(#"[1, 1.0, 1e0, true, "1", false, null, [], {}]"#)
        let kinds = document.elements(of: .root).map { document.kind(of: $0) }
        #expect(kinds == [.integer, .fraction, .fraction, .true, .string, .false, .null, .array, .object])
    }

    @Test func `keys and values keep their bytes`() throws {
        let document = try document(#" {"aps" : {"badge":  12}} "#)
        let aps = try #require(document.member("aps", of: .root))
        let badge = try #require(document.member("badge", of: aps))
        #expect(document.range(of: badge) == 21..<23)
        #expect(document.source(of: aps) == #"{"badge":  12}"#)
        #expect(document.integer(of: badge) == 12)
        #expect(document.members(of: .root).map { document.range(of: $0.key) } == [2..<7])
    }

    @Test func `a repeated key is kept, reported and read as its last value`() throws {
        let document = try document(#"{"a":1,"\u0061":2,"b":3,"é":4,"c":5}"#)
        #expect(document.members(of: .root).map { document.integer(of: $0.value) } == [1, 2, 3, 4, 5])
        #expect(document.member("a", of: .root).flatMap(document.integer) == 2)
        #expect(document.repeatedKeys(of: .root).map { document.source(of: $0) } == [#""\u0061""#])
    }

    @Test func `keys with equal characters but different bytes are different`() throws {
        let document = try document("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(document.repeatedKeys(of: .root).isEmpty)
        #expect(document.member(named: "\u{E9}", of: .root).flatMap(document.integer) == 1)
        #expect(document.member(named: "e\u{301}", of: .root).flatMap(document.integer) == 2)
    }

    @Test func `a key inside a value is not a member of the object around it`() throws {
        let document = try document(#"{"x":{"aps":1},"y":["aps",2]}"#)
        #expect(document.member("aps", of: .root) == nil)
        let inner = try #require(document.member("x", of: .root))
        #expect(document.member("aps", of: inner) != nil)
        #expect(document.member("aps", of: try #require(document.member("aps", of: inner))) == nil)
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\ud83d\ude00x""#, "é😀x"), (#""é😀""#, "é😀"),
        (#""\u0000""#, "\0"),
        (#""""#, ""),
    ])
    func `escapes are decoded when a string is read`(source: String, text: String) throws {
        #expect(try document(source).string(of: .root) == text)
    }

    @Test(
        arguments: [
            ("9223372036854775807", Int64.max), ("-9223372036854775808", .min), ("-0", 0), ("9223372036854775808", nil),
            ("1.0", nil), ("1e2", nil), ("true", nil), ("\"1\"", nil),
        ] as [(String, Int64?)])
    func `a number without fraction that fits 64 bits is an integer`(source: String, value: Int64?) throws {
        #expect(try document(source).integer(of: .root) == value)
    }

    @Test func `a number beyond a double is valid JSON without a value`() throws {
        #expect(try document("1e999").number(of: .root) == nil)
        #expect(try document("-2.5e1").number(of: .root) == -25)
    }

    @Test func `a pointer names keys with their escapes and elements by position`() throws {
        let document = try document(#"{"a/b":{"~":[0,{"x":7}]},"":1}"#)
        let first = try #require(document.member("a/b", of: .root))
        let list = try #require(document.member("~", of: first))
        let inner = Array(document.elements(of: list))[1]
        #expect(document.pointer(to: .root) == "")
        #expect(document.pointer(to: list) == "/a~1b/~0")
        #expect(document.pointer(to: try #require(document.member("x", of: inner))) == "/a~1b/~0/1/x")
        #expect(document.pointer(to: try #require(document.member("", of: .root))) == "/")
        #expect(document.members(of: .root).map { document.pointer(to: $0.key) } == ["/a~1b", "/"])
    }

    @Test func `a reader reads one text after another and keeps nothing of a refused one`() throws {
        var reader = JSONReader()
        #expect(reader.document.kind(of: .root) == .null)
        try reader.parse(Array("[1,2,3]".utf8))
        let kept = reader.document
        #expect(throws: JSONSyntaxError.self) { try reader.parse(Array("[1,".utf8)) }
        #expect(reader.document.kind(of: .root) == .null)
        try reader.parse(Array("{}".utf8))
        #expect(reader.document.kind(of: .root) == .object)
        #expect(kept.elements(of: .root).map { kept.integer(of: $0) } == [1, 2, 3])
    }

    @Test func `the reader reads what the writer writes`() throws {
        let text = String(String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init))) + "😀\u{2028}"
        let quoted = JSONWriter.quoted(text)
        #expect(try document(quoted).string(of: .root) == text)
        #expect(JSONWriter.quoted("\u{1}\"\\\n/é") == #""\u0001\"\\\n/é""#)
    }
}
