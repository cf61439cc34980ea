/// The DER of P-256 keys: fixed bytes around the numbers.
enum P256Encoding {
    /// PKCS#8 without the public key, 67 bytes.
    ///
    /// - Parameter privateValue: 32 bytes.
    static func pkcs8(privateValue: [UInt8]) -> [UInt8] {
        [0x30, 0x41, 0x02, 0x01, 0x00] + algorithm + [0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20]
            + privateValue
    }

    /// SubjectPublicKeyInfo.
    ///
    /// - Parameter point: 65 bytes, or 33 when compressed.
    static func subjectPublicKeyInfo(point: [UInt8]) -> [UInt8] {
        let bits = UInt8(point.count + 1)
        return [0x30, UInt8(algorithm.count) + 2 + bits] + algorithm + [0x03, bits, 0x00] + point
    }

    /// Whether a private value of 32 bytes is at least 1 and below the order of the curve.
    static func isInRange(_ privateValue: [UInt8]) -> Bool {
        privateValue.contains { $0 != 0 } && privateValue.lexicographicallyPrecedes(order)
    }

    /// The content of a BIT STRING as a point in one of its two forms; nil for anything else.
    static func point(inBitString content: ArraySlice<UInt8>) -> [UInt8]? {
        guard content.first == 0 else { return nil }
        let point = Array(content.dropFirst())
        switch (point.count, point.first) {
        case (65, 4), (33, 2), (33, 3): return point
        default: return nil
        }
    }

    private static let algorithm: [UInt8] =
        [0x30, 0x13, 0x06, 0x07] + AlgorithmIdentifier.ecPublicKey + [0x06, 0x08] + AlgorithmIdentifier.p256

    /// The order of the base point, FIPS 186-4 D.1.2.3.
    private static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]
}
