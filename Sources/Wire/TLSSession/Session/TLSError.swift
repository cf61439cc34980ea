/// Why a session failed, or an identity or a context cannot be made, with a sentence that says what to do.
package struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        case certificateNotTrusted, certificateExpired, certificateNotYetValid, hostNameMismatch
        case protocolVersion, noSharedProtocol, notTLS, protocolViolation, truncated, closed, overflow
        /// The peer ended the connection during the handshake.
        case handshakeEnded
        /// The peer sent an alert; `alert` is its number (RFC 8446 6.2).
        case peerAlert
        case badServerName, badCertificate, badKey, keyMismatch, badPKCS12
        case passphraseNeeded, wrongPassphrase
        /// OpenSSL itself failed: no memory, no random numbers, or a configuration that forbids a setting.
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
    /// A string of a peer for a message: at most 200 characters and a mark where it is cut, with control characters replaced.
    static func quotable(_ text: String) -> String {
        let cut = text.unicodeScalars.prefix(200)
        var quoted = String.UnicodeScalarView()
        for scalar in cut {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: quoted.append("\u{FFFD}")
            default: quoted.append(scalar)
            }
        }
        return String(quoted) + (cut.endIndex < text.unicodeScalars.endIndex ? "…" : "")
    }
}
