internal import COpenSSL

extension TLSSession {
    package var isServer: Bool { handle.role == .server }

    /// The protocol chosen by ALPN; nil when there is none, or not yet.
    package var negotiatedProtocol: String? {
        var bytes: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(handle.raw, &bytes, &count)
        guard let bytes, count > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    /// `TLSv1.2` or `TLSv1.3`; undefined before the handshake is done.
    package var version: String { String(cString: SSL_get_version(handle.raw)) }

    /// OpenSSL's name of the cipher suite, `(NONE)` before the handshake has chosen one.
    package var cipher: String {
        guard let cipher = SSL_get_current_cipher(handle.raw) else { return "(NONE)" }
        return String(cString: SSL_CIPHER_get_name(cipher))
    }

    /// The SNI: the host that the client asked for, at either end. At most 255 bytes, not checked further.
    package var serverName: String? {
        SSL_get_servername(handle.raw, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// The certificate of the peer, which proved that it has the key. Each call makes a copy.
    package var peerCertificate: CertificateFacts? {
        SSL_get0_peer_certificate(handle.raw).map { CertificateFacts($0) }
    }

    /// The certificates that the peer sent, its own first, also where they were not accepted. Empty where it sent none, and
    /// in a server, which does not show the chain of its client. Each call makes copies.
    package var peerChain: [CertificateFacts] { TLSError.chain(of: handle) }

    /// The result of verifying the peer's certificate. For a client it is trusted when the handshake is done.
    package var peerVerification: PeerVerification {
        guard SSL_get0_peer_certificate(handle.raw) != nil else { return .none }
        let result = SSL_get_verify_result(handle.raw)
        guard result != Int(X509_V_OK) else { return .trusted }
        return .untrusted(String(cString: X509_verify_cert_error_string(result)))
    }
}
