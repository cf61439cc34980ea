/// Finds line and column of byte offsets. Made only when there is something to report, as it reads the whole text once.
///
/// Lines end with LF, CR LF or a single CR.
package struct LineIndex: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        bytes.withUnsafeBufferPointer { bytes in
            for offset in 0..<bytes.count where bytes[offset] <= UInt8(ascii: "\r") {
                let isLineFeed = bytes[offset] == UInt8(ascii: "\n")
                let isReturn = bytes[offset] == UInt8(ascii: "\r")
                let isBeforeLineFeed = offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n")
                if isLineFeed || isReturn && !isBeforeLineFeed { starts.append(offset + 1) }
            }
        }
        self.starts = starts
    }

    /// The line and column of a byte; offsets outside of the text count as its first or last place.
    package func location(of offset: Int) -> SourceLocation {
        let offset = min(max(offset, 0), bytes.count)
        let line = line(of: offset)
        return SourceLocation(line: line, column: scalarCount(in: starts[line - 1]..<offset) + 1)
    }

    /// The bytes of the line that holds `offset`, without its line end.
    package func lineRange(of offset: Int) -> Range<Int> {
        let line = line(of: min(max(offset, 0), bytes.count))
        let start = starts[line - 1]
        var end = line < starts.count ? starts[line] : bytes.count
        while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<end
    }

    /// Binary search for the last line that starts at or before `offset`.
    private func line(of offset: Int) -> Int {
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
                // Most columns are counted over ASCII alone.
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
