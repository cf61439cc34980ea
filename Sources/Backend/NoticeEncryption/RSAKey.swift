internal import COpenSSL
import PushDispatch

/// One RSA key of OpenSSL and the only owner of its pointer. No other file of this module uses the pointer.
///
/// Unchecked because of the pointer: the key never changes after `init`, OpenSSL allows several threads to use such a
/// key at once, and each operation has its own context.
final class RSAKey: @unchecked Sendable {
    private let raw: OpaquePointer

    deinit { EVP_PKEY_free(raw) }

    private init?(owning raw: OpaquePointer?) {
        ERR_clear_error()
        guard let raw else { return nil }
        self.raw = raw
    }

    /// Generates a pair from OpenSSL's random source; nil if that fails.
    convenience init?(bits: Int) { self.init(owning: COpenSSL_generate_rsa(UInt32(bits))) }

    /// Reads a public key in DER as a SubjectPublicKeyInfo (RFC 5280) without trailing bytes.
    convenience init?(subjectPublicKeyInfo der: [UInt8]) {
        let read = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            let key = d2i_PUBKEY(nil, &cursor, buffer.count)
            guard let key, cursor == buffer.baseAddress.map({ $0 + buffer.count }), EVP_PKEY_is_a(key, "RSA") == 1
            else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        self.init(owning: read)
    }

    var bits: Int { Int(EVP_PKEY_get_bits(raw)) }

    /// The public part in DER, as `init(subjectPublicKeyInfo:)` reads it.
    var subjectPublicKeyInfo: [UInt8] {
        let count = Int(max(i2d_PUBKEY(raw, nil), 0))
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            var cursor = buffer.baseAddress
            written = Int(max(i2d_PUBKEY(raw, &cursor), 0))
        }
    }

    /// Nil if the text is too long for the key.
    func encrypt(_ text: [UInt8], padding: NoticePadding) -> [UInt8]? {
        run(text, padding: padding, start: { EVP_PKEY_encrypt_init($0) }, work: EVP_PKEY_encrypt)
    }

    /// Nil if the text was not encrypted with this key's public part, or if there is no private part.
    func decrypt(_ text: [UInt8], padding: NoticePadding) -> [UInt8]? {
        run(text, padding: padding, start: { EVP_PKEY_decrypt_init($0) }, work: EVP_PKEY_decrypt)
    }

    private typealias Work = (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, UnsafePointer<UInt8>?, Int
    ) -> Int32

    private func run(
        _ text: [UInt8], padding: NoticePadding, start: (OpaquePointer) -> Int32, work: Work
    ) -> [UInt8]? {
        let context = EVP_PKEY_CTX_new(raw, nil)
        // A bad secret leaves entries in the thread's error queue, which a TLS session on the same thread would take
        // for its own errors.
        defer {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard let context, start(context) == 1 else { return nil }
        switch padding {
        case .oaepSHA256:
            guard EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1,
                EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
            else { return nil }
        case .pkcs1: guard EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1 else { return nil }
        }
        var count = 0
        guard work(context, nil, &count, text, text.count) == 1 else { return nil }
        var result = [UInt8](repeating: 0, count: count)
        guard work(context, &result, &count, text, text.count) == 1 else { return nil }
        return Array(result.prefix(count))
    }
}
