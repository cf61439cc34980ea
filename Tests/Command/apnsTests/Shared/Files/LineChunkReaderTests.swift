import Foundation
import Testing

@testable import apns

/// Whatever the sizes of the parts are, together they are the file, and each begins with the line that it says.
struct LineChunkReaderTests {
    private func read(_ text: String, chunkBytes: Int, maximumBytes: Int = 1000) throws -> [LineChunkReader.Chunk] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("chunks-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var reader = LineChunkReader(
            try InputFile(path: file.path), chunkBytes: chunkBytes, maximumBytes: maximumBytes)
        var chunks: [LineChunkReader.Chunk] = []
        while let chunk = try reader.next() { chunks.append(chunk) }
        return chunks
    }

    @Test(arguments: ["", "\n", "a", "a\n", "a\nbb\n\nccc", "\n\na\r\nb\n", "aaaaaaaaaaaaaaaaaaaa\nb\n"])
    func `the parts together are the file, and lines keep their numbers`(text: String) throws {
        for size in 1...12 {
            let chunks = try read(text, chunkBytes: size)
            #expect(chunks.map { String(decoding: $0.bytes, as: UTF8.self) }.joined() == text, "\(size)")
            var line = 1
            for chunk in chunks {
                #expect(chunk.firstLine == line, "\(size)")
                line += chunk.bytes.count { $0 == UInt8(ascii: "\n") }
            }
            #expect(chunks.dropLast().allSatisfy { $0.bytes.last == UInt8(ascii: "\n") })
        }
    }

    @Test func `a line that is too long is left out, and lines after it keep their numbers`() throws {
        let long = String(repeating: "x", count: 100)
        for size in [1, 7, 30, 64, 1000] {
            let chunks = try read("a\n\(long)\nb\n\(long)", chunkBytes: size, maximumBytes: 50)
            let short = chunks.flatMap { chunk in
                chunk.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().map {
                    (chunk.firstLine + $0.offset, String(decoding: $0.element, as: UTF8.self))
                }
            }.filter { !$0.1.isEmpty }
            #expect(short.map(\.0) == [1, 3] && short.map(\.1) == ["a", "b"], "\(size)")
            #expect(chunks.flatMap(\.longLines) == [2, 4], "\(size)")
        }
    }
}
