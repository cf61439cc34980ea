/// Reads a file of any length line by line, with the line ends, so that unchanged lines can be written back exactly.
final class RawLineReader {
    struct Line: Hashable, Sendable {
        /// Counted from 1.
        var number: Int
        /// With the line end.
        var bytes: [UInt8]
        /// False for a piece of a line that is longer than `LineReader.maximumBytes`.
        var isWhole: Bool
        /// Whether the line begins here.
        var isStart: Bool

        /// Without the line end.
        var content: [UInt8] {
            var content = bytes[...]
            if content.last == UInt8(ascii: "\n") { content.removeLast() }
            if content.last == UInt8(ascii: "\r") { content.removeLast() }
            return Array(content)
        }
    }

    private let file: InputFile
    private let maximumBytes: Int
    private var buffer: [UInt8] = []
    private var position = 0
    private var number = 1
    /// Whether pieces of the current line were returned, because it is too long.
    private var isInPieces = false
    private var isAtEnd = false

    init(_ file: consuming InputFile, maximumBytes: Int = LineReader.maximumBytes) {
        self.file = file
        self.maximumBytes = maximumBytes
    }

    /// The next line or piece of a line; nil at the end, or when `stop` is raised while this waits.
    func next(until stop: StopSignal? = nil) throws(FileError) -> Line? {
        var searched = position
        while true {
            if let end = lineFeed(from: searched) {
                return take(upTo: end + 1, endsLine: true)
            }
            if isAtEnd { return position == buffer.count ? nil : take(upTo: buffer.count, endsLine: true) }
            if buffer.count - position > maximumBytes { return take(upTo: buffer.count, endsLine: false) }
            buffer.removeFirst(position)
            position = 0
            searched = buffer.count
            let more = try file.read(upTo: 64 * 1024, until: stop)
            if more.isEmpty {
                if stop?.isStopped == true { return nil }
                isAtEnd = true
            }
            buffer += more
        }
    }

    private func lineFeed(from start: Int) -> Int? {
        buffer.withUnsafeBytes { LineChunkReader.lineFeed(in: $0, from: start) }
    }

    private func take(upTo end: Int, endsLine: Bool) -> Line {
        let bytes = Array(buffer[position..<end])
        let line = Line(
            number: number, bytes: bytes, isWhole: endsLine && !isInPieces && bytes.count <= maximumBytes + 2,
            isStart: !isInPieces)
        position = end
        isInPieces = !endsLine
        if endsLine { number += 1 }
        return line
    }
}
