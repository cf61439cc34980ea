internal import COpenSSL

/// Owns one `EVP_PKEY`.
struct KeyHandle: ~Copyable {
    let raw: OpaquePointer

    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { EVP_PKEY_free(raw) }

    /// Another owner of the same key.
    func retained() -> KeyHandle {
        EVP_PKEY_up_ref(raw)
        return KeyHandle(owning: raw)
    }
}
