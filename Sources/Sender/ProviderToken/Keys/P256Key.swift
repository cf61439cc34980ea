import COpenSSL

/// A P-256 key of OpenSSL. It is the only owner of its pointer, and no other file of this module uses one.
///
/// @unchecked because of the pointer: the key does not change after `init`, OpenSSL allows several threads to use such a
/// key at once, and each signing and each verification has its own context.
struct P256Key: ~Copyable, @unchecked Sendable {
    private let raw: OpaquePointer

    deinit { EVP_PKEY_free(raw) }

    /// A new key pair from OpenSSL's random source.
    init() throws(KeyError) {
        guard let made = COpenSSL_generate_p256() else {
            ERR_clear_error()
            throw .library("generate a key")
        }
        raw = made
    }

    /// The key pair of a private value: 32 bytes, in range. OpenSSL computes the public key.
    init(privateValue: [UInt8]) throws(KeyError) {
        let der = P256Encoding.pkcs8(privateValue: privateValue)
        let read = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &cursor, buffer.count)
        }
        ERR_clear_error()
        guard let read else { throw .library("read the private key") }
        // A key that was read without its public key is written without it, unless this is set.
        EVP_PKEY_set_int_param(read, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, 1)
        raw = read
    }

    /// A public key alone. Fails when `point` (65 bytes, or 33 compressed) is not on the curve.
    init?(point: [UInt8]) {
        let der = P256Encoding.subjectPublicKeyInfo(point: point)
        let read = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PUBKEY(nil, &cursor, buffer.count)
        }
        ERR_clear_error()
        guard let read else { return nil }
        EVP_PKEY_set_utf8_string_param(read, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, "uncompressed")
        raw = read
    }

    /// The public key, 65 bytes.
    func point() throws(KeyError) -> [UInt8] {
        var point = [UInt8](repeating: 0, count: 65)
        var count = 0
        let result = EVP_PKEY_get_octet_string_param(raw, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &count)
        ERR_clear_error()
        guard result == 1, count == 65, point[0] == 4 else { throw .library("write the public key") }
        return point
    }

    /// PKCS#8 with the public key, 138 bytes of DER.
    func pkcs8() throws(KeyError) -> [UInt8] {
        let info = EVP_PKEY2PKCS8(raw)
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        let count = info == nil ? 0 : i2d_PKCS8_PRIV_KEY_INFO(info, nil)
        ERR_clear_error()
        guard count > 0 else { throw .library("write the private key") }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
            var cursor = buffer.baseAddress
            written = Int(max(i2d_PKCS8_PRIV_KEY_INFO(info, &cursor), 0))
        }
    }

    /// ECDSA with SHA-256, as DER.
    func signature(for message: [UInt8]) throws(KeyError) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var signature = [UInt8](repeating: 0, count: 80)  // the DER of two 32-byte numbers has at most 72
        var count = signature.count
        guard context != nil, EVP_DigestSignInit(context, nil, EVP_sha256(), nil, raw) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw .library("sign") }
        return Array(signature.prefix(count))
    }

    /// Whether `signature`, in DER, is this key's signature of `message`.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        let context = EVP_MD_CTX_new()
        // A bad signature leaves an error in the thread's queue. A TLS session on the same thread would read it as its
        // own.
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return context != nil && EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, raw) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
