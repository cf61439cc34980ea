/// Text of a peer for a message.
package enum ShownText {
    /// The text, or its first `limit` characters with a mark and the number of all of them.
    package static func cut(_ text: String, to limit: Int) -> String {
        // A character has at least one byte, so most texts need not be counted.
        guard text.utf8.count > limit else { return text }
        let count = text.count
        return count > limit ? "\(text.prefix(limit))… (\(count) characters)" : text
    }

    /// The same in quotation marks, without characters that move the cursor or change the reading direction.
    package static func quoted(_ text: some StringProtocol, to limit: Int = 60) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in cut(String(text), to: limit).unicodeScalars {
            shown.append(scalar.isShown || scalar == " " ? scalar : "\u{FFFD}")
        }
        return "\"\(String(shown))\""
    }
}
