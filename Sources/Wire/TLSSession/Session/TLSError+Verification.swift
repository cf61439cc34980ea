internal import COpenSSL

extension TLSError {
    /// Why the peer's certificate was not accepted.
    static func verification(of session: borrowing TLSHandle, wantedName: String?) -> TLSError {
        let result = SSL_get_verify_result(session.raw)
        let words = String(cString: X509_verify_cert_error_string(result))
        guard let leaf = peerLeaf(of: session).map({ CertificateFacts($0) }) else {
            return TLSError(.certificateNotTrusted, "the peer's certificate is not trusted: \(words)")
        }
        let name = leaf.displayName
        switch Int32(truncatingIfNeeded: result) {
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            let shown = leaf.names.prefix(8).map { quotable($0) }
            let more = leaf.names.count > shown.count ? " and \(leaf.names.count - shown.count) more" : ""
            let offered = shown.isEmpty ? "no host at all" : shown.joined(separator: ", ") + more
            return TLSError(
                .hostNameMismatch,
                "the server's certificate is not for \(wantedName ?? "this host") but for \(offered); "
                    + "use a name that it has, or a certificate that has the name"
            )
        case X509_V_ERR_CERT_HAS_EXPIRED:
            let until = chain(of: session).map(\.notAfter).min() ?? leaf.notAfter
            return TLSError(
                .certificateExpired,
                "the certificate of \(name), or one above it, expired at \(UTCDate.text(until)); "
                    + "renew it, or check the clock"
            )
        case X509_V_ERR_CERT_NOT_YET_VALID:
            let from = chain(of: session).map(\.notBefore).max() ?? leaf.notBefore
            return TLSError(
                .certificateNotYetValid,
                "the certificate of \(name), or one above it, is not valid before \(UTCDate.text(from)); "
                    + "check the clock"
            )
        default:
            return TLSError(
                .certificateNotTrusted,
                "the certificate of \(name) is not trusted: \(words); trust the authority that issued it, or use a trusted certificate"
            )
        }
    }

    /// The certificate that the peer proved to own, or the first that it sent where it has proved nothing yet.
    private static func peerLeaf(of session: borrowing TLSHandle) -> OpaquePointer? {
        if let leaf = SSL_get0_peer_certificate(session.raw) { return leaf }
        let chain = SSL_get_peer_cert_chain(session.raw)
        return COpenSSL_count(chain) > 0 ? COpenSSL_certificate(chain, 0) : nil
    }

    /// Bounded by OpenSSL, which takes certificate messages of up to 100 KiB.
    static func chain(of session: borrowing TLSHandle) -> [CertificateFacts] {
        let chain = SSL_get_peer_cert_chain(session.raw)
        return (0..<COpenSSL_count(chain)).compactMap { COpenSSL_certificate(chain, $0).map { CertificateFacts($0) } }
    }
}
