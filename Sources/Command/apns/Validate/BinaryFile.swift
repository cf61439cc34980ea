import PayloadLint

/// Recognizes binary files, to report them as such and not as invalid JSON.
enum BinaryFile {
    static let advice = "it is a binary file, not JSON; name payload files only"

    /// How many bytes are looked at.
    static let examinedBytes = 8192

    /// Whether a zero byte is near the start of something that does not begin like JSON. In JSON, and in UTF-16 text, which
    /// has zero bytes too, the rule about JSON reports what is wrong.
    static func isBinary(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(examinedBytes)
        return start.contains(0) && !beginsLikeJSON(Array(start)) && !isUTF16(start)
    }

    /// Whether an object or array begins behind a byte order mark and white space, where they are there.
    private static func beginsLikeJSON(_ start: [UInt8]) -> Bool {
        start.dropFirst(ByteOrderMark.length(of: start)).first { !isWhiteSpace($0) }.map(isOpeningBracket) ?? false
    }

    /// Whether it begins with a mark of UTF-16 or UTF-32, or like JSON with a character of two bytes.
    private static func isUTF16(_ start: ArraySlice<UInt8>) -> Bool {
        let mark = Array(start.prefix(2))
        guard mark != [0xFE, 0xFF], mark != [0xFF, 0xFE] else { return true }
        let other = mark.filter { $0 != 0 }
        return mark.count == 2 && other.count == 1 && (isOpeningBracket(other[0]) || isWhiteSpace(other[0]))
    }

    private static func isOpeningBracket(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
