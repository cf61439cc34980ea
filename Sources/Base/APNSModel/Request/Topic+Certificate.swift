extension Topic {
    /// Every topic that a push certificate allows, each once, the UID first (docs/reference/apns.md section 5).
    ///
    /// - Parameters:
    ///   - uid: The UID of the subject: the bundle id.
    ///   - isForVoIP: Whether the certificate has the extension 1.2.840.113635.100.6.3.4.
    ///   - listed: The topics of the extension 1.2.840.113635.100.6.3.6.
    package static func names(ofCertificate uid: String?, isForVoIP: Bool, listed: [String]) -> [String] {
        var names: [String] = []
        for name in [uid, isForVoIP ? uid.map { $0 + ".voip" } : nil].compactMap(\.self) + listed
        where !names.contains(name) {
            names.append(name)
        }
        return names
    }
}
