extension Unicode.Scalar {
    /// The character for a message: a name, a code point or the character in quotes.
    package var named: String {
        switch self {
        case " ": "a space"
        case "\t": "a tab"
        case "\n", "\r": "a line break"
        default: isShown ? "\"\(self)\"" : "U+" + String(repeating: "0", count: max(4 - hexDigits.count, 0)) + hexDigits
        }
    }

    private var hexDigits: String { String(value, radix: 16, uppercase: true) }

    /// Whether a reader sees the character, and it changes nothing of the text around it.
    var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: !properties.isWhitespace
        }
    }
}
