import DER

/// The kinds of files with keys or certificates that are recognised.
enum KeyKind {
    case privateKey, encrypted, sec1, rsa, openSSH, publicKey, certificate

    /// From the label of a PEM block; nil when it is not a known one.
    init?(label: String) {
        switch label {
        case "PRIVATE KEY": self = .privateKey
        case "ENCRYPTED PRIVATE KEY": self = .encrypted
        case "EC PRIVATE KEY": self = .sec1
        case "RSA PRIVATE KEY", "RSA PUBLIC KEY": self = .rsa
        case "OPENSSH PRIVATE KEY": self = .openSSH
        case "PUBLIC KEY": self = .publicKey
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE": self = .certificate
        default: return nil
        }
    }

    /// From the structure of the DER; nil when it is not a known one.
    init?(der: [UInt8]) {
        var outer = DERReader(der[...])
        guard let content = try? outer.next(DERReader.Tag.sequence) else { return nil }
        var reader = DERReader(content)
        guard let first = try? reader.next(), let second = try? reader.next() else { return nil }
        switch (first.tag, second.tag) {
        case (DERReader.Tag.integer, DERReader.Tag.sequence): self = .privateKey
        case (DERReader.Tag.integer, DERReader.Tag.octetString): self = .sec1
        case (DERReader.Tag.integer, DERReader.Tag.integer): self = .rsa
        case (DERReader.Tag.sequence, DERReader.Tag.octetString):
            guard (try? AlgorithmIdentifier(first.content))?.isPasswordBased == true else { return nil }
            self = .encrypted
        case (DERReader.Tag.sequence, DERReader.Tag.bitString): self = .publicKey
        case (DERReader.Tag.sequence, DERReader.Tag.sequence): self = .certificate
        default: return nil
        }
    }

    /// The error for this kind of file when another kind is wanted.
    func error(where wanted: KeyFile.Wanted) -> KeyError {
        switch (self, wanted) {
        case (.rsa, _):
            KeyError(.rsa, "this is an RSA key; APNs accepts only P-256 keys; use the .p8 file of an APNs key")
        case (.openSSH, _):
            KeyError(.otherAlgorithm, "this is a key of OpenSSH; use the .p8 file of an APNs key")
        case (.encrypted, .privateKey):
            KeyError(
                .encrypted,
                "the key is encrypted with a password, unlike a downloaded APNs key; "
                    + "decrypt it with: openssl pkcs8 -in FILE -out AuthKey_KEYID.p8")
        case (.sec1, .privateKey):
            KeyError(
                .sec1,
                "the key is in the older form EC PRIVATE KEY; "
                    + "convert it with: openssl pkcs8 -topk8 -nocrypt -in FILE -out AuthKey_KEYID.p8")
        case (.privateKey, _), (.encrypted, .publicKey), (.sec1, .publicKey):
            KeyError(
                .privateKey,
                "this is a private key, but a public key is needed; "
                    + "keep it secret and get its public key with: openssl pkey -in FILE -pubout")
        case (.publicKey, _):
            KeyError(.publicKey, "this is a public key; signing needs the private key, the .p8 file of the APNs key")
        case (.certificate, .privateKey):
            KeyError(.certificate, "this is a certificate; signing needs a key, the .p8 file of the APNs key")
        case (.certificate, .publicKey):
            KeyError(
                .certificate,
                "this is a certificate; get its public key with: openssl x509 -in FILE -noout -pubkey")
        }
    }
}
