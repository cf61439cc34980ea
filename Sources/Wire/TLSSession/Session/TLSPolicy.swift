internal import COpenSSL

/// The settings that every context has.
enum TLSPolicy {
    /// ECDHE with an AEAD cipher, the only TLS 1.2 suites that HTTP/2 allows (RFC 9113 appendix A). TLS 1.3 has no others.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// No renegotiation and no compression, as HTTP/2 demands (RFC 9113 9.2.1). No tickets and no cache, so no resumption:
    /// a push connection lives for hours, so a full handshake is rare, and a resumed one has no client certificate.
    private static let options =
        COpenSSL_OP_NO_RENEGOTIATION | COpenSSL_OP_NO_COMPRESSION | COpenSSL_OP_NO_TICKET

    /// A write may be repeated from another address. Partial writes are off, because a byte queue takes all bytes at once.
    /// `SSL_MODE_RELEASE_BUFFERS` is off: a connection keeps its record buffers of about 34 KiB, and so reading and
    /// writing allocate nothing.
    private static let modes = Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_AUTO_RETRY)

    /// OpenSSL demands a session id context of a server that asks for client certificates.
    private static let sessionIDContext = Array("apns-toolkit".utf8)

    /// - Parameters:
    ///   - context: An `SSL_CTX`.
    ///   - maximum: Nil is the newest version that OpenSSL has.
    /// - Returns: False when OpenSSL refuses a setting.
    static func apply(to context: OpaquePointer, minimum: TLSVersion, maximum: TLSVersion?) -> Bool {
        SSL_CTX_set_options(context, options)
        COpenSSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
        COpenSSL_CTX_set_mode(context, modes)
        return COpenSSL_CTX_set_min_proto_version(context, minimum.rawValue) == 1
            && COpenSSL_CTX_set_max_proto_version(context, maximum?.rawValue ?? 0) == 1
            && SSL_CTX_set_session_id_context(context, sessionIDContext, UInt32(sessionIDContext.count)) == 1
            && SSL_CTX_set_num_tickets(context, 0) == 1
            && SSL_CTX_set_cipher_list(context, ciphers) == 1
    }

    /// Asks clients for a certificate. Its verification is recorded and does not end the handshake, because APNs answers a
    /// bad certificate in HTTP/2.
    static func requestClientCertificate(in context: OpaquePointer) {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(
            context,
            { store, _ in
                // `SSL_get_verify_result` returns the error that is left in the store.
                if X509_verify_cert(store) <= 0, X509_STORE_CTX_get_error(store) == X509_V_OK {
                    X509_STORE_CTX_set_error(store, X509_V_ERR_UNSPECIFIED)
                }
                return 1
            }, nil)
    }
}
