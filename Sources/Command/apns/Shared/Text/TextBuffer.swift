import PayloadJSON

/// Bytes of text that grow at the end, for output of many lines. Appending copies bytes: no string is made for a line, and
/// characters are looked at only in text with others than printable ASCII.
///
/// @unchecked: it is the only owner of its memory.
struct TextBuffer: ~Copyable, @unchecked Sendable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 16 * 1024) {
        start = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { start.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func removeAll() { count = 0 }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func append(_ utf8: UnsafeBufferPointer<UInt8>) {
        guard let source = utf8.baseAddress else { return }
        reserve(utf8.count)
        (start + count).update(from: source, count: utf8.count)
        count += utf8.count
    }

    mutating func append(string text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// A number in decimal digits.
    mutating func append(_ number: Int) {
        reserve(20)
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var digits = 1
        var limit = rest
        while limit >= 10 {
            limit /= 10
            digits += 1
        }
        var place = count + digits
        count = place
        repeat {
            place -= 1
            start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    /// The text as a JSON string with its quotes.
    mutating func appendJSON(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            guard JSONWriter.isPlain(utf8) else {
                var bytes: [UInt8] = []
                JSONWriter.append(String(decoding: utf8, as: UTF8.self), to: &bytes)
                return bytes.withUnsafeBufferPointer { append($0) }
            }
            append(UInt8(ascii: "\""))
            append(utf8)
            append(UInt8(ascii: "\""))
        }
    }

    /// The text as a JSON string, or `null`.
    mutating func appendJSON(_ text: String?) {
        guard let text else { return append("null") }
        appendJSON(text)
    }

    /// Text from outside, as `PlainText.safe` makes it.
    mutating func appendSafe(_ text: String) {
        var bytes = text
        bytes.withUTF8 { utf8 in
            guard PlainText.isPrintableASCII(utf8) else { return append(string: PlainText.safe(text)) }
            append(utf8)
        }
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let larger = max(capacity * 2, count + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: start, count: count)
        start.deallocate()
        start = moved
        capacity = larger
    }
}
