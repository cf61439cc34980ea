import DER

/// The AlgorithmIdentifier of a key (RFC 5280 4.1.1.2).
struct AlgorithmIdentifier {
    private let algorithm: ArraySlice<UInt8>
    private let parameters: DERReader.Element?

    init(_ content: ArraySlice<UInt8>) throws(DERReader.Failure) {
        var reader = DERReader(content)
        algorithm = try reader.next(DERReader.Tag.objectIdentifier)
        parameters = reader.isAtEnd ? nil : try reader.next()
        try reader.end()
    }

    var isPasswordBased: Bool { algorithm.starts(with: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05]) }

    /// Throws unless this is id-ecPublicKey with the named curve P-256 (docs/reference/apns.md 4.5).
    func requireP256() throws(KeyError) {
        let name = AlgorithmIdentifier.name(of: algorithm)
        if name.hasPrefix("RSA") {
            throw KeyError(
                .rsa, "this is an \(name) key; APNs accepts only P-256 keys; use the .p8 file of an APNs key")
        }
        guard algorithm.elementsEqual(AlgorithmIdentifier.ecPublicKey) else {
            throw KeyError(
                .otherAlgorithm,
                "this is a key for \(name); APNs accepts only P-256 keys; use the .p8 file of an APNs key")
        }
        guard let parameters, parameters.tag == DERReader.Tag.objectIdentifier else {
            throw KeyError(
                .otherCurve, "the key does not name its curve; write it with the named curve prime256v1")
        }
        try AlgorithmIdentifier.requireP256(curve: parameters.content)
    }

    static func requireP256(curve: ArraySlice<UInt8>) throws(KeyError) {
        guard curve.elementsEqual(p256) else {
            throw KeyError(
                .otherCurve, "the key is on the curve \(name(of: curve)); APNs accepts only P-256 (prime256v1)")
        }
    }

    static let ecPublicKey: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]
    static let p256: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]

    private static let names: [String: String] = [
        "1.2.840.113549.1.1.1": "RSA", "1.2.840.113549.1.1.10": "RSA-PSS", "1.2.840.113549.1.3.1": "Diffie-Hellman",
        "1.2.840.10040.4.1": "DSA", "1.3.101.110": "X25519", "1.3.101.111": "X448", "1.3.101.112": "Ed25519",
        "1.3.101.113": "Ed448", "1.2.840.10045.3.1.1": "P-192", "1.3.132.0.33": "P-224", "1.3.132.0.34": "P-384",
        "1.3.132.0.35": "P-521", "1.3.132.0.10": "secp256k1", "1.3.36.3.3.2.8.1.1.7": "brainpoolP256r1",
        "1.3.36.3.3.2.8.1.1.11": "brainpoolP384r1", "1.3.36.3.3.2.8.1.1.13": "brainpoolP512r1",
    ]

    /// The common name; for an unknown identifier its dotted form, up to 12 parts.
    static func name(of identifier: ArraySlice<UInt8>) -> String {
        var parts: [UInt64] = []
        var value: UInt64 = 0
        for byte in identifier {
            value = value << 7 | UInt64(byte & 0x7f)
            guard byte & 0x80 == 0 else { continue }
            parts += parts.isEmpty ? [min(value / 40, 2), value - 40 * min(value / 40, 2)] : [value]
            value = 0
        }
        let dotted = parts.prefix(12).map(String.init).joined(separator: ".")
        return names[dotted] ?? "with the object identifier \(dotted)"
    }
}
