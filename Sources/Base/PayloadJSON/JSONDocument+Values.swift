extension JSONDocument {
    /// A key or string value with its escapes decoded; nil for any other value.
    package func string(of index: JSONIndex) -> String? {
        let node = nodes[index.position]
        guard node.kind == .string else { return nil }
        guard node.hasEscapes else { return String(decoding: plainBytes(of: node), as: UTF8.self) }
        return String(decoding: textBytes(of: node), as: UTF8.self)
    }

    /// The value of a number without fraction and exponent; nil for any other value, and for one beyond 64 bits.
    package func integer(of index: JSONIndex) -> Int64? {
        guard kind(of: index) == .integer else { return nil }
        if let small = smallInteger(nodes[index.position]) { return Int64(small) }
        return Int64(source(of: index))
    }

    /// Whether the value is the integer 1, which has only one spelling.
    package func isOne(_ index: JSONIndex) -> Bool {
        let node = nodes[index.position]
        return node.kind == .integer && node.end - node.start == 1 && bytes[Int(node.start)] == UInt8(ascii: "1")
    }

    /// The double nearest to a number; nil for any other value, and for a number beyond the range of a double.
    package func number(of index: JSONIndex) -> Double? {
        let kind = kind(of: index)
        if kind == .integer, let small = smallInteger(nodes[index.position]) { return Double(small) }
        guard kind == .integer || kind == .fraction, let value = Double(source(of: index)), value.isFinite else {
            return nil
        }
        return value
    }

    /// The value of an integer of at most 15 digits, which a double holds exactly. It makes no string.
    private func smallInteger(_ node: JSONNode) -> Int? {
        var position = Int(node.start)
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        guard Int(node.end) - position <= 15 else { return nil }
        var value = 0
        while position < Int(node.end) {
            value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
            position += 1
        }
        return isNegative ? (value == 0 ? nil : -value) : value
    }

    /// The value as it is written, a string with its quotes.
    package func source(of index: JSONIndex) -> String { String(decoding: bytes[range(of: index)], as: UTF8.self) }

    func plainBytes(of node: JSONNode) -> ArraySlice<UInt8> { bytes[Int(node.start) + 1..<Int(node.end) - 1] }

    /// The UTF-8 of a string node, with its escapes decoded.
    func textBytes(of node: JSONNode) -> [UInt8] {
        let source = plainBytes(of: node)
        guard node.hasEscapes else { return Array(source) }
        var text: [UInt8] = []
        text.reserveCapacity(source.count)
        var position = source.startIndex
        while position < source.endIndex {
            guard source[position] == UInt8(ascii: "\\") else {
                text.append(source[position])
                position += 1
                continue
            }
            let letter = source[position + 1]
            guard letter == UInt8(ascii: "u") else {
                text.append(JSONDocument.character(ofEscape: letter))
                position += 2
                continue
            }
            let unit = codeUnit(at: position + 2)
            position += 6
            if 0xD800..<0xDC00 ~= unit {
                let low = codeUnit(at: position + 2)
                position += 6
                JSONDocument.append(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), to: &text)
            } else {
                JSONDocument.append(unit, to: &text)
            }
        }
        return text
    }

    /// The value of the four hexadecimal digits at `offset`, which the parser has checked.
    private func codeUnit(at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 4 | UInt32($1.hexDigitValue ?? 0) }
    }

    private static func append(_ scalar: UInt32, to text: inout [UInt8]) {
        // The parser refuses half of a surrogate pair, so this is always a scalar.
        guard let scalar = Unicode.Scalar(scalar) else { return }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private static func character(ofEscape letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        default: letter
        }
    }
}
