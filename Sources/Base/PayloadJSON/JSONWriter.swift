/// Writes JSON strings in the shortest form that RFC 8259 allows, with escapes only where they are required.
package enum JSONWriter {
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        var buffer = TextBuffer(capacity: text.utf8.count + 2)
        buffer.appendJSON(text)
        bytes.append(contentsOf: buffer.bytes)
    }

    static func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout TextBuffer) {
        buffer.reserve(text.count + 2)
        buffer.append(UInt8(ascii: "\""))
        var start = 0
        while true {
            let end = endOfPlainText(in: text, from: start)
            buffer.append(UnsafeBufferPointer(rebasing: text[start..<end]))
            guard end < text.count else { break }
            appendEscape(of: text[end], to: &buffer)
            start = end + 1
        }
        buffer.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(of byte: UInt8, to buffer: inout TextBuffer) {
        buffer.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): buffer.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): buffer.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): buffer.append(UInt8(ascii: "t"))
        case 0x08: buffer.append(UInt8(ascii: "b"))
        case 0x0C: buffer.append(UInt8(ascii: "f"))
        case 0..<0x20:
            buffer.append("u00")
            buffer.append(digit(byte >> 4))
            buffer.append(digit(byte & 15))
        default: buffer.append(byte)
        }
    }

    /// The position of the first byte from `start` on that must be escaped, or the end. It steps by eight bytes.
    private static func endOfPlainText(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = start
        while position + 8 <= text.count {
            let word = UInt64(
                littleEndian: UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: position, as: UInt64.self))
            // As in `JSONParser.hits`: a top bit is set where a byte is below 0x20, a quote or a backslash.
            let controls = (word ^ (ones &* 0x02)) &- (ones &* 0x21)
            let backslashes = (word ^ (ones &* UInt64(UInt8(ascii: "\\")))) &- ones
            let hits = (controls | backslashes) & ~word & 0x8080_8080_8080_8080
            guard hits == 0 else { return position + hits.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < text.count, text[position] >= 0x20, text[position] != UInt8(ascii: "\""),
            text[position] != UInt8(ascii: "\\")
        {
            position += 1
        }
        return position
    }

    /// `text` as a JSON string with its quotes.
    package static func quoted(_ text: String) -> String {
        var buffer = TextBuffer(capacity: text.utf8.count + 2)
        buffer.appendJSON(text)
        return buffer.text
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
