internal import COpenSSL

/// Makes an X.509 version 3 certificate with a new P-256 key and a random serial number.
struct CertificateBuilder: ~Copyable {
    private let certificate: CertificateHandle
    private let key: KeyHandle

    /// - Parameter subject: Pairs of an OpenSSL NID and UTF-8 text.
    init(subject: [(nid: Int32, text: String)], validity: CertificateValidity) throws(TLSError) {
        ERR_clear_error()
        guard let rawKey = COpenSSL_generate_p256() else { throw OpenSSLFailure.libraryError("make a P-256 key") }
        let key = KeyHandle(owning: rawKey)
        guard let raw = X509_new() else { throw OpenSSLFailure.libraryError("make a certificate") }
        let certificate = CertificateHandle(owning: raw)
        guard X509_set_version(raw, 2) == 1, COpenSSL_setRandomSerial(raw) == 1, X509_set_pubkey(raw, key.raw) == 1,
            COpenSSL_setValidity(raw, validity.notBefore, validity.notAfter) == 1
        else { throw OpenSSLFailure.libraryError("fill in a certificate") }
        guard let name = X509_NAME_new() else { throw OpenSSLFailure.libraryError("make a subject name") }
        defer { X509_NAME_free(name) }
        for (nid, text) in subject where COpenSSL_addSubjectEntry(name, nid, text) != 1 {
            throw TLSError(
                .badCertificate,
                "\"\(TLSError.quotable(text))\" is not allowed in a certificate's subject: \(OpenSSLFailure.drain().text)"
            )
        }
        guard X509_set_subject_name(raw, name) == 1 else { throw OpenSSLFailure.libraryError("set a subject name") }
        self.certificate = certificate
        self.key = key
    }

    /// Adds an extension in OpenSSL's configuration form, such as `critical,CA:TRUE`.
    ///
    /// - Parameter issuer: Nil for a certificate that signs itself.
    func add(_ nid: Int32, _ value: String, issuer: TLSIdentity?) throws(TLSError) {
        let issuerRaw = issuer.map { $0.storage.certificate.raw } ?? certificate.raw
        guard COpenSSL_addExtension(certificate.raw, issuerRaw, nid, value) == 1 else {
            throw OpenSSLFailure.libraryError("add the extension \(value)")
        }
    }

    func add(oid: String, der: [UInt8]) throws(TLSError) {
        guard COpenSSL_addRawExtension(certificate.raw, oid, der, Int32(der.count)) == 1 else {
            throw OpenSSLFailure.libraryError("add the extension \(oid)")
        }
    }

    /// - Parameter issuer: Nil signs with the certificate's own key.
    consuming func signed(by issuer: TLSIdentity?) throws(TLSError) -> TLSIdentity {
        let issuerRaw = issuer.map { $0.storage.certificate.raw } ?? certificate.raw
        let issuerKey = issuer.map { $0.storage.key.raw } ?? key.raw
        guard X509_set_issuer_name(certificate.raw, X509_get_subject_name(issuerRaw)) == 1,
            X509_sign(certificate.raw, issuerKey, EVP_sha256()) > 0
        else { throw OpenSSLFailure.libraryError("sign a certificate") }
        let chain = try ChainHandle()
        return TLSIdentity(storage: .init(certificate.retained(), chain, key.retained()))
    }
}
