extension Unicode.Scalar {
    /// The character for a message: a name, a code point or the character in quotes.
    var named: String {
        switch self {
        case " ": "a space"
        case "\t": "a tab"
        case "\n", "\r": "a line break"
        default:
            properties.isWhitespace || value < 0x20 || value == 0x7F
                ? "U+" + String(repeating: "0", count: max(4 - hexDigits.count, 0)) + hexDigits : "\"\(self)\""
        }
    }

    private var hexDigits: String { String(value, radix: 16, uppercase: true) }
}
