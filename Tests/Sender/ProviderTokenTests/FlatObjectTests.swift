import Testing

@testable import ProviderToken

@Suite struct FlatObjectTests {
    private func members(_ text: String) -> [String: FlatObject.Value]? { FlatObject(Array(text.utf8))?.members }

    @Test func `texts and numbers are kept, everything else is skipped`() {
        let text = """
             { "a" : "x", "n":-12, "f":1.5e+3,"deep":{"a":[1,{"a":"}]"},[]],"b":{}} ,"t":true,"u":null, "g" :false}
            """
        #expect(
            members(text) == [
                "a": .text("x"), "n": .number("-12"), "f": .number("1.5e+3"), "deep": .other, "t": .other, "u": .other,
                "g": .other,
            ])
        #expect(members("{}") == [:])
    }

    @Test func `escapes in names and texts are resolved`() {
        #expect(
            members(#"{"\u006bid":"\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00"}"#) == ["kid": .text("\"\\/\u{8}\u{c}\n\r\té😀")])
    }

    @Test func `of a repeated name the last member counts`() {
        #expect(members(#"{"alg":"none","alg":"ES256"}"#) == ["alg": .text("ES256")])
    }

    @Test(arguments: [
        "", " ", "[]", "\"a\"", "1", "{", "{}}", "{} x", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#,
        #"{a:1}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":+1}"#, #"{"a":.5}"#, #"{"a":1.}"#, #"{"a":1e}"#, #"{"a":-}"#,
        #"{"a":tru}"#, #"{"a":nul}"#, #"{"a":NaN}"#, #"{"a":[1,]}"#, #"{"a":[1}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#,
        #"{"a":"\ud800"}"#, #"{"a":"\udc00"}"#, #"{"a":"\ud800\u0041"}"#, "{\"a\":\"\n\"}", "{\"a\":1}\u{0}",
        "\u{feff}{}", #"{"a":"\u+123"}"#,
    ])
    func `what is no JSON object is refused`(text: String) {
        #expect(members(text) == nil)
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        for bytes: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]] {
            #expect(FlatObject(Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)) == nil)
        }
    }

    @Test func `nesting is bounded`() {
        func nested(_ open: String, _ close: String, _ depth: Int) -> String {
            #"{"a":"# + String(repeating: open, count: depth - 1) + "1" + String(repeating: close, count: depth - 1)
                + "}"
        }
        for (open, close) in [("[", "]"), (#"{"b":"#, "}")] {
            #expect(members(nested(open, close, FlatObject.maximumDepth)) != nil)
            #expect(members(nested(open, close, FlatObject.maximumDepth + 1)) == nil)
        }
        #expect(members(String(repeating: #"{"a":"#, count: 100_000)) == nil)
    }

    @Test func `no cut and no changed byte crashes the reader`() {
        let text = Array(#"{"alg":"ES256","n":[-1.5e3,{"x":"\u00e9\ud83d\ude00"},null,true],"iat":1700000000}"#.utf8)
        #expect(FlatObject(text) != nil)
        for count in text.indices { #expect(FlatObject(Array(text.prefix(count))) == nil) }
        for position in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[position] = byte
                guard let object = FlatObject(changed) else { continue }
                #expect((1...3).contains(object.members.count))
            }
        }
    }
}
