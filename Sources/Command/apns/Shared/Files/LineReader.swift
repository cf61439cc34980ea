#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads a file of any length line by line, in constant memory. A class, because all users share one position in the file.
final class LineReader {
    struct Line: Hashable, Sendable {
        /// Counted from 1.
        var number: Int
        /// Without the line end; nil for a line of more than `maximumBytes`, which is skipped.
        var bytes: [UInt8]?
    }

    /// The longest line that is read. An envelope has less than 10 KiB.
    static let maximumBytes = 1024 * 1024

    let file: InputFile
    private let maximumBytes: Int
    private let skipsByteOrderMark: Bool
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    /// The part of `buffer` that was read and not returned yet.
    private var waiting = 0..<0
    private var number = 0
    private(set) var isAtEnd = false
    private var bytesRead = 0

    /// How many bytes the lines have that were returned.
    var bytesReturned: Int { bytesRead - waiting.count }

    var name: String { file.name }

    /// - Parameter skipsByteOrderMark: Whether the mark of UTF-8 with which some editors begin a file is not part of its first
    ///   line.
    init(
        _ file: consuming InputFile, maximumBytes: Int = LineReader.maximumBytes, skipsByteOrderMark: Bool = false
    ) {
        self.file = file
        self.maximumBytes = maximumBytes
        self.skipsByteOrderMark = skipsByteOrderMark
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether `next` returns without blocking.
    var isReady: Bool { file.isRegular || isAtEnd || lineFeed(in: waiting) != nil }

    /// The next line; nil at the end, or when `stop` is raised while this waits.
    func next(until stop: StopSignal? = nil) throws(FileError) -> Line? {
        guard let place = try nextPlace(until: stop) else { return nil }
        return Line(number: place.number, bytes: place.range.map { Array(buffer[$0]) })
    }

    /// The next line without a copy: `body` gets the bytes in the buffer and must not keep them. It gets nil for a line
    /// that is too long.
    ///
    /// - Returns: Nil at the end, or when `stop` is raised while this waits.
    func next<Result>(
        until stop: StopSignal? = nil, _ body: (_ number: Int, _ bytes: UnsafeRawBufferPointer?) -> Result
    ) throws(FileError) -> Result? {
        guard let place = try nextPlace(until: stop) else { return nil }
        guard let range = place.range else { return body(place.number, nil) }
        return buffer.withUnsafeBytes { body(place.number, UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The number of the next line and its range in the buffer, nil for one that is too long.
    private func nextPlace(until stop: StopSignal?) throws(FileError) -> (number: Int, range: Range<Int>?)? {
        var isTooLong = false
        var searched = waiting.lowerBound
        while true {
            if let end = lineFeed(in: searched..<waiting.upperBound) {
                return place(upTo: end, next: end + 1, isTooLong: isTooLong)
            }
            if isAtEnd {
                guard isTooLong || !waiting.isEmpty else { return nil }
                return place(upTo: waiting.upperBound, next: waiting.upperBound, isTooLong: isTooLong)
            }
            if isTooLong || waiting.count > maximumBytes {
                isTooLong = true
                waiting = 0..<0
            }
            makeSpace()
            searched = waiting.upperBound
            let count = try file.read(into: &buffer, from: waiting.upperBound, until: stop)
            if count == 0 {
                if stop?.isStopped == true { return nil }
                isAtEnd = true
            }
            bytesRead += count
            waiting = waiting.lowerBound..<waiting.upperBound + count
        }
    }

    /// Moves the waiting bytes to the front of the buffer, and doubles a buffer that is full.
    private func makeSpace() {
        let count = waiting.count
        if waiting.lowerBound > 0 {
            buffer.withUnsafeMutableBytes { buffer in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[waiting]))
            }
            waiting = 0..<count
        }
        if count == buffer.count { buffer += repeatElement(0, count: count) }
    }

    private func lineFeed(in range: Range<Int>) -> Int? {
        buffer.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, !range.isEmpty,
                let found = memchr(base + range.lowerBound, Int32(UInt8(ascii: "\n")), range.count)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private func place(upTo end: Int, next: Int, isTooLong: Bool) -> (number: Int, range: Range<Int>?) {
        var start = waiting.lowerBound
        if skipsByteOrderMark, number == 0, buffer[start..<end].starts(with: LineReader.byteOrderMark) {
            start += LineReader.byteOrderMark.count
        }
        waiting = next..<waiting.upperBound
        number += 1
        guard !isTooLong, end - start <= maximumBytes else { return (number, nil) }
        return (number, start..<(end > start && buffer[end - 1] == UInt8(ascii: "\r") ? end - 1 : end))
    }
}
