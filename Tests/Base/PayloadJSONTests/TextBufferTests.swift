import PayloadJSON
import TestSeeds
import Testing

struct TextBufferTests {
    /// Strings with everything that JSON treats differently.
    private static func text(using generator: inout TestGenerator) -> String {
        let parts = [
            "a", "deadbeef", "\"", "\\", "\n", "\u{7F}", "\u{1B}[2J", "\u{0}", "é", "😀", "\u{2028}", " ", "~", "\r\n",
            "e\u{301}", "0123456789abcdef0123456789abcdef",
        ]
        return (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            parts.randomElement(using: &generator) ?? ""
        }.joined()
    }

    @Test(arguments: TestSeed.all(1...200))
    func `strings are written as JSON that is read as the same strings`(seed: TestSeed) throws {
        var generator = seed.generator
        var buffer = TextBuffer(capacity: 1)
        for _ in 0..<20 {
            let text = TextBufferTests.text(using: &generator)
            buffer.removeAll()
            buffer.appendJSON(text)
            let written = Array(buffer.bytes)
            #expect(try JSONDocument(written).string(of: .root) == text)
            var bytes: [UInt8] = [0]
            JSONWriter.append(text, to: &bytes)
            #expect(bytes == [0] + written)
        }
    }

    @Test func `no string is written as null`() {
        var buffer = TextBuffer(capacity: 1)
        buffer.appendJSON(nil)
        let text = buffer.text
        #expect(text == "null")
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
