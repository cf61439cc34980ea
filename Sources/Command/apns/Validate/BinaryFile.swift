/// Recognizes binary files, to report them as such and not as invalid JSON.
enum BinaryFile {
    static let advice = "it is a binary file, not JSON; name payload files only"

    /// How many bytes are looked at.
    static let examinedBytes = 8192

    /// Whether a zero byte is near the start. UTF-16 text, which has zero bytes too, does not count: the rule about JSON
    /// reports its encoding.
    static func isBinary(_ bytes: [UInt8]) -> Bool {
        guard bytes.prefix(examinedBytes).contains(0) else { return false }
        let start = Array(bytes.prefix(2))
        let isUTF16 =
            start == [0xFE, 0xFF] || start == [0xFF, 0xFE] || start == [UInt8(ascii: "{"), 0]
            || start == [0, UInt8(ascii: "{")]
        return !isUTF16
    }
}
