import Testing

@testable import apns

struct RawLineReaderTests {
    private static func lines(_ path: String, maximumBytes: Int = 100) throws -> [RawLineReader.Line] {
        let reader = RawLineReader(try InputFile(path: path), maximumBytes: maximumBytes)
        var lines: [RawLineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test(arguments: ["a\r\n\nlast", "a\n", "", "\n\n", "no end"])
    func `the lines together are the file, and their content has no line ends`(text: String) throws {
        try withTemporaryFile(text) { path in
            let lines = try RawLineReaderTests.lines(path)
            #expect(lines.flatMap(\.bytes) == Array(text.utf8))
            #expect(lines.map(\.number) == Array(1..<lines.count + 1))
            #expect(lines.allSatisfy { $0.isWhole && $0.isStart })
            #expect(lines.allSatisfy { !$0.content.contains(10) && !$0.content.contains(13) })
        }
    }

    @Test(arguments: [150, 65_536, 200_000])
    func `a line that is too long comes in pieces, and the next one is whole`(length: Int) throws {
        let text = String(repeating: "x", count: length) + "\nnext\n"
        try withTemporaryFile(text) { path in
            let lines = try RawLineReaderTests.lines(path)
            #expect(lines.flatMap(\.bytes) == Array(text.utf8))
            #expect(lines.filter(\.isWhole).map(\.content) == [Array("next".utf8)])
            #expect(lines.filter(\.isStart).map(\.number) == [1, 2])
            #expect(lines.last?.number == 2)
        }
    }
}
