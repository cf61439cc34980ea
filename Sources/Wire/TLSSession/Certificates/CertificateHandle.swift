internal import COpenSSL

/// Owns one `X509`.
struct CertificateHandle: ~Copyable {
    let raw: OpaquePointer

    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { X509_free(raw) }

    /// Another owner of the same certificate.
    func retained() -> CertificateHandle {
        X509_up_ref(raw)
        return CertificateHandle(owning: raw)
    }
}
