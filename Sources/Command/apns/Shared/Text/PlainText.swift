/// Makes text from outside safe to print.
enum PlainText {
    /// Replaces every character that could move the cursor, change a colour or reverse the reading direction.
    static func safe(_ text: some StringProtocol) -> String {
        // Looking up the category of each character takes longer than everything else about a line of output.
        if text.utf8.withContiguousStorageIfAvailable(isPrintableASCII) ?? false { return String(text) }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: safe.append("\u{FFFD}")
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }

    /// Whether all bytes are printable ASCII, which is always safe.
    static func isPrintableASCII(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        // Without an early exit, so that the compiler can vectorize it.
        var isPrintable = true
        for byte in utf8 { isPrintable = isPrintable && byte &- 0x20 < 0x5f }
        return isPrintable
    }
}
