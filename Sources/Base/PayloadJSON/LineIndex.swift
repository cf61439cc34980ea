/// Finds the line and column of byte offsets. Making one reads the whole text, so make it only to report something.
///
/// Lines end with LF, CR LF or a single CR.
package struct LineIndex: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        bytes.withUnsafeBufferPointer { bytes in
            var offset = LineIndex.firstControl(in: bytes, from: 0)
            while offset < bytes.count {
                let isLineFeed = bytes[offset] == UInt8(ascii: "\n")
                let isReturn = bytes[offset] == UInt8(ascii: "\r")
                let isBeforeLineFeed = offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n")
                if isLineFeed || isReturn && !isBeforeLineFeed { starts.append(offset + 1) }
                offset = LineIndex.firstControl(in: bytes, from: offset + 1)
            }
        }
        self.starts = starts
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// The position of the first byte from `start` on that may end a line, or the end. It steps by eight bytes.
    @inline(__always)
    private static func firstControl(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset + 8 <= bytes.count {
            let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // A top bit is set where a byte is at most CR. A borrow can set a wrong bit only after the first such byte.
            let hits = (word &- ones &* UInt64(UInt8(ascii: "\r") + 1)) & ~word & tops
            guard hits == 0 else { return offset + UInt64(littleEndian: hits).trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < bytes.count, bytes[offset] > UInt8(ascii: "\r") { offset += 1 }
        return offset
    }

    /// The line and column of a byte. An offset outside the text counts as its first or last position.
    package func location(of offset: Int) -> SourceLocation {
        let offset = min(max(offset, 0), bytes.count)
        let line = line(of: offset)
        return SourceLocation(line: line, column: scalarCount(in: starts[line - 1]..<offset) + 1)
    }

    /// The locations of the first byte and of the end of a range.
    package func locations(of range: Range<Int>) -> (start: SourceLocation, end: SourceLocation) {
        let start = location(of: range.lowerBound)
        let isInText = range.lowerBound >= 0 && range.upperBound <= bytes.count
        guard isInText, start.line == starts.count || range.upperBound < starts[start.line] else {
            return (start, range.isEmpty ? start : location(of: range.upperBound))
        }
        // On one line, so the characters before the range are not counted again.
        return (start, SourceLocation(line: start.line, column: start.column + scalarCount(in: range)))
    }

    /// The bytes of the line that contains `offset`, without its line ending.
    package func lineRange(of offset: Int) -> Range<Int> {
        let line = line(of: min(max(offset, 0), bytes.count))
        let start = starts[line - 1]
        var end = line < starts.count ? starts[line] : bytes.count
        while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<end
    }

    /// The line of a byte, counted from 1: a binary search for the last one that starts at or before `offset`.
    package func line(of offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    private func scalarCount(in range: Range<Int>) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            var count = 0
            var position = range.lowerBound
            while position < range.upperBound {
                // Most columns are counted over ASCII alone, eight bytes at a time.
                while position + 8 <= range.upperBound,
                    UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: position, as: UInt64.self)
                        & LineIndex.tops == 0
                {
                    position += 8
                    count += 8
                }
                while position < range.upperBound, buffer[position] < 0x80 {
                    position += 1
                    count += 1
                }
                guard position < range.upperBound else { break }
                position += max(UTF8Form.length(of: buffer, at: position), 1)
                count += 1
            }
            return count
        }
    }
}
