import PayloadJSON
import Testing

struct LineIndexTests {
    @Test func `lines end with LF, CR LF or CR`() {
        let index = LineIndex(Array("a\nb\r\nc\rd".utf8))
        #expect(index.location(of: 0) == SourceLocation(line: 1, column: 1))
        #expect(index.location(of: 2) == SourceLocation(line: 2, column: 1))
        #expect(index.location(of: 5) == SourceLocation(line: 3, column: 1))
        #expect(index.location(of: 7) == SourceLocation(line: 4, column: 1))
        #expect(index.lineRange(of: 3) == 2..<3)
        #expect(index.lineRange(of: 7) == 7..<8)
    }

    @Test func `a column counts Unicode scalars, and a stray byte as one`() {
        let bytes = Array("é😀\t".utf8) + [0xFF] + Array("x".utf8)
        #expect(LineIndex(bytes).location(of: bytes.count - 1) == SourceLocation(line: 1, column: 5))
    }

    @Test func `an offset outside the text is its first or last place`() {
        let index = LineIndex(Array("ab\n".utf8))
        #expect(index.location(of: -5) == SourceLocation(line: 1, column: 1))
        #expect(index.location(of: 99) == SourceLocation(line: 2, column: 1))
        #expect(LineIndex([]).location(of: 0) == SourceLocation(line: 1, column: 1))
        #expect(LineIndex([]).lineRange(of: 3) == 0..<0)
    }

    @Test func `places do not depend on alignment`() {
        let pieces = ["a\n", "\r\n", "\r", "\u{0B}\t\u{0C}", "abcdefgh", "é", "abcdefghijk\r\n", "日本語", "\n\n"]
        for shift in 0..<9 {
            for first in pieces {
                for second in pieces {
                    let text = String(repeating: "x", count: shift) + first + second + first + "yz"
                    expectSame(Array(text.utf8))
                    expectSame(Array(text.utf8) + [0xFF, 0x0D, 0xC3])
                }
            }
        }
    }

    /// Compares with a count over the text, byte by byte.
    private func expectSame(_ bytes: [UInt8]) {
        let index = LineIndex(bytes)
        var location = SourceLocation(line: 1, column: 1)
        var offset = 0
        while offset < bytes.count {
            #expect(index.location(of: offset) == location, "\(bytes) at \(offset)")
            let length = bytes.withUnsafeBufferPointer { max(UTF8Form.length(of: $0, at: offset), 1) }
            let isBeforeLineFeed = offset + 1 < bytes.count && bytes[offset + 1] == 10
            if bytes[offset] == 10 || bytes[offset] == 13 && !isBeforeLineFeed {
                location = SourceLocation(line: location.line + 1, column: 1)
            } else {
                location.column += 1
            }
            offset += length
        }
        #expect(index.location(of: bytes.count) == location)
    }
}
