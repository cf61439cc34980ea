internal import COpenSSL

extension TLSIdentity {
    /// The identity's own certificate, without its chain.
    package var certificatePEM: [UInt8] {
        get throws(TLSError) {
            let bio = try MemoryBIO()
            guard PEM_write_bio_X509(bio.raw, storage.certificate.raw) == 1 else {
                throw OpenSSLFailure.libraryError("write a certificate")
            }
            return bio.takeBytes()
        }
    }

    /// The identity's own certificate and its chain, leaf first, in the order that servers send.
    package var chainPEM: [UInt8] {
        get throws(TLSError) {
            let bio = try MemoryBIO()
            for index in 0..<storage.chain.count {
                guard PEM_write_bio_X509(bio.raw, storage.chain.certificate(at: index).raw) == 1 else {
                    throw OpenSSLFailure.libraryError("write a certificate chain")
                }
            }
            return try certificatePEM + bio.takeBytes()
        }
    }

    /// The private key as PKCS#8, not encrypted. Write it only to a file that only its owner can read.
    package var privateKeyPEM: [UInt8] {
        get throws(TLSError) {
            let bio = try MemoryBIO()
            guard PEM_write_bio_PrivateKey(bio.raw, storage.key.raw, nil, nil, 0, nil, nil) == 1 else {
                throw OpenSSLFailure.libraryError("write a private key")
            }
            return bio.takeBytes()
        }
    }

    /// Certificate, chain and key as one PKCS#12 file, encrypted with AES-256.
    ///
    /// - Parameter name: The name that a key chain displays.
    package func pkcs12(passphrase: String, name: String) throws(TLSError) -> [UInt8] {
        let made = PKCS12_create(
            passphrase, name, storage.key.raw, storage.certificate.raw, storage.chain.raw, 0, 0, 0, 0, 0)
        guard let made else { throw OpenSSLFailure.libraryError("make a PKCS#12 file") }
        defer { PKCS12_free(made) }
        let bio = try MemoryBIO()
        guard i2d_PKCS12_bio(bio.raw, made) == 1 else { throw OpenSSLFailure.libraryError("write a PKCS#12 file") }
        return bio.takeBytes()
    }
}
