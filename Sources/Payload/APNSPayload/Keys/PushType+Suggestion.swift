package import APNSModel

extension PushType {
    /// The known push type that a text was probably meant to be: another spelling, a typing error, or what people call it.
    package static func meant(by text: String) -> PushType? {
        let known = PushType.known.map(\.rawValue)
        let letters = text.lowercased().filter { $0.isLetter }
        if let name = known.first(where: { $0 == letters }) ?? otherNames[letters] { return PushType(rawValue: name) }
        // A word of one or two letters is similar to too many.
        guard letters.count > 2 else { return nil }
        return Suggestion.best(for: letters, among: known).map { PushType(rawValue: $0) }
    }

    /// The known push type from which a text differs in case, hyphens, underscores and white space only.
    static func spelling(_ text: String) -> PushType? {
        let folded = KnownSpelling.fold(text.trimmed())
        return known.first { $0.rawValue.utf8.elementsEqual(folded) }
    }

    /// Whether a text can be a push type that Apple has added: a word without white space and capital letters that is not
    /// similar to a known push type.
    package static func isPossiblyNew(_ text: String) -> Bool {
        let isWord = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !(0x41...0x5A).contains($0) }
        return isWord && !text.isEmpty && meant(by: text) == nil
    }

    private static let otherNames = [
        "silent": "background", "notification": "alert", "ptt": "pushtotalk", "call": "voip",
    ]
}
