/// Text for people that fits a terminal.
package enum WrappedText {
    /// The lines of a text, broken at spaces. A longer word has a line of its own.
    ///
    /// - Parameter width: In characters; nil gives one line.
    package static func lines(of text: String, width: Int?) -> [String] {
        guard let width else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = String(word)
            } else {
                line += (line.isEmpty ? "" : " ") + word
            }
        }
        return lines + [line]
    }
}
