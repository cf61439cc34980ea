internal import COpenSSL

/// Owns one `SSL_CTX` and the protocol list that its callback reads.
///
/// Sendable because nothing changes it once `TLSContext` has it, and OpenSSL counts its references with atomics.
struct ContextHandle: ~Copyable, @unchecked Sendable {
    let raw: OpaquePointer
    private let protocols: ProtocolList

    init(
        _ method: OpaquePointer?, alpn: [String], minimum: TLSVersion, maximum: TLSVersion?
    ) throws(TLSError) {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(method) else { throw OpenSSLFailure.libraryError("make a TLS context") }
        guard TLSPolicy.apply(to: raw, minimum: minimum, maximum: maximum) else {
            SSL_CTX_free(raw)
            throw OpenSSLFailure.libraryError("set up TLS 1.2 and 1.3")
        }
        protocols = ProtocolList(alpn)
        self.raw = raw
    }

    // `protocols` is destroyed after this has run.
    deinit { SSL_CTX_free(raw) }

    func offerProtocols() throws(TLSError) { try protocols.offer(in: raw) }

    func selectProtocols() { protocols.select(in: raw) }

    /// - Parameter chooser: Must outlive the sessions.
    func choose(by chooser: IdentityChooser) {
        COpenSSL_onServerName(
            raw, { session, _, context in IdentityChooser.choose(session, context) },
            Unmanaged.passUnretained(chooser).toOpaque())
    }

    func trust(_ trust: TLSTrust) throws(TLSError) {
        ERR_clear_error()
        switch trust {
        case .system:
            guard SSL_CTX_set_default_verify_paths(raw) == 1 else {
                throw OpenSSLFailure.libraryError("read the system's trusted certificates")
            }
        case .certificates(let pem):
            let certificates = try ChainHandle(pem: pem)
            let store = SSL_CTX_get_cert_store(raw)
            for index in 0..<certificates.count {
                guard X509_STORE_add_cert(store, certificates.certificate(at: index).raw) == 1 else {
                    throw OpenSSLFailure.libraryError("trust a certificate")
                }
            }
            X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        }
    }

    func use(_ identity: TLSIdentity) throws(TLSError) {
        ERR_clear_error()
        let storage = identity.storage
        guard SSL_CTX_use_cert_and_key(raw, storage.certificate.raw, storage.key.raw, storage.chain.raw, 1) == 1
        else {
            let name = identity.certificate.displayName
            throw TLSError(
                .badCertificate,
                "OpenSSL does not accept the certificate of \(name): \(OpenSSLFailure.drain().text); "
                    + "use a P-256 or RSA 2048 key and SHA-256"
            )
        }
    }
}
