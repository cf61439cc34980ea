/// Text from a peer, made safe for a message.
enum PeerText {
    /// At most 64 characters in quotation marks; control characters and others that could break the line become `?`.
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
