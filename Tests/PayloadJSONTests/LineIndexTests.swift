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

    @Test func `a place outside of the text is its first or last`() {
        let index = LineIndex(Array("ab\n".utf8))
        #expect(index.location(of: -5) == SourceLocation(line: 1, column: 1))
        #expect(index.location(of: 99) == SourceLocation(line: 2, column: 1))
        #expect(LineIndex([]).location(of: 0) == SourceLocation(line: 1, column: 1))
        #expect(LineIndex([]).lineRange(of: 3) == 0..<0)
    }
}
