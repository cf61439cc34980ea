/// Why a session, an identity or a context cannot be had, with a sentence to act on.
package struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        case certificateNotTrusted, certificateExpired, certificateNotYetValid, hostNameMismatch
        case protocolVersion, noSharedProtocol, notTLS, protocolViolation, truncated, closed, overflow
        /// The peer said what it did not like; `alert` is its number (RFC 8446, 6.2).
        case peerAlert
        case badServerName, badCertificate, badKey, keyMismatch, badPKCS12
        case passphraseNeeded, wrongPassphrase
        /// OpenSSL itself failed: no memory, no randomness, or a configuration that forbids what is needed.
        case library
    }

    package var code: Code
    package var detail: String
    package var alert: UInt8?

    package init(_ code: Code, _ detail: String, alert: UInt8? = nil) {
        self.code = code
        self.detail = detail
        self.alert = alert
    }

    package var description: String { detail }
}

extension TLSError {
    /// What a peer wrote, fit for a message: at most 200 characters, control characters replaced.
    static func quotable(_ text: String) -> String {
        let cut = text.unicodeScalars.prefix(200)
        var quoted = String.UnicodeScalarView()
        for scalar in cut {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: quoted.append("\u{FFFD}")
            default: quoted.append(scalar)
            }
        }
        return String(quoted)
    }
}
