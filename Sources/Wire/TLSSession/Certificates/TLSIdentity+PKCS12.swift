internal import COpenSSL

extension TLSIdentity {
    /// Reads a PKCS#12 file (`.p12`, `.pfx`), also with the RC2 or 3DES encryption of Keychain Access.
    ///
    /// - Parameter passphrase: Nil and empty mean the same, because programs differ in what they write for none.
    package init(pkcs12: [UInt8], passphrase: String?) throws(TLSError) {
        do throws(TLSError) {
            try self.init(PKCS12Contents(pkcs12, passphrase: passphrase))
        } catch  where error.code == .library {
            try self.init(legacyPKCS12: pkcs12, passphrase: passphrase)
        }
    }

    /// OpenSSL 3 has RC2 only in its legacy provider, which is loaded for this one file and not for the process.
    private init(legacyPKCS12 bytes: [UInt8], passphrase: String?) throws(TLSError) {
        guard let library = OSSL_LIB_CTX_new() else { throw OpenSSLFailure.libraryError("make a library context") }
        defer { OSSL_LIB_CTX_free(library) }
        let standard = OSSL_PROVIDER_load(library, "default")
        let legacy = OSSL_PROVIDER_load(library, "legacy")
        defer {
            OSSL_PROVIDER_unload(legacy)
            OSSL_PROVIDER_unload(standard)
        }
        try self.init(PKCS12Contents(bytes, passphrase: passphrase, library: library))
    }

    /// Copies by way of DER, because the contents may belong to a library context that is freed after this.
    private init(_ contents: borrowing PKCS12Contents) throws(TLSError) {
        let all = try ChainHandle()
        try all.append(CertificateHandle(copying: contents.certificate))
        for index in 0..<COpenSSL_count(contents.others) {
            try all.append(CertificateHandle(copying: COpenSSL_certificate(contents.others, index)))
        }
        try self.init(certificates: all, key: KeyHandle(copying: contents.key))
    }
}

/// The contents of a PKCS#12 file.
private struct PKCS12Contents: ~Copyable {
    let key: OpaquePointer
    let certificate: OpaquePointer
    let others: OpaquePointer?

    /// Reads with the default library context. Throws code `.library` when another context may be able to.
    init(_ bytes: [UInt8], passphrase: String?) throws(TLSError) {
        let bio = try MemoryBIO(bytes)
        ERR_clear_error()
        guard let file = d2i_PKCS12_bio(bio.raw, nil) else {
            throw TLSError(.badPKCS12, "this is not a PKCS#12 file: \(OpenSSLFailure.drain().text); export it again")
        }
        defer { PKCS12_free(file) }
        var key: OpaquePointer?
        var certificate: OpaquePointer?
        var others: OpaquePointer?
        guard PKCS12_parse(file, passphrase ?? "", &key, &certificate, &others) == 1 else {
            let failure = OpenSSLFailure.drain()
            guard failure.library == ERR_LIB_PKCS12, failure.reason == PKCS12_R_MAC_VERIFY_FAILURE else {
                throw TLSError(.library, failure.text)
            }
            throw passphrase.map(\.isEmpty) ?? true
                ? TLSError(.passphraseNeeded, "the PKCS#12 file is protected; pass its passphrase")
                : TLSError(.wrongPassphrase, "the PKCS#12 file cannot be opened: the passphrase is wrong")
        }
        guard let key, let certificate else {
            EVP_PKEY_free(key)
            X509_free(certificate)
            COpenSSL_freeChain(others)
            throw TLSError(
                .badPKCS12, "the PKCS#12 file lacks a private key with its certificate; export both together")
        }
        self.key = key
        self.certificate = certificate
        self.others = others
    }

    /// Reads with `library` as this thread's default, because OpenSSL 3.0 does not pass a context on to the inner parts.
    init(_ bytes: [UInt8], passphrase: String?, library: OpaquePointer) throws(TLSError) {
        let previous = OSSL_LIB_CTX_set0_default(library)
        defer { OSSL_LIB_CTX_set0_default(previous) }
        do throws(TLSError) {
            try self.init(bytes, passphrase: passphrase)
        } catch  where error.code == .library {
            throw TLSError(
                .badPKCS12,
                "the PKCS#12 file uses an encryption that this OpenSSL cannot read (\(error.detail)); "
                    + "install its legacy provider, or export the file with AES"
            )
        }
    }

    deinit {
        EVP_PKEY_free(key)
        X509_free(certificate)
        COpenSSL_freeChain(others)
    }
}

extension CertificateHandle {
    fileprivate init(copying raw: OpaquePointer) throws(TLSError) {
        let bio = try MemoryBIO()
        guard i2d_X509_bio(bio.raw, raw) == 1, let copy = d2i_X509_bio(bio.raw, nil) else {
            throw OpenSSLFailure.libraryError("copy a certificate")
        }
        self.init(owning: copy)
    }
}

extension KeyHandle {
    fileprivate init(copying raw: OpaquePointer) throws(TLSError) {
        let bio = try MemoryBIO()
        guard i2d_PrivateKey_bio(bio.raw, raw) == 1, let copy = d2i_PrivateKey_bio(bio.raw, nil) else {
            throw OpenSSLFailure.libraryError("copy a private key")
        }
        self.init(owning: copy)
    }
}
