#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads a regular file in parts of whole lines, which can be checked at the same time.
struct LineChunkReader: ~Copyable {
    struct Chunk {
        /// Whole lines; the last one of the file may have no line end.
        var bytes: [UInt8]
        /// The number of the first line, counted from 1.
        var firstLine: Int
        /// The numbers of lines with more than `LineReader.maximumBytes`, which are blank in `bytes`.
        var longLines: [Int] = []
        var isLast: Bool
    }

    private let file: InputFile
    private let maximumBytes: Int
    /// What one read takes.
    private let chunkBytes: Int
    /// The beginning of a line whose end was not read yet; empty for a line that is too long.
    private var rest: [UInt8] = []
    private var line = 1
    private var isAtEnd = false
    /// Whether the line whose end was not read yet is too long.
    private var isTooLong = false

    init(_ file: consuming InputFile, chunkBytes: Int = 512 * 1024, maximumBytes: Int = LineReader.maximumBytes) {
        self.file = file
        self.maximumBytes = maximumBytes
        self.chunkBytes = chunkBytes
    }

    /// The next part; nil at the end. It has at most `chunkBytes` and one line.
    mutating func next() throws(FileError) -> Chunk? {
        guard !isAtEnd else { return nil }
        let first = line
        var bytes = rest
        rest = []
        var longLines: [Int] = []
        while true {
            let known = bytes.count
            bytes = try file.read(upTo: chunkBytes, behind: bytes)
            isAtEnd = bytes.count == known
            var start = 0
            var searched = known
            var longRanges: [Range<Int>] = []
            while let end = LineChunkReader.lineFeed(in: bytes, from: searched) {
                if isTooLong || end - start > maximumBytes {
                    longLines.append(line)
                    longRanges.append(start..<end)
                    isTooLong = false
                }
                line += 1
                start = end + 1
                searched = start
            }
            // What remains is the beginning of a line, or the last line of the file.
            if isTooLong || bytes.count - start > maximumBytes {
                isTooLong = true
                bytes.removeLast(bytes.count - start)
                if isAtEnd { longLines.append(line) }
            }
            guard isAtEnd || start > 0 else { continue }
            if !isAtEnd {
                rest = Array(bytes[start...])
                bytes.removeLast(bytes.count - start)
            }
            // The line ends stay, so that the lines after them keep their numbers.
            for range in longRanges.reversed() { bytes.removeSubrange(range) }
            return bytes.isEmpty && longLines.isEmpty
                ? nil : Chunk(bytes: bytes, firstLine: first, longLines: longLines, isLast: isAtEnd)
        }
    }

    /// The position of the next line feed from `start` on. With `memchr`, because a loop over bytes is slow in a debug build.
    static func lineFeed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count,
            let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    private static func lineFeed(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { lineFeed(in: $0, from: start) }
    }
}
