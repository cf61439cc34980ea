import APNSModel

/// Why a text is not a key id or a team id.
enum IdentifierProblem {
    /// What follows "the key id" in a sentence: what is wrong, and the right form.
    static func `in`(_ text: some StringProtocol) -> String {
        let wanted = "10 characters out of 0-9 and A-Z are needed"
        guard !text.isEmpty else { return "is empty; \(wanted)" }
        let shown = ShownText.quoted(text, to: 20)
        let wrong = text.unicodeScalars.enumerated()
            .first { !$0.element.isASCII || !UInt8($0.element.value).isIdentifierCharacter }
        guard let wrong else { return "\(shown) has \(text.utf8.count) characters; \(wanted)" }
        return "\(shown) has \(wrong.element.named) at character \(wrong.offset + 1); \(wanted)"
    }
}
