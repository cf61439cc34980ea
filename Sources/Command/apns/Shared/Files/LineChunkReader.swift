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
    private let chunkBytes: Int
    private let maximumBytes: Int
    /// The beginning of a line whose end was not read yet.
    private var rest: [UInt8] = []
    private var line = 1
    private var isAtEnd = false
    /// Whether the line that `rest` begins is too long.
    private var isTooLong = false

    init(_ file: consuming InputFile, chunkBytes: Int = 512 * 1024, maximumBytes: Int = LineReader.maximumBytes) {
        self.file = file
        self.chunkBytes = chunkBytes
        self.maximumBytes = maximumBytes
    }

    /// The next part; nil at the end. It has at most `chunkBytes` and one line.
    mutating func next() throws(FileError) -> Chunk? {
        guard !isAtEnd else { return nil }
        var bytes = rest
        rest = []
        var longLines: [Int] = []
        while true {
            let known = bytes.count
            bytes += repeatElement(0, count: chunkBytes)
            let count = try file.read(into: &bytes, from: known, until: nil)
            bytes.removeLast(bytes.count - known - count)
            isAtEnd = count == 0
            if isTooLong { dropLongLine(&bytes, &longLines) }
            let end = isAtEnd ? bytes.count : LineChunkReader.endOfLastLine(in: bytes, from: isTooLong ? 0 : known)
            if let end, !isTooLong || isAtEnd {
                rest = Array(bytes[end...])
                bytes.removeLast(bytes.count - end)
                break
            }
            if bytes.count > maximumBytes + 1 {
                isTooLong = true
                bytes.removeAll(keepingCapacity: true)
            }
        }
        let first = line
        line += LineChunkReader.lineFeeds(in: bytes)
        return bytes.isEmpty && longLines.isEmpty
            ? nil : Chunk(bytes: bytes, firstLine: first, longLines: longLines, isLast: isAtEnd)
    }

    /// Leaves the line end of a line that is too long, so that the lines after it keep their numbers.
    private mutating func dropLongLine(_ bytes: inout [UInt8], _ longLines: inout [Int]) {
        guard let end = bytes.withUnsafeBytes({ LineChunkReader.lineFeed(in: $0, from: 0) }) else {
            bytes.removeAll(keepingCapacity: true)
            if isAtEnd { longLines.append(line) }
            return
        }
        bytes.removeFirst(end)
        longLines.append(line)
        isTooLong = false
    }

    /// The position after the last line feed from `start` on.
    private static func endOfLastLine(in bytes: [UInt8], from start: Int) -> Int? {
        var position = bytes.count
        while position > start {
            if bytes[position - 1] == UInt8(ascii: "\n") { return position }
            position -= 1
        }
        return nil
    }

    static func lineFeed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count,
            let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    private static func lineFeeds(in bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { bytes in
            var count = 0
            var position = 0
            while let found = lineFeed(in: bytes, from: position) {
                count += 1
                position = found + 1
            }
            return count
        }
    }
}
