internal import COpenSSL

/// A certificate, the chain from it to its authority, and its private key. Printing it does not show the key.
package struct TLSIdentity: Sendable {
    let storage: Storage

    /// The objects of OpenSSL. `@unchecked Sendable` because they do not change after `init`, and OpenSSL counts references
    /// with atomics.
    final class Storage: @unchecked Sendable {
        let certificate: CertificateHandle
        let chain: ChainHandle
        let key: KeyHandle

        init(_ certificate: consuming CertificateHandle, _ chain: consuming ChainHandle, _ key: consuming KeyHandle) {
            self.certificate = certificate
            self.chain = chain
            self.key = key
        }
    }

    init(storage: Storage) { self.storage = storage }

    /// Reads PEM. Both parameters may be the same file, which is a common export form.
    ///
    /// - Parameters:
    ///   - certificateChain: One or more certificates in any order; the first that matches the key is the identity's own.
    ///   - key: PKCS#8 or the traditional forms, encrypted or not.
    ///   - passphrase: Nil for a key that is not encrypted. There is no prompt on the terminal.
    package init(pem certificateChain: [UInt8], key: [UInt8], passphrase: String?) throws(TLSError) {
        let key = try KeyHandle(pem: key, passphrase: passphrase)
        try self.init(certificates: try ChainHandle(pem: certificateChain), key: key)
    }

    /// Finds the certificate that matches the key; the others are its chain.
    init(certificates: borrowing ChainHandle, key: consuming KeyHandle) throws(TLSError) {
        var own: Int32?
        for index in 0..<certificates.count where own == nil {
            let certificate = certificates.certificate(at: index)
            if X509_check_private_key(certificate.raw, key.raw) == 1 { own = index }
        }
        ERR_clear_error()
        guard let own else {
            let first = CertificateFacts(certificates.certificate(at: 0))
            throw TLSError(
                .keyMismatch,
                "the private key does not belong to the certificate of \(first.displayName); "
                    + "pass the pair that was made together"
            )
        }
        let chain = try ChainHandle()
        for index in 0..<certificates.count where index != own {
            try chain.append(certificates.certificate(at: index))
        }
        storage = Storage(certificates.certificate(at: own), chain, key)
    }

    /// The contents of the identity's own certificate.
    package var certificate: CertificateFacts { CertificateFacts(storage.certificate) }
}

extension ChainHandle {
    /// Reads all certificates of PEM data, at least one.
    init(pem: [UInt8]) throws(TLSError) {
        let bio = try MemoryBIO(pem)
        let chain = try ChainHandle()
        var none = Passphrase(nil)
        ERR_clear_error()
        while let certificate = none.withContext({ PEM_read_bio_X509(bio.raw, nil, Passphrase.answer, $0) }) {
            try chain.append(CertificateHandle(owning: certificate))
        }
        let failure = OpenSSLFailure.drain()
        let isEnd = failure.library == ERR_LIB_PEM && failure.reason == PEM_R_NO_START_LINE
        guard isEnd else {
            throw TLSError(
                .badCertificate,
                "certificate \(chain.count + 1) of the PEM file cannot be read: \(failure.text); export it again")
        }
        guard chain.count > 0 else {
            throw TLSError(
                .badCertificate,
                "there is no certificate in the PEM file; "
                    + "it must have a block that begins with -----BEGIN CERTIFICATE-----"
            )
        }
        self = chain
    }
}

extension KeyHandle {
    init(pem: [UInt8], passphrase text: String?) throws(TLSError) {
        let bio = try MemoryBIO(pem)
        var passphrase = Passphrase(text)
        ERR_clear_error()
        if let read = passphrase.withContext({ PEM_read_bio_PrivateKey(bio.raw, nil, Passphrase.answer, $0) }) {
            self.init(owning: read)
            return
        }
        let failure = OpenSSLFailure.drain()
        if passphrase.wasAsked, text == nil {
            throw TLSError(.passphraseNeeded, "the private key is encrypted; pass its passphrase, or a key without one")
        }
        if passphrase.wasAsked {
            throw TLSError(.wrongPassphrase, "the private key cannot be decrypted: the passphrase is wrong")
        }
        throw TLSError(
            .badKey,
            "there is no readable private key in the PEM file (\(failure.text)); "
                + "it must have a block that begins with -----BEGIN PRIVATE KEY-----"
        )
    }
}
