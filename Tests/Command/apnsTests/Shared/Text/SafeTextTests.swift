import PayloadJSON
import TestSeeds
import Testing

@testable import apns

struct SafeTextTests {
    /// Strings with everything that a terminal treats differently.
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
    func `strings are written as PlainText makes them safe`(seed: TestSeed) {
        var generator = seed.generator
        for _ in 0..<20 {
            let text = SafeTextTests.text(using: &generator)
            var safe = TextBuffer(capacity: 1)
            safe.appendSafe(text)
            let shown = safe.text
            #expect(shown == PlainText.safe(text))
            // The same without the short way for ASCII.
            #expect(Array((shown + "é").utf8) == Array(PlainText.safe(text + "é").utf8))
        }
    }
}
