import PayloadJSON
import Testing

struct JSONSyntaxErrorTests {
    @Test(
        arguments: [
            ("", 0, .empty), (" \n", 2, .empty), ("{\"a\":1", 6, .unexpectedEnd), ("[1,", 3, .unexpectedEnd),
            ("{} {}", 3, .textAfterEnd), ("[1,]", 2, .trailingComma), ("{\"a\":1 , }", 7, .trailingComma),
            ("[1 2]", 3, .missingComma), ("{\"a\" 1}", 5, .missingColon), ("{\"a\":}", 5, .missingValue),
            ("[,1]", 1, .missingValue), ("{1:2}", 1, .missingKey), ("{\"a\":1,,}", 7, .missingKey),
            ("[1}", 2, .mismatchedBracket), ("['a']", 1, .singleQuotes), ("{'a':1}", 1, .singleQuotes),
            ("[“a”]", 1, .typographicQuotes), ("{‘a’:1}", 1, .typographicQuotes), ("[…]", 1, .unexpectedCharacter),
            ("{a:1}", 1, .unquotedKey), ("[1, // x\n2]", 4, .comment), ("[1 /* x */]", 3, .comment),
            ("{\"a\":True}", 5, .unknownWord), ("[nul]", 1, .unknownWord), ("[#]", 1, .unexpectedCharacter),
            ("[\"abc", 5, .unterminatedString), ("[\"a\u{7}\"]", 3, .controlCharacter),
            ("[\"a\n\"]", 3, .lineBreakInString),
            (#"["\x"]"#, 2, .badEscape), (#"["\u12g4"]"#, 2, .badEscape), (#"["\ud800"]"#, 2, .loneSurrogate),
            (#"["\udc00"]"#, 2, .loneSurrogate), (#"["\ud800\u0041"]"#, 2, .loneSurrogate),
            ("\u{FEFF}{}", 0, .byteOrderMark), ("{\0}\0", 0, .utf16), ("[01]", 1, .leadingZero),
            ("[-01]", 2, .leadingZero),
            ("[+1]", 1, .leadingPlus), ("[1.]", 3, .missingDigits), ("[.5]", 1, .missingDigits),
            ("[1e]", 3, .missingDigits),
            ("[-]", 2, .missingDigits), ("[NaN]", 1, .notANumber), ("[-Infinity]", 1, .notANumber),
        ] as [(String, Int, JSONSyntaxError.Reason)])
    func `each error has its reason and its first byte`(text: String, offset: Int, reason: JSONSyntaxError.Reason) {
        #expect(throws: JSONSyntaxError(offset: offset, reason: reason)) { try JSONDocument(Array(text.utf8)) }
    }

    @Test func `the message about more text is true of a line as well`() {
        #expect(
            "\(JSONSyntaxError(offset: 5, reason: .textAfterEnd))"
                == "there is more text after the end of the value; a file has one value, or a whole one on each line if its name "
                + "ends with .ndjson or .jsonl")
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xE0, 0x9F, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x8F, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xFF],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused where they begin`(bytes: [UInt8]) {
        let text = Array("[\"ab".utf8) + bytes + Array("\"]".utf8)
        #expect(throws: JSONSyntaxError(offset: 4, reason: .notUTF8)) { try JSONDocument(text) }
    }

    @Test func `nesting stops at the limit, not after it`() throws {
        let deep = { (depth: Int) in
            Array(String(repeating: "[", count: depth).utf8) + Array(repeating: 0x5D, count: depth)
        }
        _ = try JSONDocument(deep(512))
        #expect(throws: JSONSyntaxError(offset: 512, reason: .nestingTooDeep(limit: 512))) {
            try JSONDocument(deep(513))
        }
        #expect(throws: JSONSyntaxError(offset: 3, reason: .nestingTooDeep(limit: 3))) {
            try JSONDocument(deep(4), maximumDepth: 3)
        }
    }

    @Test func `a text cut anywhere is refused and never crashes`() throws {
        let text = Array(#"{"aps":{"alert":"Zürich 😀 \ud83d\ude00 \n"},"n":[-1.5e+3,true,null,{"k":[]}]}"#.utf8)
        _ = try JSONDocument(text)
        for count in 0..<text.count {
            #expect(throws: JSONSyntaxError.self) { try JSONDocument(Array(text.prefix(count))) }
        }
    }

    @Test func `a text with any one byte changed is read or refused and never crashes`() {
        let text = Array(#"{"a":["é\u0041",-1.5e3,true,{"b":null}]}"#.utf8)
        for position in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[position] = byte
                do throws(JSONSyntaxError) {
                    _ = try JSONDocument(changed)
                } catch {
                    #expect(error.offset <= text.count)
                }
            }
        }
    }

    @Test(arguments: 0..<24)
    func `a special character is found at every place of an eight-byte word`(padding: Int) {
        let head = "[\"" + String(repeating: "x", count: padding)
        let offset = head.utf8.count
        #expect(throws: JSONSyntaxError(offset: offset, reason: .controlCharacter)) {
            try JSONDocument(Array((head + "\u{1F}yyyyyyyyyyyy\"]").utf8))
        }
        #expect(throws: JSONSyntaxError(offset: offset, reason: .badEscape)) {
            try JSONDocument(Array((head + "\\qyyyyyyyyyyyy\"]").utf8))
        }
        #expect(throws: JSONSyntaxError(offset: offset + 1, reason: .missingComma)) {
            try JSONDocument(Array((head + "\"yyyyyyyyyyyy\"]").utf8))
        }
    }
}
