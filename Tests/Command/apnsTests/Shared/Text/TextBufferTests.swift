import PayloadJSON
import TestSeeds
import Testing

@testable import apns

struct TextBufferTests {
    /// Strings with everything that JSON or a terminal treats differently.
    static func text(using generator: inout TestGenerator) -> String {
        let parts = [
            "a", "deadbeef", "\"", "\\", "\n", "\u{7F}", "\u{1B}[2J", "\u{0}", "é", "😀", "\u{202E}", "\u{2028}", " ",
            "~",
            "\r\n", "e\u{301}", "\u{FEFF}", "0123456789abcdef0123456789abcdef",
        ]
        return (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            parts.randomElement(using: &generator) ?? ""
        }.joined()
    }

    @Test(arguments: TestSeed.all(1...200))
    func `strings are written as the JSON writer writes them, and as PlainText makes them safe`(seed: TestSeed) {
        var generator = seed.generator
        for _ in 0..<20 {
            let text = TextBufferTests.text(using: &generator)
            var json = TextBuffer(capacity: 1)
            json.appendJSON(text)
            let written = json.text
            #expect(written == JSONWriter.quoted(text))
            var safe = TextBuffer(capacity: 1)
            safe.appendSafe(text)
            let shown = safe.text
            #expect(shown == PlainText.safe(text))
            // The same without the short way for ASCII.
            #expect(Array((shown + "é").utf8) == Array(PlainText.safe(text + "é").utf8))
        }
    }

    @Test(arguments: [0, 7, 10, 99, 100, -1, -120, Int.max, Int.min])
    func `numbers are written in digits`(number: Int) {
        var buffer = TextBuffer(capacity: 1)
        buffer.append(number)
        let text = buffer.text
        #expect(text == String(number))
    }

    @Test func `it grows, and starts again without what it had`() {
        var buffer = TextBuffer(capacity: 2)
        for number in 0..<1000 { buffer.append(number) }
        let text = buffer.text
        #expect(text == (0..<1000).map { String($0) }.joined())
        buffer.removeAll()
        buffer.append("x")
        let rest = buffer.text
        #expect(rest == "x")
    }
}
