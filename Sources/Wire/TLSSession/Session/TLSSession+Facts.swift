internal import COpenSSL

extension TLSSession {
    package var isServer: Bool { handle.role == .server }

    /// The protocol that ALPN agreed on; nil when it agreed on none, or has not yet.
    package var negotiatedProtocol: String? {
        var bytes: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(handle.raw, &bytes, &count)
        guard let bytes, count > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    /// `TLSv1.2` or `TLSv1.3`; means nothing before the handshake is done.
    package var version: String { String(cString: SSL_get_version(handle.raw)) }

    /// OpenSSL's name of the cipher suite, `(NONE)` before the handshake has chosen one.
    package var cipher: String {
        guard let cipher = SSL_get_current_cipher(handle.raw) else { return "(NONE)" }
        return String(cString: SSL_CIPHER_get_name(cipher))
    }

    /// The SNI: what the client asked for, seen from either end. At most 255 bytes, not checked any further.
    package var serverName: String? {
        SSL_get_servername(handle.raw, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// The certificate that the peer proved to hold the key of; copied anew at each call.
    package var peerCertificate: CertificateFacts? {
        SSL_get0_peer_certificate(handle.raw).map { CertificateFacts($0) }
    }

    /// What the verification of the peer's certificate gave; for a client it is trusted whenever the handshake is done.
    package var peerVerification: PeerVerification {
        guard SSL_get0_peer_certificate(handle.raw) != nil else { return .none }
        let result = SSL_get_verify_result(handle.raw)
        guard result != Int(X509_V_OK) else { return .trusted }
        return .untrusted(String(cString: X509_verify_cert_error_string(result)))
    }
}
