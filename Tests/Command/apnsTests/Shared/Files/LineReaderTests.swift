import Foundation
import Testing

@testable import apns

struct LineReaderTests {
    private static func lines(_ path: String, maximumBytes: Int = 100) throws -> [LineReader.Line] {
        let reader = LineReader(try InputFile(path: path), maximumBytes: maximumBytes)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test func `lines are numbered, whatever ends them`() throws {
        try withTemporaryFile("a\r\n\nlast") { path in
            let lines = try LineReaderTests.lines(path)
            #expect(lines.map(\.number) == [1, 2, 3])
            #expect(lines.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } } == ["a", "", "last"])
        }
        for (text, count) in [("a\n", 1), ("", 0), ("\n\n", 2)] {
            try withTemporaryFile(text) { path in
                let lines = try LineReaderTests.lines(path)
                #expect(lines.count == count)
            }
        }
    }

    @Test func `a line read without a copy is the same as a copied line`() throws {
        let lines = (0..<3_000).map { String(repeating: "x", count: $0 % 97) + "\($0)" } + ["", "\r", "last"]
        for end in ["", "\n", "\r\n"] {
            try withTemporaryFile(lines.joined(separator: "\n") + end) { path in
                let wanted = try LineReaderTests.lines(path)
                let reader = LineReader(try InputFile(path: path), maximumBytes: 100)
                var found: [LineReader.Line] = []
                while let line = try reader.next(
                    until: nil, { LineReader.Line(number: $0, bytes: $1.map { Array($0) }) })
                {
                    found.append(line)
                }
                #expect(found == wanted)
                #expect(found.count == lines.count)
            }
        }
    }

    @Test func `a byte order mark at the start of the file is skipped where that is wanted`() throws {
        try withTemporaryFile("\u{FEFF}a\n\u{FEFF}b\n") { path in
            let reader = LineReader(try InputFile(path: path), skipsByteOrderMark: true)
            var texts: [String] = []
            while let line = try reader.next() { texts.append(String(decoding: line.bytes ?? [], as: UTF8.self)) }
            #expect(texts == ["a", "\u{FEFF}b"])
            let first = try LineReaderTests.lines(path).first
            #expect(first?.bytes == [0xEF, 0xBB, 0xBF, UInt8(ascii: "a")])
        }
        try withTemporaryFile("\u{FEFF}") { path in
            let reader = LineReader(try InputFile(path: path), skipsByteOrderMark: true)
            #expect(try reader.next()?.bytes == [])
            #expect(try reader.next() == nil)
        }
    }

    @Test(arguments: [101, 65_536, 200_000])
    func `a line that is too long is skipped and the next one is read`(length: Int) throws {
        let long = String(repeating: "x", count: length)
        try withTemporaryFile("\(long)\nnext\n\(long)") { path in
            let lines = try LineReaderTests.lines(path)
            #expect(lines.map(\.number) == [1, 2, 3])
            #expect(lines.map { $0.bytes?.count } == [nil, 4, nil])
        }
        try withTemporaryFile(String(repeating: "x", count: 100)) { path in
            let lines = try LineReaderTests.lines(path)
            #expect(lines.first?.bytes?.count == 100)
        }
    }

    @Test func `a reader that waits for a pipe ends after a stop`() throws {
        let pipe = Pipe()
        let stop = StopSignal()
        let reader = LineReader(try InputFile(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"))
        pipe.fileHandleForWriting.write(Data("one\ntw".utf8))
        #expect(try reader.next(until: stop)?.bytes == Array("one".utf8))
        #expect(!reader.isReady)
        stop.stop()
        #expect(try reader.next(until: stop) == nil)
    }
}
