internal import COpenSSL

/// Chooses a server's certificate by the host that the client asks for, if it asks for one.
final class IdentityChooser: Sendable {
    private let identity: @Sendable (String?) -> TLSIdentity?

    init(_ identity: @escaping @Sendable (String?) -> TLSIdentity?) { self.identity = identity }

    /// The callback for OpenSSL. If nothing is chosen, the context's own certificate is used.
    static func choose(_ session: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let session, let context else { return SSL_TLSEXT_ERR_NOACK }
        let name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
        let accepted = name == nil ? SSL_TLSEXT_ERR_NOACK : SSL_TLSEXT_ERR_OK
        let chooser = Unmanaged<IdentityChooser>.fromOpaque(context).takeUnretainedValue()
        guard let storage = chooser.identity(name)?.storage else { return accepted }
        let isUsed = SSL_use_cert_and_key(session, storage.certificate.raw, storage.key.raw, storage.chain.raw, 1)
        return isUsed == 1 ? accepted : SSL_TLSEXT_ERR_ALERT_FATAL
    }
}
