import DER

/// The public key of a `SigningKey`. A gateway verifies provider tokens with it. It can be used from several threads at
/// once.
public struct VerifyingKey: Sendable {
    /// The uncompressed point, 65 bytes. Keys with the same point are equal.
    private let point: [UInt8]
    private let owner: Owner

    private final class Owner: Sendable {
        let key: P256Key

        init(_ key: consuming P256Key) { self.key = key }
    }

    /// Reads a PEM block labelled `PUBLIC KEY` (SubjectPublicKeyInfo), with any text around it, or DER.
    public init(pem: [UInt8]) throws(KeyError) {
        let file = try KeyFile(pem, .publicKey)
        let algorithm: AlgorithmIdentifier
        let bits: ArraySlice<UInt8>
        do throws(DERReader.Failure) {
            var outer = DERReader(file.der[...])
            var reader = DERReader(try outer.next(DERReader.Tag.sequence))
            try outer.end()
            algorithm = try AlgorithmIdentifier(try reader.next(DERReader.Tag.sequence))
            bits = try reader.next(DERReader.Tag.bitString)
            try reader.end()
        } catch {
            throw file.error(error)
        }
        try algorithm.requireP256()
        guard let point = P256Encoding.point(inBitString: bits) else { throw VerifyingKey.notOnCurve }
        try self.init(point: point)
    }

    public init(pem: String) throws(KeyError) { try self.init(pem: Array(pem.utf8)) }

    /// - Parameter point: 65 bytes, or 33 when compressed. Throws when it is not on the curve.
    init(point: [UInt8]) throws(KeyError) {
        guard let key = P256Key(point: point) else { throw VerifyingKey.notOnCurve }
        self.point = try key.point()
        owner = Owner(key)
    }

    /// SubjectPublicKeyInfo as PEM, with a line feed at the end.
    public var pem: String {
        String(
            decoding: PEMBlock.encode(P256Encoding.subjectPublicKeyInfo(point: point), label: "PUBLIC KEY"),
            as: UTF8.self)
    }

    /// Whether the signature, r and s of 32 bytes each, is this key's signature of `message` (ECDSA with SHA-256). False
    /// for any other length.
    public func isValid(rawSignature signature: [UInt8], for message: [UInt8]) -> Bool {
        ECDSASignature(raw: signature).map { isValid($0, for: message) } ?? false
    }

    /// The same for a signature in DER. False when the encoding is not exactly DER: long lengths, unneeded zeros, bytes
    /// after the end.
    public func isValid(derSignature signature: [UInt8], for message: [UInt8]) -> Bool {
        ECDSASignature(der: signature).map { isValid($0, for: message) } ?? false
    }

    private func isValid(_ signature: ECDSASignature, for message: [UInt8]) -> Bool {
        owner.key.isValid(signature.der, for: message)
    }

    private static let notOnCurve = KeyError(
        .badPublicKey, "the public key is not a point of P-256; copy the file again")
}

extension VerifyingKey: Hashable {
    public static func == (left: VerifyingKey, right: VerifyingKey) -> Bool { left.point == right.point }

    public func hash(into hasher: inout Hasher) { hasher.combine(point) }
}
