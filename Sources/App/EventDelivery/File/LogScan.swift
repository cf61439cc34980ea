/// Reads a log from its start, past damage, with a buffer that does not grow with the file.
struct LogScan {
    static let windowBytes = 256 << 10

    /// Where a record is, and what it says.
    struct Found {
        let offset: Int64
        let length: Int
        let operations: [LogRecord.Operation]
    }

    private let file: LogFile
    private let size: Int64
    private var offset: Int64
    private var window: [UInt8] = []
    private var windowStart: Int64 = 0
    private var damagedBytes = 0
    /// The end of the last good record. What follows without damage was cut off by an interrupted write.
    private(set) var end: Int64

    init(_ file: LogFile, size: Int64, from offset: Int64) {
        self.file = file
        self.size = size
        self.offset = offset
        end = offset
    }

    private var trailingDamage = 0

    mutating func next() throws -> Found? {
        while offset < size {
            guard size - offset >= LogRecord.headerBytes else { return nil }
            let header = try bytes(LogRecord.headerBytes, at: offset)
            if let length = LogRecord.length(header) {
                let whole = LogRecord.headerBytes + length
                // The write of the last record was interrupted.
                guard Int64(whole) <= size - offset else { return nil }
                let start = offset
                let operations = LogRecord.decode(try bytes(whole, at: offset))
                offset += Int64(whole)
                guard let operations else {
                    trailingDamage += whole
                    continue
                }
                return found(start, whole, operations)
            }
            // After a loss of power a file can end with zeros.
            if try isZero(from: offset) { return nil }
            offset += 1
            trailingDamage += 1
            try skipToHeader()
        }
        return nil
    }

    private mutating func found(_ start: Int64, _ length: Int, _ operations: [LogRecord.Operation]) -> Found {
        damagedBytes += trailingDamage
        trailingDamage = 0
        end = start + Int64(length)
        return Found(offset: start, length: length, operations: operations)
    }

    /// Whether something was damaged rather than cut off.
    var isDamaged: Bool { damagedBytes + trailingDamage > 0 }

    /// The number of bytes that were lost to damage.
    var lostBytes: Int { damagedBytes + trailingDamage }

    private mutating func skipToHeader() throws {
        while size - offset >= LogRecord.headerBytes {
            if LogRecord.length(try bytes(LogRecord.headerBytes, at: offset)) != nil { return }
            offset += 1
            trailingDamage += 1
        }
        trailingDamage += Int(size - offset)
        offset = size
    }

    private mutating func isZero(from start: Int64) throws -> Bool {
        var position = start
        while position < size {
            let part = try bytes(Int(min(Int64(4_096), size - position)), at: position)
            guard !part.isEmpty, part.allSatisfy({ $0 == 0 }) else { return false }
            position += Int64(part.count)
        }
        return true
    }

    private mutating func bytes(_ count: Int, at position: Int64) throws -> ArraySlice<UInt8> {
        if position < windowStart || position + Int64(count) > windowStart + Int64(window.count) {
            window = try file.read(max(count, LogScan.windowBytes), at: position)
            windowStart = position
        }
        let start = Int(position - windowStart)
        return window[start..<min(window.count, start + count)]
    }
}
