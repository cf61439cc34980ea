/// Parses `text/event-stream` (HTML standard, section 9.2) from bytes that are split anywhere. No I/O.
struct EventStreamParser {
    struct Event: Hashable, Sendable {
        /// `message` if the stream names none.
        var name = "message"
        /// The last id in the stream, possibly of an earlier event.
        var id: String?
        var data: [UInt8] = []
    }

    /// The limit of a line or an event, more than the largest event that a gateway sends.
    static let maximumEventBytes = 1 << 20

    enum Failure: Error, Hashable { case tooLong }

    private var line: [UInt8] = []
    private var lastByteWasCR = false
    private var isFirstLine = true
    private var name: String?
    private var data: [UInt8] = []
    private var hasData = false
    private var lastID: String?

    /// - Returns: The events that `bytes` complete.
    mutating func receive(_ bytes: some Sequence<UInt8>) throws(Failure) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            defer { lastByteWasCR = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where lastByteWasCR: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = lineEnded() { events.append(event) }
            default:
                line.append(byte)
                guard line.count + data.count <= EventStreamParser.maximumEventBytes else { throw .tooLong }
            }
        }
        return events
    }

    private mutating func lineEnded() -> Event? {
        defer {
            line.removeAll(keepingCapacity: true)
            isFirstLine = false
        }
        if isFirstLine, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = colon < line.endIndex ? line[(colon + 1)...] : []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            hasData = true
            data.append(contentsOf: value)
        case "event": name = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0): lastID = String(decoding: value, as: UTF8.self)
        default: break  // a comment, `retry`, or an unknown field
        }
        return nil
    }

    private mutating func dispatch() -> Event? {
        defer {
            name = nil
            data.removeAll(keepingCapacity: true)
            hasData = false
        }
        guard hasData else { return nil }
        return Event(name: name ?? "message", id: lastID, data: data)
    }
}
