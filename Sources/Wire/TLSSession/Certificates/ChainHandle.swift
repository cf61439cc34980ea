internal import COpenSSL

/// Owns a stack of certificates and the certificates on it.
struct ChainHandle: ~Copyable {
    let raw: OpaquePointer

    init() throws(TLSError) {
        guard let raw = COpenSSL_newChain() else { throw OpenSSLFailure.libraryError("make a certificate chain") }
        self.raw = raw
    }

    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { COpenSSL_freeChain(raw) }

    var count: Int32 { COpenSSL_count(raw) }

    func append(_ certificate: borrowing CertificateHandle) throws(TLSError) {
        guard COpenSSL_append(raw, certificate.raw) > 0 else {
            throw OpenSSLFailure.libraryError("add to a certificate chain")
        }
        X509_up_ref(certificate.raw)
    }

    /// A certificate of the chain, owned by the caller as well.
    func certificate(at index: Int32) -> CertificateHandle {
        let certificate = COpenSSL_certificate(raw, index)!
        X509_up_ref(certificate)
        return CertificateHandle(owning: certificate)
    }
}
