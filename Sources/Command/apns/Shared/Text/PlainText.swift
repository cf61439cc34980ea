/// Makes text from outside safe to print.
enum PlainText {
    /// Replaces every character that could move the cursor, change a colour or reverse the reading direction.
    static func safe(_ text: some StringProtocol) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: safe.append("\u{FFFD}")
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }
}
