/// Tells files that are no text from text that somebody got wrong.
enum BinaryFile {
    static let advice = "it is a binary file, not JSON; name payload files only"

    /// Whether a zero byte stands near the start. UTF-16 has such too, and is left to the rule about JSON, which names it.
    static func isBinary(_ bytes: [UInt8]) -> Bool {
        guard bytes.prefix(8192).contains(0) else { return false }
        let start = Array(bytes.prefix(2))
        let isUTF16 =
            start == [0xFE, 0xFF] || start == [0xFF, 0xFE] || start == [UInt8(ascii: "{"), 0]
            || start == [0, UInt8(ascii: "{")]
        return !isUTF16
    }
}
