extension JSONParser {
    /// The position after the closing quote of the string whose opening quote is at `start`.
    @inline(__always)
    func endOfString(at start: Int) throws(JSONSyntaxError) -> (end: Int, hasEscapes: Bool) {
        let position = endOfPlainText(at: start + 1)
        guard position < count, base[position] == UInt8(ascii: "\"") else {
            return try endOfString(from: position)
        }
        return (position + 1, false)
    }

    /// The same for a string with other bytes than plain ASCII, the first of them at `position`.
    @inline(never)
    private func endOfString(from position: Int) throws(JSONSyntaxError) -> (end: Int, hasEscapes: Bool) {
        var position = position
        var hasEscapes = false
        while true {
            guard position < count else { throw error(.unterminatedString, at: count) }
            switch base[position] {
            case UInt8(ascii: "\""): return (position + 1, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                position = try endOfEscape(at: position)
                position = endOfPlainText(at: position)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): throw error(.lineBreakInString, at: position)
            case 0..<0x20: throw error(.controlCharacter, at: position)
            case 0x80...:
                let length = UTF8Form.length(of: UnsafeBufferPointer(start: base, count: count), at: position)
                guard length > 0 else { throw error(.notUTF8, at: position) }
                position += length
            default: position = endOfPlainText(at: position + 1)
            }
        }
    }

    /// The position of the first byte from `start` on that is not plain ASCII, or the end. It steps by eight bytes first,
    /// because most keys have no more, then by sixteen, and over the last few one by one.
    @inline(__always)
    private func endOfPlainText(at start: Int) -> Int {
        var position = start
        if position &+ 8 <= count {
            let hits = hits(at: position)
            guard hits == 0 else { return position &+ hits.trailingZeroBitCount / 8 }
            position &+= 8
        }
        while position &+ 16 <= count {
            let first = hits(at: position)
            let second = hits(at: position &+ 8)
            guard first | second == 0 else {
                return position &+ (first != 0 ? first : second).trailingZeroBitCount / 8 &+ (first != 0 ? 0 : 8)
            }
            position &+= 16
        }
        while position < count, isPlain(base[position]) { position &+= 1 }
        return position
    }

    /// For each of the eight bytes at `position`, a set top bit where the byte is below 0x20, a quote, a backslash or not
    /// ASCII. A borrow can set a wrong bit after the first such byte, never before it, and only the first is used.
    @inline(__always)
    private func hits(at position: Int) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let word = UInt64(littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
        // With bit 1 flipped, the quote (0x22) becomes 0x20, next to the control characters, so one comparison finds both.
        let controls = (word ^ (ones &* 0x02)) &- (ones &* 0x21)
        let backslashes = (word ^ (ones &* UInt64(UInt8(ascii: "\\")))) &- ones
        return (controls | backslashes | word) & 0x8080_8080_8080_8080
    }

    @inline(__always)
    private func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// The position after the escape at `position`, or after two escapes that are a surrogate pair.
    private func endOfEscape(at position: Int) throws(JSONSyntaxError) -> Int {
        guard position + 1 < count else { throw error(.unterminatedString, at: count) }
        switch base[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return position + 2
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(at: position) else { throw error(.badEscape, at: position) }
            switch unit {
            case 0xD800..<0xDC00:
                guard let low = codeUnit(at: position + 6), 0xDC00..<0xE000 ~= low else {
                    throw error(.loneSurrogate, at: position)
                }
                return position + 12
            case 0xDC00..<0xE000: throw error(.loneSurrogate, at: position)
            default: return position + 6
            }
        default: throw error(.badEscape, at: position)
        }
    }

    /// The UTF-16 code unit of the escape at `offset`; nil when there is no backslash, `u` and four digits.
    private func codeUnit(at offset: Int) -> UInt16? {
        guard offset + 6 <= count, base[offset] == UInt8(ascii: "\\"), base[offset + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for index in 2..<6 {
            guard let digit = base[offset + index].hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
