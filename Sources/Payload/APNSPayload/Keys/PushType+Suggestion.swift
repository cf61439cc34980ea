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

    private static let otherNames = [
        "silent": "background", "notification": "alert", "ptt": "pushtotalk", "call": "voip",
    ]
}
