/// The private key of a provider, as an APNs key's `.p8` file holds it.
///
/// Safe to use from several threads at once. Nothing that describes it shows key material.
public final class SigningKey: Sendable {
    private let key: P256Key
    public let publicKey: VerifyingKey

    /// Reads a `.p8` file: PEM labelled `PRIVATE KEY` with any line ends and any text around it, or bare DER.
    ///
    /// Throws a `KeyError` with a code of its own for each other thing that such a file turns out to be.
    public convenience init(p8: [UInt8]) throws(KeyError) {
        let file = try PrivateKeyFile(p8)
        try self.init(P256Key(privateValue: file.privateValue))
        guard let point = file.publicPoint else { return }
        guard let stated = try? VerifyingKey(point: point), stated == publicKey else {
            throw KeyError(
                .badPublicKey, "the public key inside the file does not belong to its private key; copy the file again")
        }
    }

    private init(_ key: consuming P256Key) throws(KeyError) {
        publicKey = try VerifyingKey(point: key.point())
        self.key = key
    }

    /// A new key from the system's random source, for development and tests: APNs knows only keys that it made itself.
    public static func generate() throws(KeyError) -> SigningKey { try SigningKey(P256Key()) }

    /// The key as the PEM text of a `.p8` file. Whoever has it can push to every topic of the key: write it to a file
    /// that only its owner can read, and nowhere else.
    public var p8: [UInt8] {
        get throws(KeyError) { PEMBlock.encode(try key.pkcs8(), label: "PRIVATE KEY") }
    }

    /// ECDSA with SHA-256 in raw form: r, then s, 64 bytes.
    func signature(for message: [UInt8]) throws(KeyError) -> [UInt8] {
        guard let signature = ECDSASignature(der: try key.signature(for: message)) else { throw .library("sign") }
        return signature.raw
    }
}

extension SigningKey: CustomStringConvertible {
    public var description: String { "P-256 signing key" }
}
