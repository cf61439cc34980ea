import APNSPayload
import Testing

struct TextPatternTests {
    @Test(arguments: [
        ("", ["": true, "a": false]),
        ("abc", ["abc": true, "ab": false, "abcd": false, "xabc": false]),
        ("[A-Z]{3}-\\d+", ["ABC-1": true, "ABC-123456": true, "AB-1": false, "ABC-": false, "abc-1": false]),
        ("a|bc|", ["a": true, "bc": true, "": true, "ab": false, "abc": false]),
        ("(ab)*c", ["c": true, "ababc": true, "abac": false]),
        ("a{2,3}", ["a": false, "aa": true, "aaa": true, "aaaa": false]),
        ("a{2,}", ["a": false, "aa": true, "aaaaaa": true]),
        ("a?b", ["b": true, "ab": true, "aab": false]),
        ("[^0-9]+", ["abc": true, "a1": false, "": false]),
        ("\\w+\\.\\w+", ["a.b": true, "ab": false, "a.": false]),
        ("[\\w.-]+", ["a-b.c_d": true, "a b": false]),
        ("[a-]x", ["-x": true, "ax": true, "bx": false]),
        (".", ["ü": true, "\n": false, "📦": true, "": false]),
        ("(a|b)(c|d)?", ["a": true, "bd": true, "cd": false]),
        ("()*", ["": true, "a": false]),
        ("\\{\\}\\\\", ["{}\\": true, "{}": false]),
        ("(x+)+y", ["xxxy": true, "xxxx": false]),
    ])
    func `a pattern matches a whole string or nothing`(source: String, texts: [String: Bool]) throws {
        let pattern = try TextPattern(source)
        for (text, isRight) in texts { #expect(pattern.matches(text) == isRight, "\(source) on \(text)") }
    }

    @Test func `a pattern with exponential backtracking elsewhere is matched quickly`() throws {
        let pattern = try TextPattern("(a*)*(a|aa)+b")
        #expect(!pattern.matches(String(repeating: "a", count: 5_000)))
    }

    @Test(arguments: [
        ("[a-z", #"column 5: the pattern ends where "]" is expected"#),
        ("(ab", #"column 4: the pattern ends where ")" is expected"#),
        ("ab)", #"column 3: ")" is not allowed here; write \) for the character itself"#),
        ("*a", "column 1: there is nothing to repeat before this"),
        ("a{3,2}", "column 7: a repetition is {n}, {n,} or {n,m} with n not above m"),
        ("a{x}", "column 3: a repetition is {n}, {n,} or {n,m} with n not above m"),
        ("[z-a]", "column 5: a range of characters must go from the lower to the higher"),
        ("^a$", #"column 1: "^" is not allowed here; write \^ for the character itself"#),
        ("a\\", "column 3: the pattern ends where a character after the backslash is expected"),
        ("((a{1000}){1000})", "column 17: the pattern has more than 10000 steps; use fewer repetitions"),
        ("a{99999999999999999999}", "column 8: the pattern has more than 10000 steps; use fewer repetitions"),
        ("[]", "column 3: the pattern ends where a character between the brackets is expected"),
    ])
    func `an invalid pattern is refused with its column`(source: String, message: String) {
        let error = #expect(throws: TextPatternError.self) { try TextPattern(source) }
        #expect(error?.description == message)
    }

    @Test func `too deeply nested brackets are refused without recursion`() {
        #expect(throws: TextPatternError.self) { try TextPattern(String(repeating: "(", count: 100_000)) }
        #expect(throws: TextPatternError(column: 2, problem: .unknownEscape("q"))) { try TextPattern("\\q") }
    }
}
