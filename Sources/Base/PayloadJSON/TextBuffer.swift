/// Bytes of text that grow at the end, for output of many lines. Appending copies bytes: no string is made for a line.
///
/// @unchecked: a pointer is not `Sendable`. The value cannot be copied and gives its memory to nobody, so only one thread at a
/// time can reach it.
package struct TextBuffer: ~Copyable, @unchecked Sendable {
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var length = 0

    package init(capacity: Int = 16 * 1024) {
        start = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { start.deallocate() }

    package var count: Int { length }

    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: length) }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func removeAll() { length = 0 }

    @inlinable
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        start[length] = byte
        length += 1
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ utf8: UnsafeBufferPointer<UInt8>) {
        guard let source = utf8.baseAddress else { return }
        reserve(utf8.count)
        (start + length).update(from: source, count: utf8.count)
        length += utf8.count
    }

    package mutating func append(string text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// A number in decimal digits.
    package mutating func append(_ number: Int) {
        reserve(20)
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var digits = 1
        var limit = rest
        while limit >= 10 {
            limit /= 10
            digits += 1
        }
        var place = length + digits
        length = place
        repeat {
            place -= 1
            start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    /// The text as a JSON string with its quotes.
    package mutating func appendJSON(_ text: String) {
        // Nearly every string has its bytes in one piece, and is not copied then.
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { JSONWriter.append($0, to: &self) }
        guard isWritten == nil else { return }
        var text = text
        text.withUTF8 { JSONWriter.append($0, to: &self) }
    }

    /// The text as a JSON string, or `null`.
    package mutating func appendJSON(_ text: String?) {
        guard let text else { return append("null") }
        appendJSON(text)
    }

    /// Makes room for so many more bytes.
    @inlinable
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if length + more > capacity { grow(more) }
    }

    @usableFromInline
    mutating func grow(_ more: Int) {
        let larger = max(capacity * 2, length + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: start, count: length)
        start.deallocate()
        start = moved
        capacity = larger
    }
}
