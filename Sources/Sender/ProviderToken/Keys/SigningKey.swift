/// The private key of a provider, from the `.p8` file of an APNs key.
///
/// It can be used from several threads at once. Its description does not show key material.
public final class SigningKey: Sendable {
    private let key: P256Key
    public let publicKey: VerifyingKey

    /// Reads a `.p8` file: PEM labelled `PRIVATE KEY`, with any line ends and any text around it, or DER.
    ///
    /// - Throws: `KeyError`, with a different code for each other kind of file.
    public convenience init(p8: [UInt8]) throws(KeyError) {
        let file = try PrivateKeyFile(p8)
        try self.init(P256Key(privateValue: file.privateValue))
        guard let point = file.publicPoint else { return }
        guard let stated = try? VerifyingKey(point: point), stated == publicKey else {
            throw KeyError(
                .badPublicKey, "the public key in the file does not belong to its private key; copy the file again")
        }
    }

    private init(_ key: consuming P256Key) throws(KeyError) {
        publicKey = try VerifyingKey(point: key.point())
        self.key = key
    }

    /// A new random key, for development and tests. APNs accepts only keys that Apple made.
    public static func generate() throws(KeyError) -> SigningKey { try SigningKey(P256Key()) }

    /// The key as a `.p8` file. Whoever has it can push to every topic of the key, so write it only to files that nobody
    /// but their owner can read.
    public var p8: [UInt8] {
        get throws(KeyError) { PEMBlock.encode(try key.pkcs8(), label: "PRIVATE KEY") }
    }

    /// ECDSA with SHA-256 in raw form: r, then s, 64 bytes.
    public func signature(for message: [UInt8]) throws(KeyError) -> [UInt8] {
        guard let signature = ECDSASignature(der: try key.signature(for: message)) else { throw .library("sign") }
        return signature.raw
    }
}

extension SigningKey: CustomStringConvertible {
    public var description: String { "P-256 signing key" }
}
