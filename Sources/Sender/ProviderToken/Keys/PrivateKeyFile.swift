import DER

/// The key in a `.p8` file: PKCS#8 (RFC 5208, 5958) around an ECPrivateKey (RFC 5915; docs/reference/apns.md 4.5).
///
/// The public key and the curve in the ECPrivateKey are optional. Of several keys in a file the first is used.
struct PrivateKeyFile {
    /// 32 bytes, at least 1 and below the order of P-256.
    let privateValue: [UInt8]
    /// The public key in the file, which may not belong to the private value.
    let publicPoint: [UInt8]?

    init(_ file: [UInt8]) throws(KeyError) {
        let file = try KeyFile(file, .privateKey)
        let outer: Outer
        do {
            outer = try Outer(file.der)
        } catch {
            throw file.error(error)
        }
        try outer.algorithm.requireP256()
        let inner: Inner
        do {
            inner = try Inner(outer.key)
        } catch {
            throw KeyError(error, in: "P-256 private key")
        }
        if let curve = inner.curve { try AlgorithmIdentifier.requireP256(curve: curve) }
        // Some old programs leave out leading zeros.
        privateValue = [UInt8](repeating: 0, count: 32 - inner.value.count) + inner.value
        guard P256Encoding.isInRange(privateValue) else {
            throw KeyError(
                .privateValueOutOfRange,
                "the private value is zero or not below the order of P-256, so the file is not a valid key; "
                    + "download another key")
        }
        publicPoint = try PrivateKeyFile.point(in: inner.publicKey ?? outer.publicKey)
    }

    private static func point(in bits: ArraySlice<UInt8>?) throws(KeyError) -> [UInt8]? {
        guard let bits else { return nil }
        guard let point = P256Encoding.point(inBitString: bits) else {
            throw KeyError(.badPublicKey, "the public key in the file is not a point of P-256; copy the file again")
        }
        return point
    }
}

/// OneAsymmetricKey (RFC 5958). Its algorithm is not checked yet.
private struct Outer {
    let algorithm: AlgorithmIdentifier
    let key: ArraySlice<UInt8>
    let publicKey: ArraySlice<UInt8>?

    init(_ der: [UInt8]) throws(DERReader.Failure) {
        var file = DERReader(der[...])
        var reader = DERReader(try file.next(DERReader.Tag.sequence))
        try file.end()
        let version = try reader.next(DERReader.Tag.integer)
        guard version.elementsEqual([0]) || version.elementsEqual([1]) else {
            throw .malformed(at: version.startIndex)
        }
        algorithm = try AlgorithmIdentifier(try reader.next(DERReader.Tag.sequence))
        key = try reader.next(DERReader.Tag.octetString)
        _ = try reader.optional(DERReader.Tag.context0)  // attributes, which are not needed
        publicKey = try reader.optional(DERReader.Tag.implicit1)
        try reader.end()
    }
}

/// ECPrivateKey (RFC 5915).
private struct Inner {
    /// At most 32 bytes.
    let value: ArraySlice<UInt8>
    let curve: ArraySlice<UInt8>?
    let publicKey: ArraySlice<UInt8>?

    init(_ content: ArraySlice<UInt8>) throws(DERReader.Failure) {
        var outer = DERReader(content)
        var reader = DERReader(try outer.next(DERReader.Tag.sequence))
        try outer.end()
        let version = try reader.next(DERReader.Tag.integer)
        guard version.elementsEqual([1]) else { throw .malformed(at: version.startIndex) }
        value = try reader.next(DERReader.Tag.octetString)
        guard value.count <= 32 else { throw .malformed(at: value.startIndex) }
        curve = try Inner.explicit(DERReader.Tag.context0, DERReader.Tag.objectIdentifier, from: &reader)
        publicKey = try Inner.explicit(DERReader.Tag.context1, DERReader.Tag.bitString, from: &reader)
        try reader.end()
    }

    /// The element inside an explicit tag, when that tag is next.
    private static func explicit(
        _ tag: UInt8, _ inner: UInt8, from reader: inout DERReader
    ) throws(DERReader.Failure) -> ArraySlice<UInt8>? {
        guard let content = try reader.optional(tag) else { return nil }
        var wrapped = DERReader(content)
        let element = try wrapped.next(inner)
        try wrapped.end()
        return element
    }
}
