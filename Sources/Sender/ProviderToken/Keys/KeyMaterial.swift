/// Recognises a key or certificate that was given in place of the path of its file, so that no message shows it.
package enum KeyMaterial {
    /// Whether the text has PEM, or is base64 of PEM or DER.
    package static func isIn(_ text: some StringProtocol) -> Bool {
        if text.contains("-----BEGIN") { return true }
        let start = text.drop { $0.isWhitespace }
        guard start.utf8.count > 60, !start.contains(".") else { return false }
        // DER begins with the byte 0x30 and a length, which are these letters for everything of 20 to 65535 bytes; PEM
        // begins with hyphens.
        return ["MB", "MC", "MD", "ME", "MF", "MG", "MH", "MI", "LS0tLS1CRUdJTi"].contains { start.hasPrefix($0) }
    }
}
