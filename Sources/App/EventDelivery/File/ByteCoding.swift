/// Writes numbers and texts of a record, integers with the low byte first.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// The length and the bytes.
    mutating func put(_ part: [UInt8]) {
        put(UInt32(clamping: part.count))
        bytes += part
    }

    mutating func put(_ text: String) {
        put(UInt32(clamping: text.utf8.count))
        bytes += text.utf8
    }
}

/// Reads what `ByteWriter` wrote. A value that is not there is nil, and so is every value after it.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number? {
        guard let part = take(Number.bitWidth / 8) else { return nil }
        var number: Number = 0
        for (index, byte) in part.enumerated() { number |= Number(truncatingIfNeeded: byte) << (index * 8) }
        return number
    }

    mutating func part() -> ArraySlice<UInt8>? {
        guard let count: UInt32 = number() else { return nil }
        return take(Int(count))
    }

    mutating func text() -> String? {
        guard let part = part() else { return nil }
        let text = String(decoding: part, as: UTF8.self)
        // Decoding replaces bytes that are not UTF-8; a text that was changed so is not returned.
        return text.utf8.elementsEqual(part) ? text : nil
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.endIndex - position else {
            position = bytes.endIndex
            return nil
        }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
