/// Reads a file of any length line by line, in constant memory. A class, because there is one place in the file.
final class LineReader {
    struct Line: Hashable, Sendable {
        /// Counted from 1.
        var number: Int
        /// Without the line end; nil for a line of more than `maximumBytes`, which is skipped.
        var bytes: [UInt8]?
    }

    /// The longest line that is read. An envelope has less than 10 KiB, so this one is no envelope.
    static let maximumBytes = 1024 * 1024

    let file: InputFile
    private let maximumBytes: Int
    private var buffer: [UInt8] = []
    private var position = 0
    private var number = 0
    private(set) var isAtEnd = false

    var name: String { file.name }

    init(_ file: consuming InputFile, maximumBytes: Int = LineReader.maximumBytes) {
        self.file = file
        self.maximumBytes = maximumBytes
    }

    /// Whether `next` gives an answer without waiting for anybody.
    var isReady: Bool { file.isRegular || isAtEnd || buffer[position...].contains(UInt8(ascii: "\n")) }

    /// The next line; nil at the end, or when `stop` says so while this waits.
    func next(until stop: StopSignal? = nil) throws(FileError) -> Line? {
        var searched = position
        var isTooLong = false
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return line(upTo: end, next: end + 1, isTooLong: isTooLong)
            }
            if isAtEnd {
                guard isTooLong || position < buffer.count else { return nil }
                return line(upTo: buffer.count, next: buffer.count, isTooLong: isTooLong)
            }
            if isTooLong || buffer.count - position > maximumBytes {
                isTooLong = true
                position = buffer.count
            }
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

    private func line(upTo end: Int, next: Int, isTooLong: Bool) -> Line {
        defer { position = next }
        number += 1
        guard !isTooLong, end - position <= maximumBytes else { return Line(number: number, bytes: nil) }
        var bytes = buffer[position..<end]
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return Line(number: number, bytes: Array(bytes))
    }
}
