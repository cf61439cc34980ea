/// A stream of one session. `slot` is a small number for tables of streams that are arrays. No other stream has it until
/// this stream's `closed` event was taken.
package struct HTTP2Stream: Hashable, Sendable {
    package let id: Int32
    package let slot: Int32
}

/// What happened in a session. An event has only numbers and ranges; the `HTTP2EventBatch` that contains it has the bytes.
package enum HTTP2Event: Sendable {
    /// The head of a request or of a final response. Interim (1xx) responses and trailers cause no event.
    case head(HTTP2Stream, fields: Range<Int>)
    /// A part of a body, at most `HTTP2Limits.storedBodyBytes` in all for one stream.
    case body(HTTP2Stream, bytes: Range<Int>)
    /// The peer has sent the whole message.
    ///
    /// - Parameter bodyBytes: The length of the body, also where not all of it was stored.
    case end(HTTP2Stream, bodyBytes: Int)
    /// The body is longer than `HTTP2Limits.bodyBytes`. The rest of the peer's message causes no events.
    case bodyTooLong(HTTP2Stream)
    /// The stream is closed, with `noError` when both sides ended it normally.
    case closed(HTTP2Stream, HTTP2ErrorCode)
    /// The peer's SETTINGS took effect.
    case settings
    /// The peer acknowledged our SETTINGS.
    case settingsAcknowledged
    case goAway(lastStreamID: Int32, HTTP2ErrorCode, debugData: Range<Int>)
    case pingAcknowledged(UInt64)
}

/// Events with the bytes that they refer to.
package struct HTTP2EventBatch: ~Copyable {
    package internal(set) var events: [HTTP2Event] = []
    private var fields: [Field] = []
    private var memory: UnsafeMutableRawPointer
    private var count = 0
    private var capacity: Int

    /// A stream of a `closed` event that this side has reset.
    package struct ResetHere: Hashable, Sendable {
        package let streamID: Int32
        /// What was wrong with the peer's message, as far as nghttp2 says it; empty when this side reset it for another cause.
        package let reason: String
    }

    /// The streams of this batch's `closed` events that this side has reset. The peer has reset the others, or they ended
    /// normally.
    package internal(set) var resetsHere: [ResetHere] = []

    private struct Field {
        var name: Range<Int>
        var value: Range<Int>
    }

    init() {
        capacity = 1024
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    package var isEmpty: Bool { events.isEmpty }

    /// The bytes of a range in an event of this batch, valid until `HTTP2Session.recycle`.
    package func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.upperBound <= count, "a range of another batch")
        return UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count)
    }

    /// The name and value of one field of a head, valid until `HTTP2Session.recycle`. Pseudo fields come first, then the others
    /// in the order in which they were received.
    package func field(_ index: Int) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        (bytes(fields[index].name), bytes(fields[index].value))
    }

    /// Calls `body` with the name and value of each field of a head.
    package func forEachField(
        _ range: Range<Int>, _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) {
        for index in range { body(bytes(fields[index].name), bytes(fields[index].value)) }
    }

    var fieldCount: Int { fields.count }

    mutating func addField(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let name = add(name)
        fields.append(Field(name: name, value: add(value)))
    }

    mutating func removeFields(from start: Int) { fields.removeSubrange(start...) }

    /// Copies `source` and returns the range of the copy.
    mutating func add(_ source: UnsafeRawBufferPointer) -> Range<Int> {
        if count + source.count > capacity { grow(toHold: count + source.count) }
        if let base = source.baseAddress { (memory + count).copyMemory(from: base, byteCount: source.count) }
        defer { count += source.count }
        return count..<(count + source.count)
    }

    private mutating func grow(toHold needed: Int) {
        let larger = max(needed, capacity * 2)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        moved.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = moved
        capacity = larger
    }

    mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        if !resetsHere.isEmpty { resetsHere.removeAll() }
        count = 0
    }
}
