import PayloadJSON
import Testing

struct JSONWriterTests {
    @Test(
        arguments: [
            ("", #""""#), ("abc", #""abc""#), (#"a"b\c"#, #""a\"b\\c""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
            ("\u{0}\u{1F} !#", ##""\u0000\u001f !#""##), ("é😀\u{7F}\u{2028}", "\"é😀\u{7F}\u{2028}\""), ("/", #""/""#),
        ])
    func `a string is written with the fewest escapes`(text: String, written: String) {
        #expect(JSONWriter.quoted(text) == written)
    }

    @Test func `a string is read as it was written, at any alignment`() throws {
        let pieces = ["\"", "\\", "\n", "\u{1F}", "é", "😀", "\u{80}", "x", "\"\\\"", "!", "#", "]", "["]
        for shift in 0..<18 {
            for first in pieces {
                for second in pieces {
                    let text = String(repeating: "y", count: shift) + first + second + "z" + first
                    let written = JSONWriter.quoted(text)
                    #expect(try JSONDocument(Array(written.utf8)).string(of: .root) == text)
                    let escapes = text.unicodeScalars.filter { $0.value < 0x20 || $0 == "\"" || $0 == "\\" }
                    let longer = escapes.reduce(0) { $0 + ($1 == "\u{1F}" ? 5 : 1) }
                    #expect(written.utf8.count == text.utf8.count + longer + 2)
                }
            }
        }
    }
}
