/// Words of a peer, made fit for a sentence.
enum PeerText {
    /// At most 64 characters in quotation marks, those that could break a line shown as `?`.
    static func quoted(_ text: some StringProtocol) -> String {
        var shown = "\""
        for scalar in text.unicodeScalars.prefix(64) {
            shown.unicodeScalars.append(scalar.properties.isPatternSyntax || isPlain(scalar) ? scalar : "?")
        }
        return shown + (text.unicodeScalars.count > 64 ? "…\"" : "\"")
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
