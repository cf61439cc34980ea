import PayloadJSON

extension TextBuffer {
    /// Text from outside, as `PlainText.safe` makes it. Characters are looked at only in text with others than printable ASCII.
    mutating func appendSafe(_ text: String) {
        var bytes = text
        bytes.withUTF8 { utf8 in
            guard PlainText.isPrintableASCII(utf8) else { return append(string: PlainText.safe(text)) }
            append(utf8)
        }
    }
}
