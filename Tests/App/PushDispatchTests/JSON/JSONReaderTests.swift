import PushDispatch
import Testing

struct JSONReaderTests {
    private func read(_ text: String) throws(JSONReadError) -> JSONValue {
        try JSONReader.read(Array(text.utf8), limits: .push)
    }

    static let table: [(String, JSONValue)] = [
        (" null ", JSONValue.null), ("true", true), ("false", false), ("0", 0), ("-12", -12),
        ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
        ("1.5e2", .number(150)), ("-0.0", .number(0)), (#""""#, ""),
        (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"),
        (#""\u00e9\ud83d\ude00é😀""#, "é😀é😀"), ("[]", []), ("[1,[2] ,{}]", [1, [2], [:]]),
        (#"{"a":{"b":[null]},"c":"d"}"#, ["a": ["b": [.null]], "c": "d"]), (#"{"a":1,"a":2}"#, ["a": 2]),
    ]

    @Test(arguments: table)
    func `JSON is read`(text: String, value: JSONValue) throws {
        #expect(try read(text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "tru", "falsee", "01", "-", "1.", ".5", "1e", "+1", "1e999", "0x10", "NaN", "\"", "\"\\",
        "\"\\x\"",
        "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\u{1}\"", "\"a\nb\"", "[", "[1", "[1,",
        "[1,]",
        "[,1]", "{", "{\"a\"", "{\"a\":", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "1 2", "{} x", "\u{feff}{}", "'a'",
        "[1]]",
    ])
    func `a text that is not JSON is refused`(text: String) {
        #expect(throws: JSONReadError.self) { try read(text) }
    }

    @Test(arguments: [
        [0x22, 0xff, 0x22], [0x22, 0xc0, 0xaf, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xe2, 0x82, 0x22],
    ])
    func `a string that is not UTF-8 is refused`(bytes: [UInt8]) {
        #expect(throws: JSONReadError.self) { try JSONReader.read(bytes, limits: .push) }
    }

    @Test func `the limits hold exactly`() throws {
        let limits = JSONLimits(maximumBytes: 12, maximumDepth: 3, maximumValues: 4)
        func problem(_ text: String) -> JSONReadError.Problem? {
            do throws(JSONReadError) {
                _ = try JSONReader.read(Array(text.utf8), limits: limits)
                return nil
            } catch { return error.problem }
        }
        #expect(problem("[1234567890]") == nil)
        #expect(problem("[12345678901]") == .tooManyBytes(limit: 12))
        #expect(problem("[[[]]]") == nil)
        #expect(problem("[[[[]]]]") == .tooDeep(limit: 3))
        #expect(problem("[1,2,3]") == nil)
        #expect(problem("[1,2,3,4]") == .tooManyValues(limit: 4))
    }

}
