internal import COpenSSL

/// AES-128 in CBC mode with PKCS#7 padding, and random bytes. Pointers do not leave this file.
enum AES128 {
    static let keyBytes = 16
    static let blockBytes = 16

    /// - Parameter key: 16 bytes, like `initializationVector`.
    static func encrypt(_ text: [UInt8], key: [UInt8], initializationVector: [UInt8]) -> [UInt8]? {
        run(text, key: key, initializationVector: initializationVector, encrypts: 1)
    }

    /// Nil if the result does not end in valid padding, which usually means a wrong key or a truncated text.
    static func decrypt(_ text: [UInt8], key: [UInt8], initializationVector: [UInt8]) -> [UInt8]? {
        run(text, key: key, initializationVector: initializationVector, encrypts: 0)
    }

    private static func run(
        _ text: [UInt8], key: [UInt8], initializationVector: [UInt8], encrypts: Int32
    ) -> [UInt8]? {
        guard key.count == keyBytes, initializationVector.count == blockBytes, text.count < Int32.max - 16 else {
            return nil
        }
        let context = EVP_CIPHER_CTX_new()
        defer {
            EVP_CIPHER_CTX_free(context)
            ERR_clear_error()
        }
        guard context != nil,
            EVP_CipherInit_ex(context, EVP_aes_128_cbc(), nil, key, initializationVector, encrypts) == 1
        else { return nil }
        var result = [UInt8](repeating: 0, count: text.count + blockBytes)
        var count: Int32 = 0
        var rest: Int32 = 0
        let isDone = result.withUnsafeMutableBufferPointer { buffer in
            EVP_CipherUpdate(context, buffer.baseAddress, &count, text, Int32(text.count)) == 1
                && EVP_CipherFinal_ex(context, buffer.baseAddress.map { $0 + Int(count) }, &rest) == 1
        }
        return isDone ? Array(result.prefix(Int(count + rest))) : nil
    }

    /// Random bytes from OpenSSL; nil if its random source fails.
    static func randomBytes(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return RAND_bytes(&bytes, Int32(count)) == 1 ? bytes : nil
    }
}
